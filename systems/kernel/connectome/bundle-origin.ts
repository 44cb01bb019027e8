import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectomeOrigin } from '../../../engine/contract/connectome.ts';
import { DataError } from '../../../engine/errors.ts';
import { ORIGIN_FILE, isMissing } from './bundle-files.ts';
import { oneLine } from './one-line.ts';

/** What a graph is and whom to credit; shown wherever its name is shown. */
export type BundleOrigin = {
  readonly origin: ConnectomeOrigin;
  readonly name: string;
  /** Seed of the generator or of the shuffle; null for a measured graph. */
  readonly seed: number | null;
  /** Program and version that made the graph, e.g. `twin-2`; for a measured one the importer. */
  readonly generator: string;
  /** Licence and credit, one line. */
  readonly credit: string;
};

/** First words of `meta.dataset` in graphs of ours: the truth survives a lost origin file, and is hashed. */
export const GROWN_PREFIX = 'Grown twin';
export const REWIRED_PREFIX = 'Rewired control';

const UNNAMED_CREDIT = 'origin not declared; see the data set named here for its licence';

/**
 * Reads `origin.json`. A bundle without one is a foreign measured data set, unless its own data set name says that it
 * was made here. @throws DataError BUNDLE_ORIGIN when the file is malformed or contradicts the data set name
 */
export async function readOrigin(folder: string, dataset: string): Promise<BundleOrigin> {
  const text = await readFile(join(folder, ORIGIN_FILE), 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  const implied = impliedOrigin(dataset);
  if (text === null) {
    return { origin: implied, name: dataset, seed: null, generator: 'unknown', credit: UNNAMED_CREDIT };
  }
  const origin = parseOrigin(text, join(folder, ORIGIN_FILE));
  if (origin.origin !== implied) {
    throw new DataError(
      'BUNDLE_ORIGIN',
      `${join(folder, ORIGIN_FILE)} says "${origin.origin}" but meta.json names "${oneLine(dataset)}", which is ${implied}. ` +
        'Grow or import the bundle again.',
    );
  }
  return origin;
}

function impliedOrigin(dataset: string): ConnectomeOrigin {
  if (dataset.startsWith(GROWN_PREFIX)) return 'grown';
  return dataset.startsWith(REWIRED_PREFIX) ? 'rewired' : 'measured';
}

function parseOrigin(text: string, where: string): BundleOrigin {
  let value: Partial<Record<keyof BundleOrigin, unknown>> | null = null;
  try {
    value = JSON.parse(text) as Partial<Record<keyof BundleOrigin, unknown>> | null;
  } catch (cause) {
    throw new DataError('BUNDLE_ORIGIN', `${where} is not JSON. Grow or import the bundle again.`, { cause });
  }
  const { origin, name, seed, generator, credit } = value ?? {};
  const known = origin === 'grown' || origin === 'rewired' || origin === 'measured';
  const seeded = seed === null || (typeof seed === 'number' && Number.isInteger(seed));
  if (!known || !seeded || typeof name !== 'string' || typeof generator !== 'string' || typeof credit !== 'string') {
    throw new DataError(
      'BUNDLE_ORIGIN',
      `${where} does not state origin, name, seed, generator and credit. Grow or import the bundle again.`,
    );
  }
  return { origin, name, seed, generator, credit };
}
