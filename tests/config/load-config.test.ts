import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkFile, listShows, loadConfig, loadSecrets, loadShow } from '../../config/load-config.ts';

async function homeWith(files: Readonly<Record<string, string>>): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'fly-config-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(home, name), text, { mode: 0o600 });
  return home;
}
const load = async (
  toml: string,
  environment: Record<string, string> = {},
  overrides: Record<string, unknown> = {},
): Promise<Awaited<ReturnType<typeof loadConfig>>> =>
  loadConfig({ home: await homeWith({ 'config.toml': toml }), environment, overrides });

test('flags win over the environment, it over the own file, and that over the defaults (architecture 10)', async () => {
  const own = 'seed = "2"\n[control]\nport = 7000\n[picture]\nfps = 25\n';
  const config = await load(own, { FLY_SEED: '3', FLY_PORT: '7001' }, { 'control.port': 7002 });
  expect([config.seed, config.control.port, config.picture.fps, config.picture.size]).toEqual(['3', 7002, 25, '720p']);
});

test('an unknown key is refused with file, key and the nearest known one', async () => {
  await expect(load('[encoder]\nvideo_kpbs = 6000\n')).rejects.toThrow(
    /config\.toml: unknown key encoder\.video_kpbs\. Did you mean video_kbps\?/,
  );
});

test('a value out of range is refused with file and key', async () => {
  await expect(load('[picture]\nfps = 500\n')).rejects.toMatchObject({ code: 'CONFIG_VALUE' });
  await expect(load('', { FLY_PORT: '70000' })).rejects.toThrow(/FLY_PORT: control\.port/);
});

test('a file that is not TOML is refused with its line', async () => {
  await expect(load('seed = "1"\nfps == 3\n')).rejects.toThrow(/config\.toml:2 is not TOML/);
});

test('an unknown show is refused with the nearest known one', async () => {
  await expect(loadShow('windfal', '/nowhere')).rejects.toThrow('there is no show windfal. Did you mean windfall?');
});

test('an operator adds a show in the home folder; its id must be its file name', async () => {
  const home = await homeWith({});
  await mkdir(join(home, 'shows'));
  const shipped = await readFile('config/shows/windfall.toml', 'utf8');
  await writeFile(join(home, 'shows', 'mine.toml'), shipped.replace('id = "windfall"', 'id = "mine"'));
  await writeFile(join(home, 'shows', 'other.toml'), shipped);
  expect(await listShows(home)).toEqual(expect.arrayContaining(['mine', 'other', 'windfall']));
  expect((await loadShow('mine', home)).task.name).toBe('windfall');
  await expect(loadShow('other', home)).rejects.toThrow(/id is windfall; a show's id is its file name, other/);
});

test('every show of config/shows is valid', async () => {
  for (const name of await listShows('/nowhere')) expect((await loadShow(name, '/nowhere')).id).toBe(name);
});

test('a secrets file that others can read is refused with the remedy', async () => {
  const home = await homeWith({ 'secrets.toml': 'twitch_stream_key = "live_1"\n' });
  await chmod(join(home, 'secrets.toml'), 0o644);
  await expect(loadSecrets({ home, environment: {} })).rejects.toMatchObject({ code: 'SECRETS_MODE' });
  await chmod(join(home, 'secrets.toml'), 0o600);
  expect(await loadSecrets({ home, environment: {} })).toEqual({ twitch_stream_key: 'live_1' });
});

test('TWITCH_STREAM_KEY in the environment wins over the file', async () => {
  const home = await homeWith({ 'secrets.toml': 'twitch_stream_key = "file"\n' });
  expect(await loadSecrets({ home, environment: { TWITCH_STREAM_KEY: 'env' } })).toEqual({ twitch_stream_key: 'env' });
});

test('a file with agents is checked as a show', async () => {
  const home = await homeWith({ 'a.toml': 'id = "a"\nagents = []\n' });
  await expect(checkFile(join(home, 'a.toml'))).rejects.toMatchObject({ code: 'CONFIG_VALUE' });
  expect(await checkFile('config/shows/windfall.toml')).toBe('show');
  expect(await checkFile('config/default.toml')).toBe('config');
});

test('flies stand in the order of their ids, whatever the order of the file: index 0 is the same fly everywhere', async () => {
  const shipped = await readFile('config/shows/two-fly.toml', 'utf8');
  const home = await homeWith({});
  await mkdir(join(home, 'shows'));
  const swapped = shipped.replace('"fly-a"', '"fly-c"');
  await writeFile(join(home, 'shows', 'two-fly.toml'), swapped);
  const { agents } = await loadShow('two-fly', home);
  expect(agents.map(({ id, port }) => [id, port])).toEqual([
    ['fly-b', 'player-2'],
    ['fly-c', 'player-1'],
  ]);
});

test('a show may declare that flies share a seed; anything but true or false is refused (session.md 3.3)', async () => {
  const shipped = await readFile('config/shows/two-fly.toml', 'utf8');
  const home = await homeWith({});
  await mkdir(join(home, 'shows'));
  const file = join(home, 'shows', 'two-fly.toml');
  expect((await loadShow('two-fly', home)).equal_seeds).toBeUndefined();
  await writeFile(file, `equal_seeds = true\n${shipped}`);
  expect((await loadShow('two-fly', home)).equal_seeds).toBe(true);
  await writeFile(file, `equal_seeds = "yes"\n${shipped}`);
  await expect(loadShow('two-fly', home)).rejects.toThrow(/two-fly\.toml: equal_seeds/);
});
