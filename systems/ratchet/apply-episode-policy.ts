import { fromEnvironment } from '../../engine/blame.ts';
import { enterPhase } from '../../engine/phase.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { continueFrom } from './continue-from.ts';

/**
 * An episode that ended starts again from the world's initial state, in a new epoch; brains keep what they learned and
 * drop what they held (spec: session.md 15). Ladder games never end; matches do.
 */
export async function applyEpisodePolicy(world: SessionWorld): Promise<void> {
  const { handles, phase, transition } = world;
  if ((transition.outcome!.terminal ?? null) === null) return;
  enterPhase(phase, 'paused');
  enterPhase(phase, 'resetting');
  const observation = await fromEnvironment(world, handles.environment.boot());
  const view = handles.task.bootstrap(observation);
  continueFrom(world, observation, view);
  world.audio.begin();
  world.episode += 1;
  world.epochs += 1;
  world.episodeSteps = 0n;
  phase.step = 0n;
  phase.epoch = `e${world.epochs}`;
  enterPhase(phase, 'ready');
}
