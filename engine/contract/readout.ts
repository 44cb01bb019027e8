import type { DecisionContext } from './task.ts';

/**
 * Population readout of one agent: rates in, held channels out. Nothing in it learns and nothing in it can press a
 * button by default: with no channel above its rule, nothing is held (spec: brain.md 8).
 */
export type Readout = {
  /** Channel names in decoder order. */
  readonly channels: readonly string[];
  /** Takes the present rates as rest (spec: brain.md 8.2). */
  calibrate(rates: Float64Array): void;
  /** @param nowMs the agent's brain time */
  decide(rates: Float64Array, nowMs: number, context: DecisionContext): Decision;
  /** Learns where the world is now; may restart the blocked-direction window (spec: session.md 9.2). */
  retain(context: DecisionContext, nowMs: number): void;
  /** After a jump in the world: releases every hold and winner. */
  clear(context: DecisionContext, nowMs: number): void;
  /** Score per channel of the newest decision; null before calibration. A live view. */
  scores(): Float64Array | null;
  /** How evenly the directions have been chosen lately (spec: brain.md 14.8). Allocates only after a new decision. */
  entropy(): ChoiceSummary;
  /** Plain JSON, a copy that the receiver owns. */
  exportState(): unknown;
  /** @throws DataError DECODER_STATE; nothing has changed then */
  importState(state: unknown): void;
};

export type ChoiceSummary = {
  /** Decisions looked at; few say nothing. 0 after a restore or rollback. */
  readonly decisions: number;
  readonly entropyBits: number;
  /** Enough decisions were seen and the order of the direction scores no longer changes. */
  readonly frozen: boolean;
};

/** Channels held now, in decoder order, and the macro that won if any. */
export type Decision = { readonly active: readonly string[]; readonly macro: string | null };
