import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readSummary, runFly, scratchFolder, testHome } from '../fixture/fly-process.ts';

let home: string;

beforeAll(async () => {
  home = await testHome('control-run');
});

async function play(learning: string): Promise<{ digest: string; output: string }> {
  const summary = join(scratchFolder(), 'summary.json');
  const flags = ['--no-picture', '--unthrottled', '--fresh', '--port', '0', '--transitions', '200', '--seed', '5'];
  const { code, output } = await runFly(['live', '--local', ...flags, '--learning', learning, '--summary', summary], {
    FLY_HOME: home,
  });
  expect(code).toBe(0);
  return { digest: readSummary(summary).behaviourDigest, output };
}

test('a control run says what it is on the terminal and in the event log, and behaves differently once rewarded', async () => {
  const learning = await play('on');
  const frozen = await play('frozen');
  const shuffled = await play('shuffled');
  expect(learning.output).not.toContain('control run');
  expect(frozen.output).toContain('control run: learning is frozen, rewards change no synapse');
  expect(shuffled.output).toContain('control run: every reward has a coin-flip sign');
  expect(readFileSync(join(home, 'logs', 'events.jsonl'), 'utf8')).toContain('control run: learning is frozen');
  expect(new Set([learning.digest, frozen.digest, shuffled.digest]).size).toBe(3);
}, 120_000);

test('another word after --learning is refused with the known ones', async () => {
  const { code, output } = await runFly(['live', '--learning', 'wild'], { FLY_HOME: home });
  expect(code).toBe(2);
  expect(output).toMatch(/on, frozen, shuffled/);
});
