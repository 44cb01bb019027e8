import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { writeBundle } from '../../systems/kernel/connectome/write-bundle.ts';
import { toyGameParts, toyParts } from '../systems/kernel/connectome/toy-bundle.ts';
import { runFly, scratchFolder } from '../fixture/fly-process.ts';

let home: string;

beforeAll(async () => {
  home = scratchFolder();
  await writeBundle(join(home, 'connectomes', 'toy'), toyParts());
  await writeBundle(join(home, 'connectomes', 'toy-g'), toyGameParts());
});

test('fly connectome compare prints the table and draws a PNG', async () => {
  const png = join(home, 'comparison.png');
  const { code, output } = await runFly(['connectome', 'compare', 'toy', 'toy-g', '--png', png], { FLY_HOME: home });
  expect(code).toBe(0);
  expect(output).toMatch(/^ {2}directed pair edges +5 +5 +1\.00$/m);
  expect(output).toContain(`drawn to ${png}`);
  expect(readFileSync(png).subarray(1, 4).toString('latin1')).toBe('PNG');
});

test('fly connectome compare --json gives both profiles and the rows; a path names a bundle too', async () => {
  const path = join(home, 'connectomes', 'toy');
  const { code, output } = await runFly(['connectome', 'compare', path, 'toy-g', '--json'], { FLY_HOME: home });
  expect(code).toBe(0);
  expect(Object.keys(JSON.parse(output) as object)).toEqual(['a', 'b', 'rows']);
});

test('a wiring that is not there is refused with the nearest name', async () => {
  const { code, output } = await runFly(['connectome', 'compare', 'toy', 'toy-f'], { FLY_HOME: home });
  expect(code).toBe(2);
  expect(output).toMatch(/CONNECTOME_NAME: .*toy-f\. Did you mean toy-?g?\?/);
});

test('fly connectome rewire writes the control beside its original and says what it is', async () => {
  const { code, output } = await runFly(['connectome', 'rewire', 'toy', '--seed', '4'], { FLY_HOME: home });
  expect(code).toBe(0);
  expect(output).toContain('a rewired control, not a measured wiring');
  const { output: list } = await runFly(['connectome', 'list'], { FLY_HOME: home });
  expect(list).toMatch(/^toy-rewired-seed4: Rewired control of Toy \(rewired\), 4 neurons, 5 edges/m);
});

test('fly connectome verify --probe warns of a brain whose readout does not notice the picture', async () => {
  const { code, output } = await runFly(['connectome', 'verify', 'toy', '--probe'], { FLY_HOME: home });
  expect(code).toBe(0);
  expect(output).toMatch(/^sound /m);
  expect(output).toMatch(/^WARNING .*does NOT reach the readout.*no retina columns/m);
});
