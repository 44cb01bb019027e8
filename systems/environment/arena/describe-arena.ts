import { readFile, readdir } from 'node:fs/promises';
import type { EnvironmentDescriptor } from '../../../engine/contract/environment.ts';
import { canonicalDigest, sha256Hex } from '../../../engine/identity/digest.ts';
import { rationalNs } from '../../../engine/rational.ts';
import type { RationalNs } from '../../../engine/rational.ts';
import { MASTER_SEED } from './rules.ts';

/** A Game Boy's LCD frame, so that both shows keep one cadence (spec: session.md 4). */
export const ARENA_STEP: RationalNs = rationalNs(8_572_265_625n, 512n);
/** Order of `PortControl.buttons` (spec: session.md 9.4, `gameboy-joypad-v1`); start and select do nothing here. */
export const ARENA_BUTTONS: readonly string[] = ['up', 'down', 'left', 'right', 'a', 'b', 'start', 'select'];
export const ARENA_PORTS: readonly string[] = ['player-1', 'player-2', 'player-3', 'player-4'];
export const ARENA_SCHEMA = 'arena-state-v1';
export const WIDTH_PX = 160;
export const HEIGHT_PX = 144;
export const SAMPLE_RATE_HZ = 32_768;

export type ArenaBuild = {
  /** SHA-256 over the sources of this folder. */
  readonly backendDigest: string;
  readonly players: number;
  readonly slotIds: readonly string[];
};

export function describeArena({ backendDigest, players, slotIds }: ArenaBuild): EnvironmentDescriptor {
  const ports = ARENA_PORTS.slice(0, players);
  return {
    kind: 'arena',
    backendDigest,
    contentDigest: sha256Hex(''),
    configurationDigest: canonicalDigest({
      form: 'arena-config-v1',
      ports: [...ports],
      slots: [...slotIds],
      masterSeed: MASTER_SEED,
      inspectionSchema: ARENA_SCHEMA,
    }),
    stepDuration: ARENA_STEP,
    ports: ports.map((portId) => ({ portId, buttons: ARENA_BUTTONS, axes: [] })),
    inspectionSchema: ARENA_SCHEMA,
    views: [
      {
        viewId: 'shared-camera',
        widthPx: WIDTH_PX,
        heightPx: HEIGHT_PX,
        pixelAspect: { numerator: 1, denominator: 1 },
        observationDelaySteps: 0,
      },
    ],
    audio: [{ streamId: 'world', sampleRateHz: SAMPLE_RATE_HZ, channels: 2 }],
    recovery: 'exact-checkpoint',
    determinism: 'fixed-build',
  };
}

/** What stands for a core library's digest: every source file of the simulator, in name order. */
export async function digestArenaSources(): Promise<string> {
  const folder = new URL('.', import.meta.url);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ts')).sort();
  const sources = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
  return canonicalDigest(names.map((name, i) => ({ name, source: sources[i]! })));
}
