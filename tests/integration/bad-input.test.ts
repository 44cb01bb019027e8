import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { cpSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runFly, scratchFolder, testHome } from '../fixture/fly-process.ts';

const WINDFALL = 'assets/games/windfall/windfall.gb';
let twinHome: string;

beforeAll(async () => {
  twinHome = await testHome();
});

/** A home of its own whose brain and core are those of the test machine. */
function homeWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const home = scratchFolder();
  symlinkSync(join(twinHome, 'cores'), join(home, 'cores'));
  mkdirSync(join(home, 'connectomes'));
  symlinkSync(join(twinHome, 'connectomes', 'twin-seed1'), join(home, 'connectomes', 'twin-seed1'));
  mkdirSync(join(home, 'shows'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(home, name), content, { mode: 0o600 });
  return home;
}

/** The shipped show under another name, with other content or another brain. */
function showFile(id: string, content: string, connectome = 'twin'): string {
  return readFileSync('config/shows/windfall.toml', 'utf8')
    .replace('id = "windfall"', `id = "${id}"`)
    .replace(/content = .*/, `content = ${JSON.stringify(content)}`)
    .replace('connectome = "twin"', `connectome = "${connectome}"`);
}

async function refusal(
  args: readonly string[],
  home: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; line: string }> {
  const live = ['live', '--no-picture', '--local', '--transitions', '5', '--port', '0'];
  const { code, output } = await runFly(args[0] === 'live' ? [...live, ...args.slice(1)] : args, {
    FLY_HOME: home,
    ...environment,
  });
  const line = output.split('\n').find((text) => /^fly: [A-Za-z]/.test(text)) ?? output;
  return { code, line };
}

test('an unknown show names the nearest one and ends with 2', async () => {
  expect(await refusal(['live', 'windfal'], homeWith({}))).toEqual({
    code: 2,
    line: 'fly: SHOW_UNKNOWN: there is no show windfal. Did you mean windfall?',
  });
});

test.each([
  [['live', '--recrod', 'x'], "fly: unknown option '--recrod'. Did you mean --record?"],
  [['lvie'], "fly: unknown command 'lvie'. Did you mean live?"],
  [['live', '--for', 'soon'], 'fly: FLAG_VALUE: "soon" is no duration. Write it like 60s, 10m or 2h.'],
  [['live', '--fps', '500'], 'fly: FLAG_VALUE: --fps 500 is not a whole number from 10 to 60.'],
  [
    ['live', '--learning', 'sideways'],
    "fly: option '--learning <mode>' argument 'sideways' is invalid. Allowed choices are on, frozen, shuffled. Run ./fly --help.",
  ],
  [['live', '--seed', '-1'], /seed: must be a whole number/],
  [
    ['live', '--record', 'x', '--rtmp', 'rtmp://127.0.0.1/live/x'],
    'fly: FLAG_CONFLICT: --no-picture draws nothing, so --record and --rtmp would get nothing. Leave one of them out.',
  ],
])('%j is wrong use: one line, exit 2', async (args, line) => {
  const result = await refusal(args, homeWith({}));
  expect(result.code).toBe(2);
  if (typeof line === 'string') expect(result.line).toBe(line);
  else expect(result.line).toMatch(line);
});

test('an uplink that is no RTMP address is refused by its scheme', async () => {
  const { code, output } = await runFly(['live', '--local', '--port', '0', '--rtmp', 'http://example.org/live'], {
    FLY_HOME: homeWith({}),
  });
  expect(code).toBe(2);
  expect(output).toMatch(/^fly: RTMP_URL: /m);
});

test('a configuration file with an unknown key names file, key and the nearest key', async () => {
  const home = homeWith({ 'config.toml': '[control]\nprot = 7000\n' });
  const { code, line } = await refusal(['live'], home);
  expect(code).toBe(2);
  expect(line).toMatch(/^fly: CONFIG_KEY: .*config\.toml: unknown key control\.prot\. Did you mean port\?$/);
});

const rom = (): Buffer => readFileSync(WINDFALL);
const damagedRoms: readonly (readonly [string, () => Uint8Array, RegExp])[] = [
  ['damaged', () => Buffer.from(rom().map((byte, at) => (at === 0x140 ? byte ^ 0xff : byte))), /ROM_/],
  ['truncated', () => rom().subarray(0, 20_000), /ROM_/],
  ['empty', () => Buffer.alloc(0), /ROM_/],
  ['a Game Boy Advance ROM', () => gbaRom(), /Game Boy Advance/],
];

test.each(damagedRoms)(
  'a cartridge that is %s is refused before any core or brain is touched',
  async (_, make, line) => {
    const home = homeWith({ 'bad.gb': make() });
    writeFileSync(join(home, 'shows', 'bad.toml'), showFile('bad', join(home, 'bad.gb')));
    const result = await refusal(['live', 'bad'], home);
    expect(result.code).toBe(1);
    expect(result.line).toMatch(line);
    expect(result.line).toContain('bad.gb');
  },
);

test('another cartridge than the task knows is refused with both digests', async () => {
  const other = rom();
  other[0x14c] = other[0x14c]! + 1; // another version number, with a header that is right again
  other[0x14d] = other[0x14d]! - 1;
  const home = homeWith({ 'other.gb': other });
  writeFileSync(join(home, 'shows', 'other.toml'), showFile('other', join(home, 'other.gb')));
  const { code, line } = await refusal(['live', 'other'], home);
  expect(code).toBe(2);
  expect(line).toMatch(/TASK_CONTENT: .*other\.gb has SHA-256 [0-9a-f]{64}; task windfall-v1 knows [0-9a-f]{64}/);
});

test('a damaged bundle is refused by file and the remedy is named', async () => {
  const home = homeWith({});
  const broken = join(home, 'connectomes', 'broken');
  cpSync(join(twinHome, 'connectomes', 'twin-seed1'), broken, { recursive: true, dereference: true });
  truncateSync(join(broken, 'weights.binz'), 1_000);
  writeFileSync(join(home, 'shows', 'broken.toml'), showFile('broken', join(process.cwd(), WINDFALL), 'broken'));
  const { code, line } = await refusal(['live', 'broken'], home);
  expect(code).toBe(1);
  expect(line).toMatch(/BUNDLE_\w+: .*weights\.binz/);
});

test('a busy port is named with a way out', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { code, output } = await runFly(
    ['live', '--no-picture', '--local', '--transitions', '5', '--port', String(port)],
    {
      FLY_HOME: homeWith({}),
    },
  );
  server.close();
  expect(code).toBe(2);
  expect(output).toMatch(new RegExp(`CONTROL_PORT: .*${port}.*--port`));
});

test('a core that is not there is named with a way out', async () => {
  const { code, line } = await refusal(['live'], homeWith({}), { FLY_MGBA_CORE: '/nowhere/mgba_libretro.so' });
  expect(code).toBeGreaterThan(0);
  expect(line).toMatch(/CORE_\w+: .*\/nowhere\/mgba_libretro\.so/);
});

test('a home that cannot be made is named', async () => {
  const file = join(scratchFolder(), 'file');
  writeFileSync(file, '');
  const { code, line } = await refusal(['live'], join(file, 'home'));
  expect(code).toBe(2);
  expect(line).toMatch(/cannot be (made|read)/);
});

test('a secrets file that others can read is refused with the remedy', async () => {
  const home = homeWith({});
  writeFileSync(join(home, 'secrets.toml'), 'twitch_stream_key = "live_42"\n', { mode: 0o644 });
  const { code, line } = await refusal(['live'], home);
  expect(code).toBe(2);
  expect(line).toMatch(/SECRETS_MODE: .*chmod 600/);
  expect(line).not.toContain('live_42');
});

/** 192 bytes of header with the fixed byte and a right checksum, the rest empty. */
function gbaRom(): Uint8Array {
  const bytes = new Uint8Array(32_768);
  bytes.set([0x2e, 0x00, 0x00, 0xea]);
  bytes.set(new TextEncoder().encode('TESTGAME'), 0xa0);
  bytes[0xb2] = 0x96;
  let sum = 0;
  for (let at = 0xa0; at <= 0xbc; at++) sum = (sum - bytes[at]!) & 0xff;
  bytes[0xbd] = (sum - 0x19) & 0xff;
  return bytes;
}
