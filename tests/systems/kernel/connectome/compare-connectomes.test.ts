import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareConnectomes } from '../../../../systems/kernel/connectome/compare-connectomes.ts';
import type { ConnectomeComparison } from '../../../../systems/kernel/connectome/compare-connectomes.ts';
import { writeBundle } from '../../../../systems/kernel/connectome/write-bundle.ts';
import { temporaryFolder, toyGameParts, toyParts } from './toy-bundle.ts';

const SHORT = { warmupTicks: 60, measuredTicks: 60 };

async function compareToys(reportA: object = {}, reportB: object = {}): Promise<ConnectomeComparison> {
  const home = await temporaryFolder();
  const [a, b] = [join(home, 'a'), join(home, 'b')] as const;
  await writeBundle(a, { ...toyParts(), report: reportA });
  await writeBundle(b, { ...toyGameParts(), report: reportB });
  return compareConnectomes([a, b], SHORT);
}

const row = ({ rows }: ConnectomeComparison, section: string, label: string): unknown[] => {
  const found = rows.find((each) => each.section === section && each.label === label)!;
  return [found.a, found.b, found.ratio];
};

test('both sides, and the second over the first: counts of the toy graph of brain.md 1.8', async () => {
  const comparison = await compareToys();
  expect(row(comparison, 'size', 'neurons')).toEqual([4, 4, 1]);
  expect(row(comparison, 'size', 'directed pair edges')).toEqual([5, 5, 1]);
  expect(row(comparison, 'size', 'retina columns')).toEqual([0, 2, null]);
  expect(row(comparison, 'out-degree', 'max')).toEqual([3, 3, 1]);
  expect(row(comparison, 'signs', 'negative edges')).toEqual([0.2, 0.2, 1]);
  expect(row(comparison, 'signs', 'neurons, outputs of both signs')).toEqual([0.25, 0.25, 1]);
  expect(row(comparison, 'population sizes', 'mbon')).toEqual([2, 2, 1]);
});

test('a population that only one side has is missing on the other, not zero', async () => {
  const comparison = await compareToys();
  expect(row(comparison, 'population sizes', 'reward_pam')).toEqual([null, 1, null]);
  expect(row(comparison, 'mean rate after 60 ticks', 'reward_pam')).toEqual([null, expect.any(Number), null]);
});

test('transmitters labelled per connection and per neuron never share a row (brain.md 14.9)', async () => {
  const comparison = await compareToys(
    { connections: { transmitterRows: { ACH: 3, GABA: 1 } } },
    { transmitters: { labels: { ACH: 1, GABA: 1 } } },
  );
  expect(row(comparison, 'transmitters, of connection rows', 'ACH')).toEqual([0.75, null, null]);
  expect(row(comparison, 'transmitters, of neurons', 'ACH')).toEqual([null, 0.5, null]);
  const same = await compareToys(
    { transmitters: { labels: { ACH: 3, GABA: 1 } } },
    { transmitters: { labels: { ACH: 1, GABA: 1 } } },
  );
  expect(row(same, 'transmitters, of neurons', 'GABA')).toEqual([0.25, 0.5, 2]);
});

test('without transmitters there is no row about them', async () => {
  const { rows } = await compareToys();
  expect(rows.some(({ section }) => section.startsWith('transmitters'))).toBe(false);
});

test('a brain runs under the constants its importer suggests, and the profile says so', async () => {
  const quiet = { suggestedParameters: { noiseKicks: 0, synapseScale: 0.004, unrelated: 3 } };
  const { a, b } = await compareToys(quiet, {});
  expect(a.parameters).toEqual({ noiseKicks: 0, synapseScale: 0.004 });
  expect(a.activity.populationHz).toBeLessThan(50);
  expect(b.parameters).toEqual({});
  expect(b.activity.populationHz).toBeGreaterThan(300);
});

test('a report that is not JSON is refused by name', async () => {
  const home = await temporaryFolder();
  await writeBundle(join(home, 'a'), toyParts());
  await writeFile(join(home, 'a', 'report.json'), '{');
  await expect(compareConnectomes([join(home, 'a'), join(home, 'a')], SHORT)).rejects.toMatchObject({
    code: 'BUNDLE_META',
  });
});
