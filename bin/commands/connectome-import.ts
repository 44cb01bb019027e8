import { join } from 'node:path';
import { ConfigError } from '../../engine/errors.ts';
import { nearest } from '../../engine/nearest.ts';
import { EXIT } from '../exit-codes.ts';
import { resolveHome } from '../home.ts';
import { parseWhole } from '../live/live-options.ts';
import { createTerminal } from '../live/terminal.ts';

type Flags = { acceptChecksum?: boolean; threshold?: string; unsigned?: string };

type ImportJob = {
  /** The operator's folder of source files. */
  readonly folder: string;
  readonly out: string;
  readonly acceptChecksum: boolean;
  readonly flags: Flags;
  readonly onProgress: (progress: { readonly phase: string; readonly done: number; readonly total: number }) => void;
  readonly signal: AbortSignal;
};

type Importer = {
  /** Folder name under `connectomes`. */
  readonly bundle: (flags: Flags) => string;
  /** Writes the bundle; returns the lines an operator reads. */
  run(job: ImportJob): Promise<readonly string[]>;
};

/** One entry a data set; each loads its own importer only when it is asked for. */
const IMPORTERS: Readonly<Record<string, Importer>> = {
  fafb: {
    bundle: () => 'fafb-v783',
    async run(job) {
      const { importFafb } = await import('../../systems/kernel/connectome/import/fafb/import-fafb.ts');
      const { summariseFafb } = await import('../../systems/kernel/connectome/import/fafb/summarise-fafb.ts');
      return summariseFafb(await importFafb(job));
    },
  },
  larva: {
    bundle: ({ unsigned }) => (parseUnsigned(unsigned) === 'local-inhibitory' ? 'larva-2023-inhibitory' : 'larva-2023'),
    async run({ folder, out, flags, onProgress }) {
      const { importLarva } = await import('../../systems/kernel/connectome/import/larva/import-larva.ts');
      const { summariseLarva } = await import('../../systems/kernel/connectome/import/larva/summarise-larva.ts');
      const report = await importLarva({
        folder,
        out,
        unsignedPolicy: parseUnsigned(flags.unsigned),
        onProgress: (phase) => onProgress({ phase, done: phase === 'done' ? 1 : 0, total: 1 }),
      });
      return summariseLarva(report);
    },
  },
  malecns: {
    // two thresholds are two graphs, so they get two folders
    bundle: ({ threshold }) =>
      parseThreshold(threshold) === 1 ? 'malecns-v1' : `malecns-v1-min${parseThreshold(threshold)}`,
    async run(job) {
      const { importMaleCns } = await import('../../systems/kernel/connectome/import/malecns/import-malecns.ts');
      const { summariseMaleCns } = await import('../../systems/kernel/connectome/import/malecns/summarise-malecns.ts');
      return summariseMaleCns(await importMaleCns({ ...job, threshold: parseThreshold(job.flags.threshold) }));
    },
  },
};

function parseThreshold(text = '1'): number {
  return parseWhole(text, '--threshold', 1, 32_767);
}

function parseUnsigned(text = 'excitatory'): 'excitatory' | 'local-inhibitory' | 'refuse' {
  if (text === 'excitatory' || text === 'local-inhibitory' || text === 'refuse') return text;
  throw new ConfigError('FLAG_VALUE', `--unsigned ${text} is not excitatory, local-inhibitory or refuse.`);
}

/** Builds a measured bundle from downloaded files. Ctrl-C ends it; the next run goes on where the files are the same. */
export async function connectomeImportCommand(source: string, folder: string, flags: Flags): Promise<void> {
  const importer = Object.hasOwn(IMPORTERS, source) ? IMPORTERS[source] : undefined;
  if (importer === undefined) {
    const known = Object.keys(IMPORTERS);
    const guess = nearest(source, known);
    const hint = guess === null ? `Known: ${known.join(', ')}.` : `Did you mean ${guess}?`;
    throw new ConfigError('IMPORT_SOURCE', `there is no importer for "${source}". ${hint}`);
  }
  const out = join(resolveHome(process.env).connectomes, importer.bundle(flags));
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
      flags,
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
