import { z } from 'zod';
import { DataError } from '../../../engine/errors.ts';
import { EATEN_BYTES } from './memory-map.ts';

/** Everything the task remembers, as plain JSON. Keys of orchards are `round:orchard`. */
export type Ledger = {
  version: 1;
  started: boolean;
  rewardTotal: number;
  earned: boolean[];
  /** Highest band of columns ever reached, per orchard and round. */
  bands: Record<string, number>;
  /** Fruit ever eaten, one bit each, hexadecimal, per orchard and round. */
  fruit: Record<string, string>;
  /** Highest checkpoint tree ever passed, per orchard and round. */
  checkpoints: Record<string, number>;
  cleared: string[];
  /** Rounds whose ending was seen. */
  endings: number[];
  /** Times caught in this run, over every restore. */
  attempts: number;
  recovery: RecoveryLedger;
};

export type RecoveryLedger = {
  /** Rank at which slot `best` was filled last, -1 never. */
  slotRank: number;
  /** Brain time of the newest ground, ms; null until the first judged step. */
  newGroundAtMs: number | null;
  rolledBackAtMs: number | null;
  /** Rollbacks since the rank last rose. */
  onThisRung: number;
  lifetime: number;
};

/** Order of the map does not matter to a reader, but a round is not a place: 255 rounds of eight orchards. */
export function orchardKey(at: { readonly round: number; readonly orchard: number }): string {
  return `${at.round}:${at.orchard}`;
}

export function createLedger(rungs: number): Ledger {
  return {
    version: 1,
    started: false,
    rewardTotal: 0,
    earned: new Array<boolean>(rungs).fill(false),
    bands: {},
    fruit: {},
    checkpoints: {},
    cleared: [],
    endings: [],
    attempts: 0,
    recovery: { slotRank: -1, newGroundAtMs: null, rolledBackAtMs: null, onThisRung: 0, lifetime: 0 },
  };
}

const count = z.number().int().nonnegative();
const key = z.string().regex(/^\d{1,3}:[0-7]$/);
const time = z.number().nonnegative().nullable();

/** @throws DataError TASK_STATE naming the first part that is wrong */
export function parseLedger(value: unknown, rungs: number): Ledger {
  const schema = z.strictObject({
    version: z.literal(1),
    started: z.boolean(),
    rewardTotal: z.number().nonnegative(),
    earned: z.array(z.boolean()).length(rungs),
    bands: z.record(key, count),
    fruit: z.record(key, z.string().regex(new RegExp(`^[0-9a-f]{${EATEN_BYTES * 2}}$`))),
    checkpoints: z.record(key, count),
    cleared: z.array(key),
    endings: z.array(count),
    attempts: count,
    recovery: z.strictObject({
      slotRank: z
        .number()
        .int()
        .min(-1)
        .max(rungs - 1),
      newGroundAtMs: time,
      rolledBackAtMs: time,
      onThisRung: count,
      lifetime: count,
    }),
  });
  const parsed = schema.safeParse(value);
  if (parsed.success) return structuredClone(parsed.data);
  const issue = parsed.error.issues[0]!;
  throw new DataError(
    'TASK_STATE',
    `windfall ledger: ${issue.path.join('.') || 'the whole'}: ${issue.message}. Start with --fresh or use another checkpoint.`,
  );
}
