import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { writeBundle } from '../../../../systems/kernel/connectome/write-bundle.ts';
import type { BundleParts } from '../../../../systems/kernel/connectome/write-bundle.ts';

/** The toy fixture of brain.md 1.8: 4 neurons, 5 edges, no retina. Roles all sit in the meta. */
export function toyParts(): BundleParts {
  return {
    meta: {
      schemaVersion: 1,
      dataset: 'test',
      neurons: 4,
      edges: 5,
      roles: { kenyon: [0], mbon: [1, 2], motor: [3], command_0: [3] },
      visual: { population: 'test', count: 0 },
    },
    circuitRoles: null,
    graph: {
      indptr: Uint32Array.of(0, 3, 4, 5, 5),
      targets: Uint32Array.of(1, 2, 3, 3, 1),
      weights: Int16Array.of(10, -5, 20, 10, 5),
      visualIndices: new Uint32Array(0),
      visualHemisphere: new Uint8Array(0),
      visualXY: new Float32Array(0),
    },
    viewer: {
      positions: new Float32Array(12),
      classes: Uint8Array.of(1, 1, 1, 2),
      viewerEdges: Uint32Array.of(0, 1),
    },
    origin: { origin: 'measured', name: 'Toy', seed: null, generator: 'test', credit: 'none' },
    report: {},
  };
}

/** "Toy-G" of brain.md 1.8: the toy with two retina columns and a reward population. */
export function toyGameParts(): BundleParts {
  const toy = toyParts();
  return {
    ...toy,
    meta: {
      ...toy.meta,
      roles: { ...toy.meta.roles, reward_pam: [2] },
      visual: { population: 'test', count: 2 },
    },
    graph: {
      ...toy.graph,
      visualIndices: Uint32Array.of(0, 3),
      visualHemisphere: Uint8Array.of(0, 1),
      visualXY: Float32Array.of(0, 0, 12.5, 7.25),
    },
  };
}

/** A folder that is gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fly-connectome-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function written(parts: BundleParts): Promise<string> {
  const folder = join(await temporaryFolder(), 'toy');
  await writeBundle(folder, parts);
  return folder;
}

/** A bundle whose meta declares no hashes, as a hand-made fixture. */
export async function undeclared(parts: BundleParts): Promise<string> {
  const folder = await written(parts);
  await writeFile(join(folder, 'meta.json'), JSON.stringify(parts.meta));
  return folder;
}
