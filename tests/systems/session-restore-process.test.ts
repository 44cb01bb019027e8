import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCheckpoints, readCheckpoint } from '../../systems/checkpoint/checkpoint-store.ts';
import { decodeSessionEnvelope } from '../../systems/checkpoint/envelope-session.ts';
import { diskFileSystem } from '../../systems/checkpoint/file-system.ts';
import { storeFolders } from '../../systems/checkpoint/store-folders.ts';
import type { StoreFolders } from '../../systems/checkpoint/store-folders.ts';
import { controlUrl, forgetCheckpoints, runFly, startFly, statusWhen, testHome } from '../fixture/fly-process.ts';
import type { FlyRun } from '../fixture/fly-process.ts';

const LIVE = ['live', '--no-picture', '--unthrottled', '--local', '--port', '0'];
const END = 900;
let home: string;
let environment: Readonly<Record<string, string>>;
const started: FlyRun[] = [];

beforeAll(async () => {
  home = await testHome('session-restore-process');
  environment = { FLY_HOME: home };
});

afterAll(async () => {
  for (const run of started) run.child.kill('SIGKILL');
  await Promise.all(started.map((run) => run.exit));
  forgetCheckpoints(home);
});

const folders = (): StoreFolders => storeFolders(join(home, 'checkpoints'), 'windfall');

function live(...args: string[]): FlyRun {
  const run = startFly([...LIVE, ...args], environment);
  started.push(run);
  return run;
}

type NewestState = {
  readonly boundary: number;
  /** What two equal runs share; the world's own bytes hold the core's sound phase. */
  readonly parts: Readonly<Record<string, string>>;
};

/** The core gives sound in blocks of so many sample frames; what it had not given yet is no part of its state. */
const SOUND_BLOCK = 512;

/** Where the sound of the newest state stands, sample frames. */
function newestSample(): number {
  const [{ nextSample }] = newestRecord()['audioPositions'] as [{ nextSample: number }];
  return nextSample;
}

function newestRecord(): Record<string, unknown> {
  const [newest] = listCheckpoints(diskFileSystem, folders());
  const { payloads } = decodeSessionEnvelope(readCheckpoint(diskFileSystem, newest!));
  return JSON.parse(Buffer.from(payloads.get('coordinator-admission')!).toString()) as Record<string, unknown>;
}

function newestState(): NewestState {
  const [newest] = listCheckpoints(diskFileSystem, folders());
  const { manifest, payloads } = decodeSessionEnvelope(readCheckpoint(diskFileSystem, newest!));
  const { agents, runSteps, bestRank, slotRank, rungSinceStep, rollbacks, filledSlots } = newestRecord();
  return {
    boundary: Number(manifest.sourceScope.step),
    parts: {
      agent: Buffer.from(payloads.get('agent-fly-a')!).toString('base64'),
      ledger: Buffer.from(payloads.get('task-ledger')!).toString(),
      record: JSON.stringify({ agents, runSteps, bestRank, slotRank, rungSinceStep, rollbacks, filledSlots }),
    },
  };
}

test('PER-04 a live run killed at random moments and started again ends as the run nobody killed', async () => {
  expect((await runFly([...LIVE, '--transitions', String(END)], environment)).code).toBe(0);
  const whole = newestState();
  expect(whole.boundary).toBe(END);
  const wholeSample = newestSample();
  forgetCheckpoints(home);

  for (const killAfter of [5, 330, 610]) {
    const run = live();
    // nothing to continue from exists before the first save is on the disk
    const isSaved = (): boolean => listCheckpoints(diskFileSystem, folders()).length > 0;
    await statusWhen(await controlUrl(run), ({ step }) => Number(step) >= killAfter && isSaved());
    run.child.kill('SIGKILL');
    expect((await run.exit).signal).toBe('SIGKILL');
    expect(run.output()).toMatch(
      killAfter === 5 ? /settling the brain/ : /resumed from (hot|durable) checkpoint ckpt-\d+/,
    );
  }
  const { boundary } = newestState();
  expect(boundary).toBeGreaterThan(600 - 300);
  const last = await runFly([...LIVE, '--transitions', String(END - boundary)], environment);
  expect(last.output).toMatch(
    new RegExp(`resumed from \\w+ checkpoint ckpt-\\d+: boundary ${boundary}, \\d+ \\w+ old, epoch e4`),
  );
  expect(newestState()).toEqual(whole);
  // session.md 12.2: each of the three restores may have lost the block that the core was filling
  expect(Math.abs(wholeSample - newestSample())).toBeLessThanOrEqual(3 * SOUND_BLOCK);
}, 180_000);

test('PER-12 every archived rung of Windfall has its slot: best, slot and ledger name the same rank', () => {
  const archives = listCheckpoints(diskFileSystem, folders()).filter(({ tier }) => tier === 'archive');
  expect(archives.length).toBeGreaterThan(0);
  for (const archive of archives) {
    const { payloads } = decodeSessionEnvelope(readCheckpoint(diskFileSystem, archive));
    const parse = (name: string): unknown => JSON.parse(Buffer.from(payloads.get(name)!).toString());
    const { bestRank, slotRank, filledSlots } = parse('coordinator-admission') as Record<string, unknown>;
    const { recovery } = parse('task-ledger') as { recovery: { slotRank: number } };
    expect({ bestRank, slotRank, filledSlots }).toEqual({ bestRank, slotRank: bestRank, filledSlots: ['best'] });
    expect(recovery.slotRank).toBe(bestRank);
    expect(archive.row.file).toMatch(new RegExp(`^milestone-${String(bestRank)}\\.`));
  }
});

test('a second process on the same store is refused by the number of the first; the first goes on', async () => {
  const first = live();
  const url = await controlUrl(first);
  await statusWhen(url, ({ status }) => status === 'running');
  const second = await runFly([...LIVE, '--transitions', '5'], environment);
  expect(second.code).toBe(1);
  expect(second.output).toMatch(new RegExp(`STORE_LOCKED: .*in use by process ${first.child.pid!}`));
  const { step } = await statusWhen(url, ({ status }) => status === 'running');
  await statusWhen(url, (status) => Number(status.step) > Number(step));
  first.child.kill('SIGINT');
  expect((await first.exit).code).toBe(130);
  const saved = /saved as ckpt-\d+ at boundary (\d+)/.exec(first.output());
  expect(newestState().boundary).toBe(Number(saved![1]));
}, 120_000);

test('when every saved state is damaged the run ends with 1 and names them; --fresh begins anew and keeps them', async () => {
  expect((await runFly([...LIVE, '--transitions', '5'], environment)).code).toBe(0);
  const whole = listCheckpoints(diskFileSystem, folders());
  for (const { path } of whole) {
    const bytes = readFileSync(path);
    bytes[1_000]! ^= 1;
    writeFileSync(path, bytes);
  }
  const refused = await runFly([...LIVE, '--transitions', '5'], environment);
  expect(refused.code).toBe(1);
  const [line] = refused.output.split('\n').filter((text) => text.includes('fly: RESTORE_FAILED'));
  for (const { row } of whole) expect(line).toContain(row.checkpointId);
  const archived = readdirSync(folders().archive);
  const fresh = await runFly([...LIVE, '--fresh', '--transitions', '5'], environment);
  expect(fresh.code).toBe(0);
  expect(newestState().boundary).toBe(5);
  for (const name of archived.filter((file) => !file.includes('milestone-0'))) {
    expect(readdirSync(folders().archive)).toContain(name);
  }
}, 120_000);

test('a damaged list is a failure that names its file, not an empty store', async () => {
  const manifest = join(folders().durable, 'manifest.json');
  const text = readFileSync(manifest, 'utf8');
  writeFileSync(manifest, text.slice(0, -10));
  for (const command of [
    [...LIVE, '--transitions', '5'],
    ['checkpoint', 'list'],
  ]) {
    const { code, output } = await runFly(command, environment);
    expect(code).toBe(1);
    expect(output).toContain(`STORE_MANIFEST: ${manifest}`);
  }
  writeFileSync(manifest, text);
}, 60_000);

test('a saved state is listed, looked into, taken out and put into another home, which goes on from it', async () => {
  const list = await runFly(['checkpoint', 'list'], environment);
  const id = /^windfall\/(ckpt-\d+) {2}durable/m.exec(list.output)![1]!;
  const looked = await runFly(['checkpoint', 'inspect', id], environment);
  expect(looked.output).toMatch(/agent +fly-a, seed 1856740717/);
  const file = join(home, 'out.flysess');
  rmSync(file, { force: true });
  expect((await runFly(['checkpoint', 'export', id, file], environment)).code).toBe(0);
  expect((await runFly(['checkpoint', 'export', id, file], environment)).output).toContain('EXPORT_TARGET');
  const state = newestState();

  forgetCheckpoints(home);
  expect((await runFly(['checkpoint', 'import', file], environment)).output).toContain(`at boundary ${state.boundary}`);
  expect(newestState()).toEqual(state);
  const again = await runFly([...LIVE, '--transitions', '3'], environment);
  expect(again.output).toContain(`boundary ${state.boundary},`);
  expect(again.code).toBe(0);

  const bytes = readFileSync(file);
  bytes[2_000]! ^= 1;
  writeFileSync(file, bytes);
  const damaged = await runFly(['checkpoint', 'import', file], environment);
  expect([damaged.code, damaged.output.trim().split('\n').length]).toEqual([1, 1]);
  expect(damaged.output).toContain('CONTAINER_');
}, 120_000);

test.each([
  [['checkpoint', 'inspect', 'ckpt-999'], 2, 'CHECKPOINT_ID'],
  [['checkpoint', 'inspect', '/nowhere'], 2, '/nowhere is neither a file nor a saved state'],
  [['checkpoint', 'inspect', 'nowhere/state.flysess'], 2, 'neither a file nor a saved state'],
  [['checkpoint', 'inspect', 'windfal/ckpt-1'], 2, 'Did you mean windfall?'],
  [['checkpoint', 'list', 'windfal'], 2, 'Did you mean windfall?'],
  [['checkpoint', 'import', '/nowhere/file'], 2, 'CHECKPOINT_FILE'],
  [['checkpoint', 'inspect', '/'], 2, 'CHECKPOINT_FILE'],
  [['checkpoint', 'import', 'package.json'], 1, 'CONTAINER_HEADER'],
  [['checkpoint', 'inspect'], 2, "missing required argument 'what'"],
])('fly %j ends with %i and one line', async (args, expected, text) => {
  const { code, output } = await runFly(args, environment);
  expect(code).toBe(expected);
  expect(output.trim().split('\n')).toHaveLength(1);
  expect(output).toContain(text);
});
