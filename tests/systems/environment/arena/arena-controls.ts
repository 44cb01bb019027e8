import type { ControlBatch, Environment } from '../../../../engine/contract/environment.ts';
import { createArena } from '../../../../systems/environment/arena/environment.ts';
import { ARENA_BUTTONS, ARENA_PORTS } from '../../../../systems/environment/arena/describe-arena.ts';

export function openTestArena(players = 2, slotIds: readonly string[] = []): Environment {
  const portIds = ARENA_PORTS.slice(0, players);
  return createArena({ environmentId: 'arena', contentPath: null, slotIds, portIds }, 'f'.repeat(64));
}

/** One whole batch from a mask per player. */
export function batchOf(...masks: readonly number[]): ControlBatch {
  return {
    batchId: 'batch-e1-0',
    ports: masks.map((mask, i) => ({
      portId: ARENA_PORTS[i]!,
      buttons: ARENA_BUTTONS.map((_, bit) => ((mask >> bit) & 1) === 1),
      axes: [],
    })),
  };
}
