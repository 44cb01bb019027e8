import type { Show } from '../../config/schema.ts';
import type { EnvironmentDescriptor } from '../../engine/contract/environment.ts';
import type { TaskModule } from '../../engine/contract/task.ts';
import { ConfigError } from '../../engine/errors.ts';
import type { DecoderConfig } from '../../systems/readout/decoder-config.ts';
import { decoderPreset } from '../../systems/readout/presets.ts';
import { RESTORE_KIND } from './declare-composition.ts';

/**
 * Refuses a show whose parts do not fit each other, before a brain is grown for it (spec: session.md 3.2; arena.md E6,
 * M1). Ports that do not exist are refused where agents are bound to them.
 * @throws ConfigError COMPOSITION naming the parts
 */
export function checkComposition(
  show: Pick<Show, 'agents'>,
  task: Pick<TaskModule, 'id' | 'decoderPreset' | 'episodePolicy'>,
  environment: Pick<EnvironmentDescriptor, 'kind' | 'ports' | 'recovery'>,
): void {
  if (environment.recovery !== 'exact-checkpoint') {
    throw refused(
      `the world ${environment.kind} is ${environment.recovery} and cannot be saved; this program continues shows by ` +
        `${RESTORE_KIND}. Use a world that can be saved`,
    );
  }
  if (task.episodePolicy === 'legacy-ratchet-rollback-v1' && show.agents.length > 1) {
    throw refused(
      `task ${task.id} sets the world back by ${task.episodePolicy}, which is for one agent; the show has ` +
        `${show.agents.map(({ id }) => id).join(', ')}. Leave one`,
    );
  }
  const channels = pressedBy(decoderPreset(task.decoderPreset));
  for (const { id, port: portId } of show.agents) {
    const buttons = environment.ports.find((port) => port.portId === portId)?.buttons;
    const missing = buttons === undefined ? [] : channels.filter((channel) => !buttons.includes(channel));
    if (missing.length === 0) continue;
    throw refused(
      `decoder ${task.decoderPreset} of ${id} presses ${missing.join(', ')}, which port ${portId} of ` +
        `${environment.kind} does not have (it has ${buttons!.join(', ')}). Give the task another decoder`,
    );
  }
}

/** Channels that are buttons; macros press none themselves. */
function pressedBy({ exclusive, pulses }: DecoderConfig): string[] {
  return [...(exclusive?.channels ?? []), ...pulses].map(({ channel }) => channel);
}

function refused(what: string): ConfigError {
  return new ConfigError('COMPOSITION', `${what}.`);
}
