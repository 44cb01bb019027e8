import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DeviceError } from '../../../engine/errors.ts';
import { FETCHED_FOLDER, locateCore } from './locate-core.ts';
import type { LocatedCore } from './locate-core.ts';

export type FetchCoreOptions = {
  readonly coresFolder: string;
  readonly report: (line: string) => void;
  /** Runs one program in a folder and rejects when it fails; the real one by default. */
  readonly runProgram?: RunProgram;
};

export type RunProgram = (program: string, parameters: readonly string[], folder: string) => Promise<void>;

/** Debian's packages of the core and of the one library it needs that a bare system may lack. */
const PACKAGES = ['libretro-mgba', 'libinih1'];
const FETCH_TIMEOUT_MS = 120_000;

/**
 * Fetches the mGBA core from Debian's archive and unpacks it below `coresFolder`, without root and without its front
 * end. The folder appears complete or not at all.
 * @throws DeviceError CORE_MISSING with the remedy, when this machine has no apt, no archive or no network
 */
export async function fetchCore(options: FetchCoreOptions): Promise<LocatedCore> {
  const { coresFolder, report, runProgram = runSystemProgram } = options;
  await mkdir(coresFolder, { recursive: true });
  const work = await mkdtemp(join(coresFolder, '.fetch-'));
  try {
    report(`mGBA core: not on this machine; downloading ${PACKAGES.join(' and ')} (0.4 MB) into ${coresFolder}`);
    await runProgram('apt-get', ['download', '--quiet', ...PACKAGES], work);
    const root = join(work, 'root');
    for (const name of await readdir(work)) {
      if (name.endsWith('.deb')) await runProgram('dpkg', ['-x', name, root], work);
    }
    await putInPlace(root, join(coresFolder, FETCHED_FOLDER));
  } catch (cause) {
    throw coreMissing(cause);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  const found = await locateCore({ coresFolder, variables: {}, systemFolders: [] });
  if (found === null) throw coreMissing(new Error('the downloaded package holds no core'));
  report(`mGBA core: ${found.path}`);
  return found;
}

/** The located core, or the fetched one. @throws ConfigError CORE_PATH; DeviceError CORE_MISSING */
export async function provideCore(options: FetchCoreOptions): Promise<LocatedCore> {
  return (await locateCore({ coresFolder: options.coresFolder })) ?? (await fetchCore(options));
}

/** A second process may have been faster: what it put there is as good. */
async function putInPlace(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
}

function coreMissing(cause: unknown): DeviceError {
  const lines = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  const reason = lines.find((line) => line.startsWith('E: ')) ?? lines[0]!; // apt's own words come after the command
  return new DeviceError(
    'CORE_MISSING',
    `no mGBA libretro core on this machine and none could be fetched (${reason}). Run apt-get update and try again, install the package libretro-mgba, ` +
      'or set FLY_MGBA_CORE to the path of mgba_libretro.so.',
    { cause },
  );
}

const execFileAsync = promisify(execFile);

const runSystemProgram: RunProgram = async (program, parameters, folder) => {
  await execFileAsync(program, [...parameters], { cwd: folder, timeout: FETCH_TIMEOUT_MS });
};
