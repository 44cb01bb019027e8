import type { Observation } from '../../../../engine/contract/environment.ts';
import { GAME_MODES, STATE_VERSION, address } from '../../../../systems/task/windfall/memory-map.ts';
import type { GameMode } from '../../../../systems/task/windfall/memory-map.ts';

export type Scene = {
  readonly mode?: GameMode;
  readonly round?: number;
  readonly orchard?: number;
  readonly section?: number;
  readonly hearts?: number;
  readonly column?: number;
  readonly deaths?: number;
  readonly cleared?: number;
  readonly endings?: number;
  readonly hurtTimer?: number;
  readonly eaten?: readonly number[];
  readonly busy?: number;
};

/** A memory image in which the game shows `scene`; everything not named is a healthy fly in orchard 1. */
export function memoryOf(scene: Scene): Uint8Array {
  const memory = new Uint8Array(65_536);
  const put = (at: number, value: number): void => {
    memory[at] = value;
  };
  const putWord = (at: number, value: number): void => {
    memory[at] = value & 255;
    memory[at + 1] = value >> 8;
  };
  put(address.magic, 'W'.charCodeAt(0));
  put(address.magic + 1, 'F'.charCodeAt(0));
  put(address.version, STATE_VERSION);
  put(address.busy, scene.busy ?? 0);
  put(address.mode, GAME_MODES.indexOf(scene.mode ?? 'playing'));
  put(address.round, scene.round ?? 0);
  put(address.orchard, scene.orchard ?? 0);
  put(address.section, scene.section ?? 0);
  put(address.hearts, scene.hearts ?? 3);
  put(address.lives, 4);
  putWord(address.column, scene.column ?? 5);
  putWord(address.columns, 272);
  putWord(address.deaths, scene.deaths ?? 0);
  put(address.cleared, scene.cleared ?? 0);
  put(address.endings, scene.endings ?? 0);
  put(address.hurtTimer, scene.hurtTimer ?? 0);
  put(address.flyX, 60);
  put(address.flyY, 80);
  memory.set(scene.eaten ?? [], address.eaten);
  return memory;
}

export function observe(scene: Scene): Observation {
  return { engineFrame: '0', views: [], audio: [], inspection: memoryOf(scene) };
}
