import { sha256Hex } from './digest.ts';

// Names that two runs of one scenario give alike (spec: session.md 2.4).

/** Controls of transition k -> k + 1 in `epoch`. */
export function batchId(epoch: string, step: bigint): string {
  return `batch-${epoch}-${step}`;
}

/**
 * @param sourceStep boundary the event came from
 * @param rule catalogue id of the rule that fired
 * @param ordinal 0-based, among the events of one step and rule
 */
export function eventId(epoch: string, sourceStep: bigint, rule: string, ordinal: number): string {
  return `ev-${sha256Hex(`${epoch}\n${sourceStep}\n${rule}\n${ordinal}\n`).slice(0, 16)}`;
}

/** Epoch after the n-th rollback of `epochRoot`, n from 1. */
export function rollbackEpoch(epochRoot: string, count: number): string {
  return `${epochRoot}.rb${count}`;
}
