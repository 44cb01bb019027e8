import { InvariantError } from './errors.ts';

/** Where a session stands (spec: session.md 5). */
export type PhaseName =
  | 'starting'
  | 'ready'
  | 'preparing'
  | 'applying'
  | 'observing'
  | 'committing'
  | 'paused'
  | 'capturing'
  | 'rolling-back'
  | 'failed'
  | 'restoring'
  | 'resetting';

const EDGES: Readonly<Record<PhaseName, readonly PhaseName[]>> = {
  starting: ['ready', 'failed'],
  ready: ['preparing', 'paused', 'capturing', 'rolling-back', 'restoring', 'failed'],
  preparing: ['applying', 'failed'],
  applying: ['observing', 'failed'],
  observing: ['committing', 'failed'],
  committing: ['ready', 'failed'],
  paused: ['ready', 'capturing', 'resetting', 'failed'],
  capturing: ['ready', 'paused', 'failed'],
  'rolling-back': ['ready', 'failed'],
  failed: ['restoring'],
  restoring: ['paused', 'failed'],
  resetting: ['ready', 'failed'],
};

export type PhaseState = {
  name: PhaseName;
  /** The timeline; changes on restore, rollback and reset. */
  epoch: string;
  /** Boundary k: transitions committed in this episode. */
  step: bigint;
  /** Where `capturing` returns to. */
  captureOrigin: 'ready' | 'paused';
};

export function createPhaseState(epoch: string): PhaseState {
  return { name: 'starting', epoch, step: 0n, captureOrigin: 'ready' };
}

/** @throws InvariantError INVALID_PHASE for an edge the table does not have */
export function enterPhase(phase: PhaseState, next: PhaseName): void {
  if (!EDGES[phase.name].includes(next)) {
    throw new InvariantError('INVALID_PHASE', `${phase.name}(${phase.step}) cannot become ${next}.`);
  }
  if (next === 'restoring' && phase.name === 'ready' && phase.step !== 0n) {
    throw new InvariantError('INVALID_PHASE', `ready(${phase.step}) cannot be restored; only ready(0) may.`);
  }
  if (next === 'capturing') phase.captureOrigin = phase.name as 'ready' | 'paused';
  if (phase.name === 'capturing' && next !== 'failed' && next !== phase.captureOrigin) {
    throw new InvariantError('INVALID_PHASE', `capturing began in ${phase.captureOrigin}, it cannot end in ${next}.`);
  }
  phase.name = next;
}

/** A clean restart is a new life, not an edge of the old one: nothing of the failed epoch is kept. */
export function beginAgain(phase: PhaseState, epoch: string): void {
  phase.name = 'starting';
  phase.step = 0n;
  phase.epoch = epoch;
}

/** @throws InvariantError INVALID_PHASE when the session stands elsewhere */
export function requirePhase(phase: PhaseState, expected: PhaseName): void {
  if (phase.name !== expected) {
    throw new InvariantError('INVALID_PHASE', `expected ${expected}(${phase.step}), the session is ${phase.name}.`);
  }
}

/** Stamps one pass over an entity. @throws InvariantError CONFLICT when this step already passed there */
export function stampStep(stamps: BigInt64Array, entity: number, step: bigint, what: string): void {
  if (stamps[entity]! >= step) {
    throw new InvariantError('CONFLICT', `${what} of step ${step} ran twice for entity ${entity}.`);
  }
  stamps[entity] = step;
}
