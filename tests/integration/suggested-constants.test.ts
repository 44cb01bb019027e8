import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSummary, runFly, scratchFolder, testHome } from '../fixture/fly-process.ts';

test('a show runs a brain under the kernel constants its importer suggests, and says so', async () => {
  const shared = await testHome();
  const home = scratchFolder();
  const twin = join(home, 'connectomes', 'twin-seed1');
  const calm = join(home, 'connectomes', 'calm');
  symlinkSync(join(shared, 'cores'), join(home, 'cores'));
  mkdirSync(join(home, 'connectomes'));
  symlinkSync(join(shared, 'connectomes', 'twin-seed1'), twin);
  cpSync(twin, calm, { recursive: true, dereference: true });
  const report = JSON.parse(readFileSync(join(calm, 'report.json'), 'utf8')) as object;
  writeFileSync(join(calm, 'report.json'), JSON.stringify({ ...report, suggestedParameters: { synapseScale: 0.001 } }));
  const windfall = readFileSync(new URL('../../config/shows/windfall.toml', import.meta.url), 'utf8');
  mkdirSync(join(home, 'shows'));
  writeFileSync(join(home, 'shows', 'calm.toml'), windfall.replace('"windfall"', '"calm"').replace('"twin"', '"calm"'));
  const rateOf = async (show: string): Promise<{ hz: number; output: string }> => {
    const summary = join(scratchFolder(), 'summary.json');
    const flags = ['--no-picture', '--unthrottled', '--fresh', '--local', '--port', '0', '--transitions', '60'];
    const { code, output } = await runFly(['live', show, ...flags, '--summary', summary], { FLY_HOME: home });
    expect(code, output).toBe(0);
    return { hz: readSummary(summary).meanRateHz['fly-a']!, output };
  };
  const plain = await rateOf('windfall');
  const suggested = await rateOf('calm');
  expect(plain.output).not.toContain('as its importer suggests');
  expect(suggested.output).toContain('synapseScale 0.001, as its importer suggests');
  expect(suggested.hz).toBeLessThan(plain.hz);
}, 120_000);
