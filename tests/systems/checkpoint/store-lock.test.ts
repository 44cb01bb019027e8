import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockStore } from '../../../systems/checkpoint/store-lock.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'fly-lock-'));

test('a store that is held is refused with the number of the process that has it', () => {
  const root = folder();
  const lock = lockStore(root);
  expect(() => lockStore(root)).toThrow(expect.objectContaining({ code: 'STORE_LOCKED' }));
  expect(() => lockStore(root)).toThrow(`process ${process.pid}`);
  lock.release();
  lockStore(root).release();
  expect(readdirSync(root)).toEqual([]);
});

test.each([
  ['a process that ended', JSON.stringify({ pid: 2 ** 22 - 3, startedTicks: '1' })],
  ['a number that belongs to another process now', JSON.stringify({ pid: process.pid, startedTicks: '1' })],
  ['a lock cut short by a crash', '{"pid":'],
])('the lock of %s is taken over', (_what, text) => {
  const root = folder();
  writeFileSync(join(root, 'lock'), text);
  const lock = lockStore(root);
  expect(readdirSync(root)).toEqual(['lock']);
  expect(() => lockStore(root)).toThrow(`process ${process.pid}`);
  lock.release();
});

test('a process that was killed leaves a lock that the next one takes', async () => {
  const root = folder();
  const program = new URL('../../../systems/checkpoint/store-lock.ts', import.meta.url).href;
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `(await import('${program}')).lockStore('${root}'); console.log('held'); setInterval(() => 0, 1000)`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await new Promise((resolve) => child.stdout.once('data', resolve));
  expect(() => lockStore(root)).toThrow(`process ${child.pid!}`);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  const lock = lockStore(root);
  lock.release();
  expect(existsSync(join(root, 'lock'))).toBe(false);
});

test('a lock that somebody else took over is not released by its first holder', () => {
  const root = folder();
  const lock = lockStore(root);
  const other = JSON.stringify({ pid: 1, startedTicks: '1' });
  writeFileSync(join(root, 'lock'), other);
  lock.release();
  expect(existsSync(join(root, 'lock'))).toBe(true);
});
