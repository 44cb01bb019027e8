import type { ChoicesState } from './host-state.ts';

/**
 * Whether the fly still chooses or habituation only rotates its directions. With one calibration the direction scores
 * drift into a fixed order after tens of minutes (spec: brain.md 14.8); the screen says so when it happens. The winners
 * keep turning over then, so they alone cannot tell: the order of the scores does.
 */
export type ChoiceEntropy = {
  /** Decisions looked at. */
  readonly decisions: number;
  /** Of the winners, bits: 0 for one direction, 2 for four used alike. */
  readonly entropyBits: number;
  /** Of the scores' ranking before fatigue, bits: 0 when it never changes, 4.58 for all 24 orders of four alike. */
  readonly orderBits: number;
  /** Enough decisions were seen and the ranking no longer changes. */
  readonly frozen: boolean;
};

/** Fewer decisions say nothing: at 800 ms each this is 51 s of play. Our choice. */
export const MIN_DECISIONS = 64;

/** Below this a ranking is called fixed; one other order in twenty decisions has 0.29 bits. Our choice. */
const FROZEN_BITS = 0.3;

/**
 * @param winners winning channel index per decision; negative for none
 * @param orders `scoreOrder` per decision, same length
 */
export function measureChoiceEntropy(winners: ArrayLike<number>, orders: ArrayLike<number>): ChoiceEntropy {
  const won = Array.from(winners).filter((winner) => winner >= 0);
  const orderBits = entropyOf(Array.from(orders));
  const decisions = won.length;
  return {
    decisions,
    entropyBits: entropyOf(won),
    orderBits,
    frozen: decisions >= MIN_DECISIONS && orderBits < FROZEN_BITS,
  };
}

/**
 * The ranking of `scores[0..count-1]` as one number: equal numbers, equal order. Ties count as the earlier first.
 * Allocates nothing; `count` up to 12 stays exact.
 */
export function scoreOrder(scores: Float64Array, count: number): number {
  let code = 0;
  for (let i = 0; i < count; i++) {
    let ahead = 0;
    for (let j = i + 1; j < count; j++) if (scores[j]! > scores[i]!) ahead++;
    code = code * (count - i) + ahead;
  }
  return code;
}

/** The newest decisions of one decoder. */
export type EntropyMonitor = {
  /** Call after every decode; only a new decision is recorded. Allocates nothing. */
  note(nextDecisionMs: number, winner: number, scores: Float64Array): void;
  /** The same object until another decision is noted. */
  measure(): ChoiceEntropy;
  /** After a restore or rollback: what came before says nothing about now. */
  clear(): void;
  exportState(): ChoicesState;
  /** Takes the newest of them when there are more than this monitor remembers. */
  importState(state: ChoicesState): void;
};

/**
 * @param channelCount exclusive channels; their scores come first
 * @param capacity decisions remembered; 256 are 3.4 minutes of Game Boy play
 */
export function createEntropyMonitor(channelCount: number, capacity = 256): EntropyMonitor {
  const winners = new Int16Array(capacity);
  const orders = new Float64Array(capacity);
  let count = 0;
  let lastDecision = Number.NaN;
  let measured: ChoiceEntropy | null = null;
  return {
    note(nextDecisionMs, winner, scores) {
      if (nextDecisionMs === lastDecision) return;
      lastDecision = nextDecisionMs;
      measured = null;
      winners[count % capacity] = winner;
      orders[count % capacity] = scoreOrder(scores, channelCount);
      count++;
    },
    measure: () => {
      if (measured !== null) return measured;
      const length = Math.min(count, capacity);
      measured = measureChoiceEntropy(winners.subarray(0, length), orders.subarray(0, length));
      return measured;
    },
    clear() {
      count = 0;
      measured = null;
      lastDecision = Number.NaN;
    },
    exportState() {
      const length = Math.min(count, capacity);
      const oldestFirst = Array.from({ length }, (_, i) => (count - length + i) % capacity);
      return {
        lastDecisionMs: Number.isNaN(lastDecision) ? null : lastDecision,
        winners: oldestFirst.map((at) => winners[at]!),
        orders: oldestFirst.map((at) => orders[at]!),
      };
    },
    importState(state) {
      count = Math.min(state.winners.length, capacity);
      winners.set(state.winners.slice(-capacity));
      orders.set(state.orders.slice(-capacity));
      measured = null;
      lastDecision = state.lastDecisionMs ?? Number.NaN;
    },
  };
}

function entropyOf(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / values.length) * Math.log2(count / values.length);
  return bits === 0 ? 0 : bits; // one value alone gives -0
}
