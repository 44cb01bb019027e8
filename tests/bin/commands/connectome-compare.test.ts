import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatComparison, toChart } from '../../../bin/commands/connectome-compare.ts';
import { compareConnectomes } from '../../../systems/kernel/connectome/compare-connectomes.ts';
import type { ConnectomeComparison } from '../../../systems/kernel/connectome/compare-connectomes.ts';
import { writeBundle } from '../../../systems/kernel/connectome/write-bundle.ts';
import { temporaryFolder, toyGameParts, toyParts } from '../../systems/kernel/connectome/toy-bundle.ts';

async function compareToys(): Promise<ConnectomeComparison> {
  const home = await temporaryFolder();
  await writeBundle(join(home, 'a'), toyParts());
  await writeBundle(join(home, 'b'), toyGameParts());
  return compareConnectomes([join(home, 'a'), join(home, 'b')], { warmupTicks: 30, measuredTicks: 30 });
}

test('the table names both wirings with origin and credit, and keeps its columns aligned', async () => {
  const text = formatComparison(await compareToys());
  expect(text).toMatch(/^A {2}Toy: measured wiring, identity [0-9a-f]{16}$/m);
  expect(text).toContain('kernel constants: defaults');
  expect(text).toMatch(/^ {2}directed pair edges +5 +5 +1\.00$/m);
  expect(text).toMatch(/^ {2}retina columns +0 +2 +-$/m);
  const table = text
    .split('\n')
    .slice(7)
    .filter((line) => line !== '');
  expect(new Set(table.map((line) => line.length)).size).toBe(1);
});

test('the picture gets the figures of the table and only populations large enough to have a rate', async () => {
  const chart = toChart(await compareToys());
  expect(chart.facts.map(({ label }) => label)).toContain('reciprocal edges');
  expect(chart.rates.map(({ label }) => label)).toEqual(['all neurons']); // toy populations have one or two neurons
  expect(chart.sides[0]).toMatchObject({ name: 'Toy', origin: 'measured wiring', neurons: 4, edges: 5 });
});
