import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fetchCore } from '../../../../systems/environment/libretro/fetch-core.ts';
import type { RunProgram } from '../../../../systems/environment/libretro/fetch-core.ts';
import { locateCore } from '../../../../systems/environment/libretro/locate-core.ts';

const LIBRARY = process.platform === 'darwin' ? 'mgba_libretro.dylib' : 'mgba_libretro.so';
const PACKED = `usr/lib/x86_64-linux-gnu/libretro/${LIBRARY}`;

let root = '';
let coresFolder = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'fly-core-'));
});
beforeEach(async () => {
  coresFolder = await mkdtemp(join(root, 'cores-'));
});
afterAll(() => rm(root, { recursive: true }));

async function place(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'core');
  return path;
}

/** Stands for apt-get and dpkg: a package appears, and unpacks to what it holds. */
const fakePrograms =
  (holds: string): RunProgram =>
  async (program, parameters, folder) => {
    if (program === 'apt-get') await writeFile(join(folder, 'libretro-mgba_0.10.1_amd64.deb'), '');
    else await place(join(parameters[2]!, holds));
  };

test('the variable wins over the system, and the system over what was fetched', async () => {
  const named = await place(join(root, 'named.so'));
  const systemFolder = await mkdtemp(join(root, 'system-'));
  const system = await place(join(systemFolder, LIBRARY));
  const fetched = await place(join(coresFolder, 'libretro-mgba', PACKED));
  const locate = (variables: Record<string, string>, systemFolders: string[]) =>
    locateCore({ coresFolder, variables, systemFolders });
  expect(await locate({ FLY_MGBA_CORE: named }, [systemFolder])).toEqual({ path: named, source: 'FLY_MGBA_CORE' });
  expect(await locate({}, [systemFolder])).toEqual({ path: system, source: 'system' });
  expect(await locate({}, [])).toEqual({ path: fetched, source: 'fetched' });
});

test('no core anywhere is null, and a variable that names nothing is an error', async () => {
  expect(await locateCore({ coresFolder, variables: {}, systemFolders: [] })).toBeNull();
  await expect(
    locateCore({ coresFolder, variables: { FLY_MGBA_CORE: join(root, 'absent.so') }, systemFolders: [] }),
  ).rejects.toMatchObject({ name: 'ConfigError', code: 'CORE_PATH' });
});

test('fetching unpacks beside, then moves the whole folder in place and leaves nothing else', async () => {
  const lines: string[] = [];
  const report = (line: string): void => void lines.push(line);
  const found = await fetchCore({ coresFolder, report, runProgram: fakePrograms(PACKED) });
  expect(found).toEqual({ path: join(coresFolder, 'libretro-mgba', PACKED), source: 'fetched' });
  expect(await readdir(coresFolder)).toEqual(['libretro-mgba']);
  expect(lines).toHaveLength(2);
});

test('two fetches at once both end with the core in place', async () => {
  const fetch = () => fetchCore({ coresFolder, report: () => undefined, runProgram: fakePrograms(PACKED) });
  const [a, b] = await Promise.all([fetch(), fetch()]);
  expect(a).toEqual(b);
  expect(await readdir(coresFolder)).toEqual(['libretro-mgba']);
});

test.each<[string, RunProgram]>([
  ['a machine without apt', () => Promise.reject(Object.assign(new Error('spawn apt-get ENOENT'), { code: 'ENOENT' }))],
  ['a package without the core', fakePrograms('usr/share/doc/readme')],
])('%s gives one line with the remedy, and leaves no half core', async (_name, runProgram) => {
  const failure = await fetchCore({ coresFolder, report: () => undefined, runProgram }).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ name: 'DeviceError', code: 'CORE_MISSING' });
  expect((failure as Error).message).toContain('install the package libretro-mgba, or set FLY_MGBA_CORE');
  expect((failure as Error).message).not.toContain('\n');
  expect(await locateCore({ coresFolder, variables: {}, systemFolders: [] })).toBeNull();
  expect((await readdir(coresFolder)).filter((name) => name.startsWith('.'))).toEqual([]);
});
