import type { SugarAnswer, SugarRequest } from '../../engine/command-queue.ts';
import type { SessionWorld } from '../../engine/world.ts';
import type { SugarLimiter } from './sugar-limiter.ts';

/** How long a wish refused by a paused session shall wait, ms; nobody knows when it goes on. */
const PAUSED_RETRY_MS = 1_000;

/**
 * Takes what was asked from outside since the last boundary, in order, and decides on each sugar at once
 * (session.md 7, rows 1 and 2). A refused wish costs the tick nothing. Nothing else admits an interaction.
 */
export function drainCommands(world: SessionWorld, limiter: SugarLimiter): void {
  takeCommands(world, (request) => admitSugar(world, limiter, request));
}

/** Hears the operator while the session is held. Sugar is refused: it would reach a later step, or another match. */
export function hearWhileHeld(world: SessionWorld): void {
  takeCommands(world, () => ({ kind: 'refused', reason: 'paused', retryAfterMs: PAUSED_RETRY_MS }));
}

function takeCommands(world: SessionWorld, decide: (request: SugarRequest) => SugarAnswer): void {
  for (const command of world.commands.drain()) {
    switch (command.kind) {
      case 'sugar':
        command.answer(decide(command.request));
        break;
      case 'pause':
        world.pauseRequested = true;
        break;
      case 'resume':
        world.pauseRequested = false;
        break;
      case 'stop':
        world.stopRequested = `stopped by ${command.by}`;
        break;
      case 'capture':
        world.captureRequested = `asked by ${command.by}`;
        break;
      default:
        command satisfies never;
    }
  }
}

function admitSugar(world: SessionWorld, limiter: SugarLimiter, request: SugarRequest): SugarAnswer {
  const { agents, handles, interactions, stores } = world;
  if (request.agentId === null && agents.length > 1) return { kind: 'ambiguous-target' };
  const agentIndex =
    request.agentId === null ? 0 : agents.findIndex((agent) => stores.StableId[agent] === request.agentId);
  if (agentIndex < 0) return { kind: 'unknown-agent' };
  if (!handles.brains[agentIndex]!.supportedStimuli.includes('reward-pulse')) return { kind: 'unsupported' };
  const admitted = limiter.admit(pulseRemainingMs(world, agentIndex), request.durationMs);
  if (admitted.kind === 'refused') return admitted;
  const serial = world.nextInteraction++;
  interactions.push({
    serial,
    agentIndex,
    kind: 'sugar',
    by: request.by,
    source: request.source,
    durationMs: admitted.durationMs,
    state: 'accepted',
  });
  return {
    kind: 'accepted',
    serial,
    durationMs: admitted.durationMs,
    agentId: handles.brains[agentIndex]!.agentId,
  };
}

/** The longer of what the last commit showed and what was admitted since; null until an epoch's first commit. */
function pulseRemainingMs(world: SessionWorld, agentIndex: number): number | null {
  if (!world.committedInEpoch) return null;
  let remaining = world.handles.brains[agentIndex]!.stimulusRemainingMs();
  for (const interaction of world.interactions) {
    if (interaction.agentIndex === agentIndex) remaining = Math.max(remaining, interaction.durationMs);
  }
  return remaining;
}
