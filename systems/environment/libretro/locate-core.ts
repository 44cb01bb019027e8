import { access, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../../engine/errors.ts';

export type LocateCoreOptions = {
  /** Folder of fetched cores, searched last. */
  readonly coresFolder: string;
  /** Read for FLY_MGBA_CORE; the process's own by default. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** Where distributions and front ends install cores; the usual places by default. */
  readonly systemFolders?: readonly string[];
};

/** Absolute path of one core library, and why that one. */
export type LocatedCore = { readonly path: string; readonly source: 'FLY_MGBA_CORE' | 'system' | 'fetched' };

/**
 * Finds the mGBA core: FLY_MGBA_CORE, then the system's folders, then `coresFolder`. Null when there is none.
 * @throws ConfigError CORE_PATH when FLY_MGBA_CORE names a file that is not there
 */
export async function locateCore(options: LocateCoreOptions): Promise<LocatedCore | null> {
  const { coresFolder, variables = process.env, systemFolders = await listSystemFolders() } = options;
  const named = variables.FLY_MGBA_CORE;
  if (named !== undefined && named !== '') {
    if (await exists(named)) return { path: named, source: 'FLY_MGBA_CORE' };
    throw new ConfigError('CORE_PATH', `FLY_MGBA_CORE is ${named}: there is no such file. Correct or unset it.`);
  }
  for (const folder of systemFolders) {
    const path = join(folder, coreFileName());
    if (await exists(path)) return { path, source: 'system' };
  }
  for (const folder of await listLibretroFolders(join(coresFolder, FETCHED_FOLDER, 'usr', 'lib'))) {
    const path = join(folder, coreFileName());
    if (await exists(path)) return { path, source: 'fetched' };
  }
  return null;
}

/** Folder inside `coresFolder` that holds the unpacked packages. */
export const FETCHED_FOLDER = 'libretro-mgba';

function coreFileName(): string {
  return process.platform === 'darwin' ? 'mgba_libretro.dylib' : 'mgba_libretro.so';
}

async function listSystemFolders(): Promise<string[]> {
  return [
    ...(await listLibretroFolders('/usr/lib')),
    '/usr/lib64/libretro',
    '/usr/local/lib/libretro',
    '/opt/homebrew/lib/libretro',
    join(homedir(), '.config', 'retroarch', 'cores'),
    join(homedir(), 'Library', 'Application Support', 'RetroArch', 'cores'),
  ];
}

/** `libretro` itself and Debian's `<architecture>/libretro`, in name order. */
async function listLibretroFolders(libraries: string): Promise<string[]> {
  const names = await readdir(libraries).catch(() => [] as string[]); // an absent folder holds no core
  const architectures = names.filter((name) => name.includes('-linux-')).sort();
  return [join(libraries, 'libretro'), ...architectures.map((name) => join(libraries, name, 'libretro'))];
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
