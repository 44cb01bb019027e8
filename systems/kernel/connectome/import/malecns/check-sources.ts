import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError } from '../../../../../engine/errors.ts';
import { hashFile } from '../table/hash-file.ts';
import { MALECNS_SOURCES } from './release.ts';
import type { SourceTable } from './release.ts';

export type CheckedSource = {
  readonly table: SourceTable;
  readonly path: string;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** `accepted`: it is not the published file and the operator said to go on. `unpublished`: nobody printed a hash. */
  readonly state: 'published' | 'accepted' | 'unpublished';
};

export type SourceWatch = {
  /** Bytes of the current file hashed so far, and its size. */
  readonly onBytes: (done: number, total: number) => void;
  readonly signal: AbortSignal | undefined;
};

/**
 * Finds and hashes the tables of the release in `folder`.
 * @param weights which weight table; null takes the full one when it is there, else the traced-only one
 * @throws DataError MALECNS_SOURCE when a table is absent; MALECNS_CHECKSUM unless `acceptChecksum`
 */
export async function checkSources(
  folder: string,
  weights: 'weights' | 'weightsTracedOnly' | null,
  acceptChecksum: boolean,
  watch: SourceWatch,
): Promise<ReadonlyMap<SourceTable, CheckedSource>> {
  const edges = weights ?? ((await sizeOf(folder, 'weights')) === null ? 'weightsTracedOnly' : 'weights');
  const found = new Map<SourceTable, CheckedSource>();
  for (const table of ['annotations', 'transmitters', edges, 'bodyStats'] as const) {
    const bytes = await sizeOf(folder, table);
    const { file } = MALECNS_SOURCES[table];
    if (bytes !== null) found.set(table, await checkSource(folder, table, bytes, acceptChecksum, watch));
    else if (table !== 'bodyStats') {
      throw new DataError('MALECNS_SOURCE', `${join(folder, file)} is missing. Put the tables of the release there.`);
    }
  }
  return found;
}

async function checkSource(
  folder: string,
  table: SourceTable,
  bytes: number,
  acceptChecksum: boolean,
  watch: SourceWatch,
): Promise<CheckedSource> {
  const { file, sha256: published, bytes: publishedBytes } = MALECNS_SOURCES[table];
  const path = join(folder, file);
  const sha256 = await hashFile(path, (done) => watch.onBytes(done, bytes), watch.signal);
  const isPublished = published === null ? bytes === publishedBytes : sha256 === published;
  const base = { table, path, file, bytes, sha256 };
  if (isPublished) return { ...base, state: published === null ? 'unpublished' : 'published' };
  if (acceptChecksum) return { ...base, state: 'accepted' };
  const wanted = published === null ? `${publishedBytes} bytes` : `sha256 ${published}`;
  const got = published === null ? `${bytes} bytes` : `sha256 ${sha256}`;
  throw new DataError(
    'MALECNS_CHECKSUM',
    `${path} has ${got}, the release has ${wanted}. Download it again, or accept it with --accept-checksum.`,
  );
}

async function sizeOf(folder: string, table: SourceTable): Promise<number | null> {
  return stat(join(folder, MALECNS_SOURCES[table].file)).then(
    ({ size }) => size,
    () => null,
  );
}
