import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { compareTraceFiles, openTraceWriter } from '../../../systems/media/trace-file.ts';
import type { TraceHeader } from '../../../systems/media/trace-file.ts';
import { openTestMatch } from '../../fixture/test-match.ts';
import type { TestMatch } from '../../fixture/test-match.ts';

const HEADER: TraceHeader = {
  form: 'fly-trace-v1',
  release: '0.0.0',
  runtime: 'v24',
  showId: 'counter',
  taskId: 'counter-race',
  stepNs: '50000000/3',
  world: { kind: 'counter', backend: '', content: '' },
  agents: ['fly-a', 'fly-b'].map((agentId, i) => ({
    agentId,
    portId: `p0${i + 1}`,
    seed: i + 1,
    kernel: '',
    plasticity: '',
    connectome: '',
  })),
};

const folder = mkdtempSync(join(tmpdir(), 'fly-trace-'));
let opened: TestMatch[] = [];

afterEach(async () => {
  for (const match of opened) await match.close();
  opened = [];
});

async function record(name: string, steps: number, disturb?: (match: TestMatch) => Promise<void>): Promise<string> {
  const path = join(folder, name);
  const match = await openTestMatch();
  opened.push(match);
  await match.run(10);
  await disturb?.(match);
  await match.run(steps - 10);
  const writer = openTraceWriter(path, HEADER);
  for (const step of match.steps) writer.write(step);
  writer.close();
  return path;
}

test('two runs of one seed compare equal to the end, and their last digests are the same', async () => {
  const [a, b] = [await record('a.jsonl', 40), await record('b.jsonl', 40)];
  expect(await compareTraceFiles(a, b)).toMatchObject({ equalSteps: 40, difference: null, endsFirst: null });
  expect(readFileSync(a, 'utf8')).toBe(readFileSync(b, 'utf8'));
});

test('a pulse given to one fly shows as the first spikes it changed, with step, system and agent', async () => {
  const a = await record('plain.jsonl', 40);
  const b = await record('sugar.jsonl', 40, (match) => {
    const request = { by: 'a', source: 'operator' as const, durationMs: 200, agentId: 'fly-b' };
    match.world.commands.push({ kind: 'sugar', request, answer: () => undefined });
    return Promise.resolve();
  });
  const { equalSteps, difference } = await compareTraceFiles(a, b);
  expect(equalSteps).toBe(10);
  expect(difference).toMatchObject({ step: 11, system: 'advanceBrains', agentId: 'fly-b', field: 'spikes' });
  expect(difference!.all).not.toContain('fly-a.spikes');
});

test('a run that goes on longer is told from one that differs', async () => {
  const [a, b] = [await record('long.jsonl', 30), await record('short.jsonl', 20)];
  expect(await compareTraceFiles(a, b)).toMatchObject({ equalSteps: 20, difference: null, endsFirst: 'b' });
});

test.each<[string, (text: string) => string, number]>([
  ['cut off in the middle of a line', (text) => text.slice(0, -40), 12],
  ['changed in one field', (text) => text.replace('"spikeCount":', '"spikeCount":1'), 2],
  ['missing a line', (text) => text.replace(/\n\{"digest":"[0-9a-f]+","step":5,.*/, ''), 6],
  ['of another form', (text) => text.replace('fly-trace-v1', 'fly-trace-v9'), 1],
])('a trace %s is refused with its line', async (_, damage, line) => {
  const path = await record('good.jsonl', 11);
  const bad = join(folder, 'bad.jsonl');
  writeFileSync(bad, damage(readFileSync(path, 'utf8')));
  await expect(compareTraceFiles(path, bad)).rejects.toMatchObject({
    code: 'TRACE_FORMAT',
    message: expect.stringContaining(`bad.jsonl line ${line}:`) as string,
  });
});

test('a trace that is not there is refused by its name', async () => {
  const path = await record('one.jsonl', 11);
  await expect(compareTraceFiles(path, join(folder, 'none.jsonl'))).rejects.toMatchObject({ code: 'TRACE_FORMAT' });
});

test('a folder that cannot be written is refused before anything runs', () => {
  expect(() => openTraceWriter(join(folder, 'no', 'such', 'place'), HEADER)).toThrow(
    expect.objectContaining({ code: 'TRACE_FILE' }),
  );
});
