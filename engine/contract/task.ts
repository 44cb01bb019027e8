import type { Observation, PortControl } from './environment.ts';

/**
 * Meaning of one world: rewards, progress, the play gate and recovery. Reads inspections only; never writes a
 * control, a neuron or the world (spec: session.md 11).
 */
export type Task = {
  readonly taskId: string;
  /** Called once at boundary 0, and after a restore that could not bring a ledger. */
  bootstrap(now: Observation): TaskView;
  /** Called exactly once per step, with the world before and after it. */
  evaluate(input: TaskInput): TaskOutcome;
  /** Forgets what must not survive a jump in the world (a slot restore); totals and budgets stay. */
  clearTransients(now: Observation): TaskView;
  /**
   * The ledger as plain JSON, a copy that the receiver owns; `restore` takes it back.
   * @throws DataError TASK_STATE; nothing has changed then
   */
  capture(): unknown;
  restore(ledger: unknown): void;
};

export type TaskInput = {
  readonly before: Observation;
  readonly after: Observation;
  /** Controls that produced `after`, per agent in agent order. */
  readonly applied: readonly PortControl[];
  /** Brain time of each agent after this step's ticks, ms (session.md 4: the task clock). */
  readonly brainMs: readonly number[];
};

export type TaskOutcome = TaskView & {
  /** Per agent, in agent order; empty lists are explicit. */
  readonly agents: readonly AgentOutcome[];
  readonly events: readonly TaskEvent[];
  readonly saveSlot: string | null;
  readonly rollback: { readonly slotId: string; readonly trigger: string } | null;
  /** Set when the episode ended (a match result); the reason. Absent or null while it goes on. */
  readonly terminal?: string | null;
};

/** What holds at a boundary, whether or not anything happened. */
export type TaskView = { readonly contexts: readonly DecisionContext[]; readonly progress: Progress };

export type AgentOutcome = {
  readonly rewards: readonly { readonly ruleId: string; readonly value: number }[];
  readonly stimulationsMs: readonly number[];
};

/** One reward as the session accepted it: which event, by which rule, to whom, of which boundary (arena.md R2). */
export type PaidReward = {
  /** Two runs of one scenario give it alike (spec: session.md 2.4). */
  readonly eventId: string;
  readonly ruleId: string;
  readonly agentIndex: number;
  readonly value: number;
  readonly epoch: string;
  /** Boundary whose observation earned it. */
  readonly sourceStep: bigint;
};

/** What an agent may know besides its rates (spec: session.md 9.1). */
export type DecisionContext = {
  /** The game is not in play yet: pulses use their boot values. */
  readonly boot: boolean;
  /** Macro channels that may run now; empty without macros. */
  readonly bound: readonly string[];
  /** Only restarts the blocked-direction window; null is no information. */
  readonly location: { readonly area: number; readonly x: number; readonly y: number } | null;
};

export type TaskEvent = {
  readonly kind: 'reward' | 'milestone' | 'recovery' | 'system';
  readonly tier: 'quiet' | 'notable' | 'moment';
  /** Fixed copy from the task's catalogue, at most 60 characters, no markup. */
  readonly label: string;
  readonly value: number | null;
  readonly agentIndex: number | null;
  /** Equal keys within `dedupeMs` are shown once. */
  readonly dedupeKey: string;
  readonly dedupeMs: number;
};

/** Where a run stands. `schema` tells which; what every panel may read is in both. */
export type Progress = LadderProgress | MatchProgress;

/** `ladder.progress.v1`: what a progress panel draws for any ladder game. */
export type LadderProgress = CommonProgress & { readonly schema: 'ladder.progress.v1' };

export type CommonProgress = {
  /** Highest earned rung, -1 before the first. In a match: rounds finished, less one. */
  readonly rank: number;
  readonly earned: readonly boolean[];
  /** Plain words for the mode chip, empty when unknown. */
  readonly mode: string;
  /** The game is under the fly's control (not a title, a cut scene or an ending). */
  readonly playing: boolean;
  /** Footer facts in order, e.g. { text: '2/8', glyph: 'fruit' }. At most four; tries are drawn from `attempts`. */
  readonly facts: readonly { readonly text: string; readonly glyph: string | null }[];
  readonly attempts: number;
  readonly rewardTotal: number;
  readonly uniquePlaces: number;
};

/** `match.progress.v1`: what a match panel draws for any game of rounds between agents (spec: show.md 13, rule 156). */
export type MatchProgress = CommonProgress & {
  readonly schema: 'match.progress.v1';
  /** e.g. `match-0192`; numbers count from 1 over a whole run. */
  readonly matchId: string;
  readonly matchNumber: number;
  /** What the world draws its chances from, decimal. */
  readonly seed: string;
  /** e.g. `match-0192-r4`. */
  readonly roundId: string;
  readonly roundNumber: number;
  readonly roundCount: number;
  /** Rounds that win the match. */
  readonly roundsToWin: number;
  /** Points that end a round early. */
  readonly scoreToWin: number;
  readonly phase: MatchPhase;
  /** What the round clock shows, whole seconds, rounded up. */
  readonly secondsLeft: number;
  /** The next round is played with sides changed. */
  readonly sidesSwapNext: boolean;
  /** Agent index; null while undecided and when drawn: `phase` tells which. */
  readonly roundWinner: number | null;
  readonly matchWinner: number | null;
  /** Agent order. */
  readonly players: readonly MatchPlayer[];
  /** Finished rounds of this match, in order; `winner` null is a drawn round. */
  readonly rounds: readonly MatchRound[];
  /** Matches of the run that ended, per agent, and drawn ones. A world that is set back does not take them away. */
  readonly matchesWon: readonly number[];
  readonly matchesDrawn: number;
};

export type MatchPhase = 'intro' | 'play' | 'sudden-death' | 'round-over' | 'match-over';

export type MatchPlayer = {
  readonly agentIndex: number;
  readonly portId: string;
  /** The letter the picture marks the player with. */
  readonly letter: string;
  /** Where the player's home is in this round, e.g. `left`. */
  readonly side: string;
  readonly score: number;
  readonly roundsWon: number;
  /** One or two plain words for what the player is doing, e.g. `carrying`. */
  readonly doing: string;
};

export type MatchRound = { readonly winner: number | null; readonly seconds: number };

/** What a task says about itself before it runs. Layouts draw from this, never from a game's name. */
export type TaskPresentation = {
  /** At most 30 characters, ASCII, upper case. */
  readonly wordmark: string;
  readonly rungs: readonly string[];
  /** Seconds on one rung after which the operator is told. */
  readonly stuckSeconds: number;
  /** Fixed honesty sentences that belong to this game. */
  readonly disclosures: readonly string[];
};

export type CreateTaskOptions = { readonly agentCount: number; readonly contentDigest: string };

/**
 * What happens between the lives of a world; brains keep their gains and drop what they hold either way.
 * `legacy-ratchet-rollback-v1`: a game without end, set back to the best slot when it stalls; one agent alone (spec:
 * session.md 14). `round-reset-keep-gains-v1`: matches that end, each beginning in a new episode (session.md 15, arena.md
 * 2).
 */
export type EpisodePolicy = 'legacy-ratchet-rollback-v1' | 'round-reset-keep-gains-v1';

/** What `systems/task/<name>/task.ts` exports as `taskModule`. */
export type TaskModule = {
  readonly id: string;
  readonly environmentKind: string;
  /** Content the task knows; null accepts any. A mismatch is DataError TASK_CONTENT. */
  readonly contentDigests: readonly string[] | null;
  readonly decoderPreset: string;
  /** Slots the task uses, e.g. ['best']; empty when it never rolls back. */
  readonly slotIds: readonly string[];
  readonly episodePolicy: EpisodePolicy;
  readonly presentation: TaskPresentation;
  /** Other words for another number of agents; absent means `presentation` fits all. */
  readonly presentationFor?: (agentCount: number) => TaskPresentation;
  create(options: CreateTaskOptions): Task;
};
