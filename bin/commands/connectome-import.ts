import { join } from 'node:path';
import { ConfigError } from '../../engine/errors.ts';
import { nearest } from '../../engine/nearest.ts';
import { EXIT } from '../exit-codes.ts';
import { resolveHome } from '../home.ts';
import { createTerminal } from '../live/terminal.ts';

type Flags = { acceptChecksum?: boolean };

type ImportJob = {
  /** The operator's folder of source files. */
  readonly folder: string;
  readonly out: string;
  readonly acceptChecksum: boolean;
  readonly onProgress: (progress: { readonly phase: string; readonly done: number; readonly total: number }) => void;
  readonly signal: AbortSignal;
};

type Importer = {
  /** Folder name under `connectomes`. */
  readonly bundle: string;
  /** Writes the bundle; returns the lines an operator reads. */
  run(job: ImportJob): Promise<readonly string[]>;
};

/** One entry a data set; each loads its own importer only when it is asked for. */
const IMPORTERS: Readonly<Record<string, Importer>> = {
  fafb: {
    bundle: 'fafb-v783',
    async run(job) {
      const { importFafb } = await import('../../systems/kernel/connectome/import/fafb/import-fafb.ts');
      const { summariseFafb } = await import('../../systems/kernel/connectome/import/fafb/summarise-fafb.ts');
      return summariseFafb(await importFafb(job));
    },
  },
};

/** Builds a measured bundle from downloaded files. Ctrl-C ends it; the next run goes on where the files are the same. */
export async function connectomeImportCommand(source: string, folder: string, flags: Flags): Promise<void> {
  const importer = Object.hasOwn(IMPORTERS, source) ? IMPORTERS[source] : undefined;
  if (importer === undefined) {
    const known = Object.keys(IMPORTERS);
    const guess = nearest(source, known);
    const hint = guess === null ? `Known: ${known.join(', ')}.` : `Did you mean ${guess}?`;
    throw new ConfigError('IMPORT_SOURCE', `there is no importer for "${source}". ${hint}`);
  }
  const out = join(resolveHome(process.env).connectomes, importer.bundle);
  const terminal = createTerminal(process.stderr, () => performance.now());
  const abort = new AbortController();
  const interrupt = (): void => abort.abort();
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    const lines = await importer.run({
      folder,
      out,
      acceptChecksum: flags.acceptChecksum === true,
      onProgress: ({ phase, done, total }) => terminal.progress(phase, done, total),
      signal: abort.signal,
    });
    for (const line of [`${out}: imported`, ...lines]) process.stdout.write(`${line}\n`);
  } catch (error) {
    if (!abort.signal.aborted) throw error;
    terminal.line('interrupted; the same command goes on');
    process.exitCode = EXIT.interrupted;
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}
