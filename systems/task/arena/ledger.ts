import { z } from 'zod';
import { DataError } from '../../../engine/errors.ts';
import type { Counters } from './sample.ts';

/** Everything the task remembers, as plain JSON. Results only grow; a world that is set back does not take them away. */
export type Ledger = {
  version: 1;
  /** Player (port) of each agent. */
  playerOf: number[];
  rewardTotal: number;
  matchesWon: number[];
  matchesDrawn: number;
  /** The newest matches, oldest first, at most `KEPT_RESULTS`. */
  results: MatchResult[];
  /** What was paid in the running match, per player. */
  match: { number: number; paid: Counters[]; isRecorded: boolean };
};

export type MatchResult = {
  number: number;
  /** Agent; null for a drawn match. */
  winner: number | null;
  /** Per round: agent, or null for a drawn one, and its steps. */
  rounds: { winner: number | null; steps: number }[];
  /** Side of each agent in the last round; everybody moved on one seat after each round. */
  lastSides: string[];
};

export const KEPT_RESULTS = 64;

export function createLedger(agents: number): Ledger {
  return {
    version: 1,
    playerOf: Array.from({ length: agents }, (_, i) => i),
    rewardTotal: 0,
    matchesWon: new Array<number>(agents).fill(0),
    matchesDrawn: 0,
    results: [],
    match: { number: 0, paid: Array.from({ length: agents }, nothingPaid), isRecorded: false },
  };
}

export function nothingPaid(): Counters {
  return { reached: 0, delivered: 0, knocked: 0, sipped: 0, roundsWon: 0 };
}

const count = z.number().int().nonnegative();

/** @throws DataError TASK_STATE naming the first part that is wrong */
export function parseLedger(value: unknown, agents: number): Ledger {
  const agent = count.max(agents - 1);
  const schema = z.strictObject({
    version: z.literal(1),
    playerOf: z.array(agent).length(agents),
    rewardTotal: z.number().nonnegative(),
    matchesWon: z.array(count).length(agents),
    matchesDrawn: count,
    results: z
      .array(
        z.strictObject({
          number: count,
          winner: agent.nullable(),
          rounds: z.array(z.strictObject({ winner: agent.nullable(), steps: count })),
          lastSides: z.array(z.string()).length(agents),
        }),
      )
      .max(KEPT_RESULTS),
    match: z.strictObject({
      number: count,
      paid: z
        .array(z.strictObject({ reached: count, delivered: count, knocked: count, sipped: count, roundsWon: count }))
        .length(agents),
      isRecorded: z.boolean(),
    }),
  });
  const parsed = schema.safeParse(value);
  if (parsed.success) return structuredClone(parsed.data);
  const issue = parsed.error.issues[0]!;
  throw new DataError(
    'TASK_STATE',
    `arena ledger: ${issue.path.join('.') || 'the whole'}: ${issue.message}. Start with --fresh or use another checkpoint.`,
  );
}
