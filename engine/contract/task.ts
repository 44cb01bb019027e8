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
  /** The ledger as plain JSON; `restore` takes it back. @throws DataError TASK_STATE; nothing has changed then */
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

/** `ladder.progress.v1`: what a progress panel draws for any ladder game. */
export type Progress = {
  readonly schema: 'ladder.progress.v1';
  /** Highest earned rung, -1 before the first. */
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

/** What `systems/task/<name>/task.ts` exports as `taskModule`. */
export type TaskModule = {
  readonly id: string;
  readonly environmentKind: string;
  /** Content the task knows; null accepts any. A mismatch is DataError TASK_CONTENT. */
  readonly contentDigests: readonly string[] | null;
  readonly decoderPreset: string;
  /** Slots the task uses, e.g. ['best']; empty when it never rolls back. */
  readonly slotIds: readonly string[];
  readonly presentation: TaskPresentation;
  create(options: CreateTaskOptions): Task;
};
