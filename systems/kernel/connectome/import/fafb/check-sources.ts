import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError } from '../../../../../engine/errors.ts';
import { isMissing } from '../../bundle-files.ts';
import { hashFile } from '../table/hash-file.ts';
import { CODEX_FILES, CODEX_URL, PUBLISHED_SHA256 } from './codex-files.ts';
import type { CodexFile } from './codex-files.ts';

export type SourceFile = {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Whether these are the bytes that were published. */
  readonly published: boolean;
};

export type Sources = Readonly<Record<CodexFile, SourceFile>>;

export type CheckSourcesOptions = {
  readonly folder: string;
  /** Take files of other checksums; their hashes are recorded all the same. */
  readonly acceptChecksum: boolean;
  readonly onProgress: (done: number, total: number) => void;
  readonly signal: AbortSignal | undefined;
};

/**
 * Finds the five exports and hashes them before anything is read from them.
 * @throws DataError IMPORT_FILE naming every missing file, IMPORT_EMPTY, IMPORT_CHECKSUM naming the first other file
 */
export async function checkSources(options: CheckSourcesOptions): Promise<Sources> {
  const { folder, acceptChecksum, onProgress, signal } = options;
  const sizes = await measure(folder);
  const total = Object.values(sizes).reduce((sum, bytes) => sum + bytes, 0);
  let before = 0;
  const found: [CodexFile, SourceFile][] = [];
  for (const file of CODEX_FILES) {
    const path = join(folder, file);
    const sha256 = await hashFile(path, (bytes) => onProgress(before + bytes, total), signal);
    before += sizes[file];
    found.push([file, { path, bytes: sizes[file], sha256, published: sha256 === PUBLISHED_SHA256[file] }]);
  }
  for (const [file, { path, sha256, published }] of found) {
    if (published || acceptChecksum) continue;
    throw new DataError(
      'IMPORT_CHECKSUM',
      `${path}: sha256 expected ${PUBLISHED_SHA256[file]}, got ${sha256}. ` +
        `Download it again from ${CODEX_URL}${file}, or pass --accept-checksum to import another release.`,
    );
  }
  return Object.fromEntries(found) as Sources;
}

async function measure(folder: string): Promise<Record<CodexFile, number>> {
  const sizes: [CodexFile, number][] = [];
  const missing: CodexFile[] = [];
  for (const file of CODEX_FILES) {
    const found = await stat(join(folder, file)).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw new DataError('IMPORT_FILE', `${join(folder, file)} cannot be read. Name a folder you may read.`, {
        cause: error,
      });
    });
    if (found === null || !found.isFile()) missing.push(file);
    else sizes.push([file, found.size]);
  }
  if (missing.length > 0) {
    const what = missing.length === 1 ? `${missing[0]} is` : `${missing.join(', ')} are`;
    throw new DataError('IMPORT_FILE', `${what} missing in ${folder}. Download the Codex exports from ${CODEX_URL}.`);
  }
  for (const [file, bytes] of sizes) {
    if (bytes > 0) continue;
    throw new DataError(
      'IMPORT_EMPTY',
      `${join(folder, file)} is empty (0 bytes). Download it again from ${CODEX_URL}${file}.`,
    );
  }
  return Object.fromEntries(sizes) as Record<CodexFile, number>;
}
