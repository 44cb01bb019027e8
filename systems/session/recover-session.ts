import type { Brain } from '../../engine/contract/brain.ts';
import { fromEnvironment } from '../../engine/blame.ts';
import { DeviceError, describeError, isFlyError } from '../../engine/errors.ts';
import { recordEvent } from '../../engine/outbox.ts';
import { beginAgain, enterPhase } from '../../engine/phase.ts';
import type { SessionWorld } from '../../engine/world.ts';
import type { Candidate } from '../checkpoint/candidates.ts';
import { forgetTransients, installFirst } from '../checkpoint/install-group.ts';
import { bootSession } from './boot-session.ts';

/** A group that fails this often without a minute of peace in between is given up by name. */
const MAX_RECOVERIES = 5;
const PEACE_MS = 60_000;

export type Recovery = {
  /** Replaces the brain of one agent by a fresh one over the same connectome and seed. */
  readonly reopenBrain: (agentIndex: number) => Promise<Brain>;
  /** What a store offers besides the newest capture in memory, best first; absent without a store. */
  readonly stored?: () => readonly Candidate[];
  readonly reanchor: () => void;
  readonly report: (line: string) => void;
};

/**
 * Makes the way back from a fenced epoch: the whole group continues from the newest capture in memory, else from the
 * store, or starts cleanly when there is neither. Never half of it (spec: session.md 16).
 */
export function createRecovery(recovery: Recovery): (world: SessionWorld, failure: unknown) => Promise<void> {
  let failures = 0;
  let lastFailureMs = -Infinity;
  return async (world, failure) => {
    const now = world.clock.nowMs();
    failures = now - lastFailureMs > PEACE_MS ? 1 : failures + 1;
    lastFailureMs = now;
    fence(world, failure);
    if (failures > MAX_RECOVERIES) {
      throw new DeviceError(
        'RECOVERY_GIVEN_UP',
        `the session failed ${failures} times within a minute of each other, last: ${describeError(failure)}`,
        { cause: failure },
      );
    }
    recovery.report(`failed at step ${world.phase.step}: ${describeError(failure)}`);
    await restoreGroup(world, recovery);
    recovery.reanchor();
  };
}

/**
 * Continues a session that has not begun from the best of these states; nothing was booted before (spec: session.md 5,
 * a checkpoint as the start of a run). @throws DataError RESTORE_FAILED
 */
export async function resumeSession(
  world: SessionWorld,
  candidates: readonly Candidate[],
  report: (line: string) => void,
): Promise<Resumed> {
  const { phase } = world;
  enterPhase(phase, 'ready');
  enterPhase(phase, 'restoring');
  const { candidate, capture } = await installFirst(world, candidates, (line) => report(`refused ${line}`));
  enterPhase(phase, 'paused');
  enterPhase(phase, 'ready');
  const { name, savedAtUnixMs } = candidate;
  const ageSeconds = savedAtUnixMs === null ? null : Math.max(0, (world.clock.unixMs() - savedAtUnixMs) / 1_000);
  const age = ageSeconds === null ? '' : `, ${describeAge(ageSeconds)} old`;
  const line = `resumed from ${name}: boundary ${capture.step}${age}, epoch ${phase.epoch}`;
  report(line);
  announce(world, `continued from step ${capture.step}`);
  const { step, epoch } = phase;
  world.lifecycle.emit({
    kind: 'restored',
    from: 'checkpoint',
    oldEpoch: capture.epoch,
    epoch,
    step,
    abandonedSteps: 0n,
  });
  return { name, boundary: String(capture.step), ageSeconds };
}

export type Resumed = { readonly name: string; readonly boundary: string; readonly ageSeconds: number | null };

function fence(world: SessionWorld, failure: unknown): void {
  const { phase } = world;
  if (phase.name !== 'failed') enterPhase(phase, 'failed');
  world.interactions.length = 0;
  world.sugar.endsAtMs = 0;
  world.committedInEpoch = false;
  world.lifecycle.emit({
    kind: 'failed',
    code: isFlyError(failure) ? failure.code : 'INTERNAL',
    message: describeError(failure),
    step: phase.step,
    blamed: world.blamed?.id ?? null,
  });
}

async function restoreGroup(world: SessionWorld, recovery: Recovery): Promise<void> {
  const { captures, handles, phase, runSteps } = world;
  const oldEpoch = phase.epoch;
  const candidates = [...inMemory(await captures.latest()), ...(recovery.stored?.() ?? [])];
  await fromEnvironment(world, handles.environment.restart());
  for (let i = 0; i < handles.brains.length; i++) {
    await handles.brains[i]!.close();
    handles.brains[i] = await recovery.reopenBrain(i);
  }
  let from: 'capture' | 'checkpoint' | 'clean-restart' = 'clean-restart';
  let line = 'started again from the beginning';
  if (candidates.length === 0) await startOver(world);
  else {
    enterPhase(phase, 'restoring');
    const { candidate, capture } = await installFirst(world, candidates, recovery.report);
    enterPhase(phase, 'paused');
    enterPhase(phase, 'ready');
    from = candidate.savedAtUnixMs === null ? 'capture' : 'checkpoint';
    line = `continued from step ${capture.step}`;
    world.captureRequested = 'recovery';
  }
  recovery.report(`${line} (epoch ${phase.epoch})`);
  announce(world, line);
  const abandonedSteps = runSteps - world.runSteps;
  world.lifecycle.emit({ kind: 'restored', from, oldEpoch, epoch: phase.epoch, step: phase.step, abandonedSteps });
}

function inMemory(capture: Awaited<ReturnType<SessionWorld['captures']['latest']>>): Candidate[] {
  return capture === null ? [] : [{ name: 'capture in memory', savedAtUnixMs: null, load: () => capture }];
}

async function startOver(world: SessionWorld): Promise<void> {
  forgetTransients(world);
  world.epochs += 1;
  beginAgain(world.phase, `e${world.epochs}`);
  world.audio.begin();
  for (const agent of world.agents) world.stores.AgentClock.owed[agent] = 0n;
  await bootSession(world, () => undefined);
}

function announce(world: SessionWorld, label: string): void {
  recordEvent(world, {
    kind: 'recovery',
    tier: 'notable',
    label,
    value: null,
    agentIndex: null,
    dedupeKey: `recovery-${world.phase.epoch}`,
    dedupeMs: 0,
  });
}

/** `4 s`, `12 min`, `3 h`, `2 d` */
function describeAge(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`;
}
