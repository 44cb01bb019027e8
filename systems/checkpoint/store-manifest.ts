import { DataError } from '../../engine/errors.ts';
import { canonicalJsonBytes } from '../../engine/identity/canonical-json.ts';
import { isDigest, isId, isU64 } from '../../engine/identity/scalars.ts';
import { parseCanonicalJson } from '../../engine/identity/strict-json.ts';

/** One file of a tier, as `manifest.json` lists it (spec: session.md 17.4). */
export type StoredGeneration = {
  readonly checkpointId: string;
  /** Name inside the tier's folder. */
  readonly file: string;
  readonly sessionId: string;
  readonly epoch: string;
  readonly episodeId: string;
  /** U64 */
  readonly boundary: string;
  readonly compatibilityDigest: string;
  /** SHA-256 of the whole file. */
  readonly envelopeDigest: string;
  /** U64 */
  readonly byteLength: string;
};

/** Oldest generation first. */
export type StoreManifest = {
  /** Newest committed generation; null in an empty tier. */
  readonly highWater: string | null;
  readonly generations: readonly StoredGeneration[];
};

export const EMPTY_MANIFEST: StoreManifest = { highWater: null, generations: [] };
/** Also what a group says its states are written in. */
export const STATE_FORMAT = 'flysess-1';
const MANIFEST_VERSION = 1;
const FILE_NAME = /^[a-z0-9][a-z0-9._-]{0,127}\.flysess$/;

export function formatManifest({ highWater, generations }: StoreManifest): Uint8Array {
  return canonicalJsonBytes({
    storeManifestVersion: MANIFEST_VERSION,
    stateFormatId: STATE_FORMAT,
    highWater,
    generations,
  });
}

/** @throws DataError STORE_MANIFEST, naming `where` and what is wrong; a damaged list is never taken as an empty one */
export function parseManifest(bytes: Uint8Array, where: string): StoreManifest {
  let root: unknown;
  try {
    root = parseCanonicalJson(bytes);
  } catch (cause) {
    throw refused(where, 'it is not the canonical JSON this program writes', cause);
  }
  const { storeManifestVersion, stateFormatId, highWater, generations } = fieldsOf(root, where, [
    'storeManifestVersion',
    'stateFormatId',
    'highWater',
    'generations',
  ]);
  if (storeManifestVersion !== MANIFEST_VERSION) {
    throw refused(where, `storeManifestVersion is ${String(storeManifestVersion)}, this program reads 1`);
  }
  if (stateFormatId !== STATE_FORMAT) {
    throw refused(where, `stateFormatId is ${String(stateFormatId)}, this program reads ${STATE_FORMAT}`);
  }
  if (!Array.isArray(generations)) throw refused(where, 'generations is no list');
  const rows = generations.map((row) => parseRow(row, where));
  const ids = rows.map(({ checkpointId }) => checkpointId);
  if (new Set(ids).size !== ids.length) throw refused(where, 'a checkpoint is listed twice');
  if (highWater !== null && (typeof highWater !== 'string' || !ids.includes(highWater))) {
    throw refused(where, `highWater names ${JSON.stringify(highWater)}, which is not listed`);
  }
  return { highWater, generations: rows };
}

const ROW_FIELDS: Readonly<Record<keyof StoredGeneration, (value: unknown) => boolean>> = {
  checkpointId: isId,
  file: (value) => typeof value === 'string' && FILE_NAME.test(value),
  sessionId: isId,
  epoch: isId,
  episodeId: isId,
  boundary: isU64,
  compatibilityDigest: isDigest,
  envelopeDigest: isDigest,
  byteLength: isU64,
};

function parseRow(value: unknown, where: string): StoredGeneration {
  const row = fieldsOf(value, where, Object.keys(ROW_FIELDS));
  for (const [name, isLegal] of Object.entries(ROW_FIELDS)) {
    if (!isLegal(row[name])) throw refused(where, `a generation's ${name} is ${String(row[name]).slice(0, 80)}`);
  }
  return row as StoredGeneration;
}

/** Exactly these fields. */
function fieldsOf(value: unknown, where: string, names: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refused(where, 'a part is no object');
  const found = value as Record<string, unknown>;
  const missing = names.find((name) => !Object.hasOwn(found, name));
  if (missing !== undefined) throw refused(where, `${missing} is missing`);
  const stranger = Object.keys(found).find((name) => !names.includes(name));
  if (stranger !== undefined) throw refused(where, `it has an unknown field ${stranger}`);
  return found;
}

function refused(where: string, what: string, cause?: unknown): DataError {
  return new DataError(
    'STORE_MANIFEST',
    `${where}: ${what}. Nothing was read or changed; move that file away to begin an empty store there.`,
    { cause },
  );
}
