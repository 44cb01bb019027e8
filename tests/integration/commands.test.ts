import { beforeAll, expect, test } from 'vitest';
import { runFly, scratchFolder, testHome } from '../fixture/fly-process.ts';

let home: string;

beforeAll(async () => {
  home = await testHome();
});

test('fly paths prints where state lives, outside the checkout', async () => {
  const { code, output } = await runFly(['paths'], { FLY_HOME: home });
  expect(code).toBe(0);
  expect(output.split('\n')[0]).toBe(`home         ${home}`);
  expect(output).not.toContain(process.cwd());
});

test('fly schedule prints the tick with every system and its contract', async () => {
  const { code, output } = await runFly(['schedule'], { FLY_HOME: home });
  expect(code).toBe(0);
  expect(output).toMatch(/advanceBrains +\[6, 8\] +awaits kernel \| reads/);
  expect(output.indexOf('advanceBrains')).toBeLessThan(output.indexOf('advanceEnvironment'));
});

test('fly connectome list and verify name the twin as grown, never as measured', async () => {
  const list = await runFly(['connectome', 'list'], { FLY_HOME: home });
  expect(list.output).toMatch(/^twin-seed1: Grown twin.*\(grown\), 139,255 neurons, 2,700,513 edges/m);
  const verify = await runFly(['connectome', 'verify'], { FLY_HOME: home });
  expect(verify.code).toBe(0);
  expect(verify.output).toMatch(/^sound .*identity [0-9a-f]{64}/m);
});

test('fly connectome list of an empty home says how to get one', async () => {
  const { code, output } = await runFly(['connectome', 'list'], { FLY_HOME: scratchFolder() });
  expect(code).toBe(0);
  expect(output).toContain('./fly connectome grow');
});

test('fly rom says what our cartridge is and which show plays it', async () => {
  const { code, output } = await runFly(['rom', 'assets/games/windfall/windfall.gb'], { FLY_HOME: home });
  expect(code).toBe(0);
  expect(output).toMatch(/title +WINDFALL/);
  expect(output).toMatch(/shows +windfall/);
});

test('fly rom of something else says what it looks like and fails', async () => {
  const { code, output } = await runFly(['rom', 'package.json'], { FLY_HOME: home });
  expect(code).toBe(1);
  expect(output).toMatch(/fly: ROM_\w+: /);
});

test('fly config check prints the effective configuration and masks the key', async () => {
  const { code, output } = await runFly(['config', 'check'], { FLY_HOME: home, TWITCH_STREAM_KEY: 'live_7654321' });
  expect(code).toBe(0);
  expect(output).toContain('"twitch_stream_key": "<set>"');
  expect(output).not.toContain('live_7654321');
});

test('fly doctor --json lists what is there and fails when something needed is missing', async () => {
  const { output } = await runFly(['doctor', '--json'], { FLY_HOME: home, FLY_PORT: '0' });
  const findings = JSON.parse(output.slice(output.indexOf('['), output.lastIndexOf(']') + 1)) as {
    name: string;
    state: string;
  }[];
  const stateOf = (name: string): string | undefined => findings.find((finding) => finding.name === name)?.state;
  expect(stateOf('encoder')).toBe('ok');
  expect(stateOf('cartridge')).toBe('ok');
  expect(stateOf('connectome')).toBe('ok');
  const bad = await runFly(['doctor'], { FLY_HOME: home, FLY_SHOW: 'nothing' });
  expect(bad.code).toBe(1);
  expect(bad.output).toContain('not ready: configuration');
});
