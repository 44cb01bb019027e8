import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { GroupCapture } from '../../../engine/group-capture.ts';
import { storedCandidates } from '../../../systems/checkpoint/candidates.ts';
import { openCheckpointThread } from '../../../systems/checkpoint/checkpoint-thread.ts';
import type { CheckpointWriter, SaveReply } from '../../../systems/checkpoint/checkpoint-queue.ts';
import { diskFileSystem } from '../../../systems/checkpoint/file-system.ts';
import { storeFolders } from '../../../systems/checkpoint/store-folders.ts';
import type { StoreFolders } from '../../../systems/checkpoint/store-folders.ts';
import { HERE, exampleCapture } from './example-group.ts';

const open: { folders: StoreFolders; writer: CheckpointWriter }[] = [];

function setUp(memory?: string): { folders: StoreFolders; writer: CheckpointWriter } {
  const folders = storeFolders(mkdtempSync(join(tmpdir(), 'fly-store-')), 'arena', memory);
  const setup = { folders, writer: openCheckpointThread({ folders }).writerFor(HERE) };
  open.push(setup);
  return setup;
}

const hangs: { close(): void }[] = [];

afterEach(async () => {
  for (const hang of hangs.splice(0)) hang.close();
  for (const { folders, writer } of open.splice(0)) {
    await writer.close(false);
    rmSync(folders.hot, { recursive: true, force: true });
  }
});

function save(
  writer: CheckpointWriter,
  capture: GroupCapture,
): Promise<{ back: GroupCapture | null; reply: SaveReply }> {
  return new Promise((resolve) => {
    let back: GroupCapture | null = null;
    const job = { checkpointId: `ckpt-${capture.step}`, kind: 'durable' as const, archiveRank: null, capture };
    writer.save(
      job,
      (returned) => (back = returned),
      (reply) => resolve({ back, reply }),
    );
  });
}

test('arrays go to the thread without a copy, come back as they were, and the file holds them', async () => {
  const { folders, writer } = setUp();
  const capture = exampleCapture(1n);
  const saved = save(writer, capture);
  expect(capture.agents[0]!.brain.membrane.byteLength).toBe(0); // given away
  const { back, reply } = await saved;
  expect(reply).toMatchObject({ kind: 'committed', trouble: null });
  expect(back).toEqual(exampleCapture(1n));
  expect(storedCandidates(diskFileSystem, folders, HERE)[0]!.load()).toEqual(exampleCapture(1n));
  expect(await writer.lookUp({ kind: 'durable', checkpointId: 'ckpt-1' })).toBe(true);
  expect(await writer.lookUp({ kind: 'durable', checkpointId: 'ckpt-2' })).toBe(false);
});

test('a folder that cannot be written fails the save by name and the thread lives on', async () => {
  const { folders, writer } = setUp();
  writeFileSync(folders.durable, 'in the way');
  const { back, reply } = await save(writer, exampleCapture(1n));
  expect(reply.kind).toBe('failed');
  expect(back).toEqual(exampleCapture(1n));
  rmSync(folders.durable);
  expect((await save(writer, exampleCapture(2n))).reply.kind).toBe('committed');
});

/** A file of the store that whoever writes it waits for, until `release`. */
function hangAt(path: string): { release(): void } {
  execFileSync('mkfifo', [path]); // opening it to write waits for somebody who reads
  let otherEnd: number | null = null;
  const hang = {
    release: () => void (otherEnd ??= openSync(path, constants.O_RDWR | constants.O_NONBLOCK)),
    close() {
      hang.release();
      closeSync(otherEnd!);
    },
  };
  hangs.push(hang);
  return hang;
}

test('PER-06 the store answers while the thread that writes hangs in the disk (session.md 17.4)', async () => {
  const { folders, writer } = setUp();
  await save(writer, exampleCapture(1n));
  const hang = hangAt(join(folders.durable, 'ckpt-2.flysess.tmp'));
  const hanging = save(writer, exampleCapture(2n));
  expect(await writer.lookUp({ kind: 'durable', checkpointId: 'ckpt-1' })).toBe(true);
  expect(await writer.lookUp({ kind: 'durable', checkpointId: 'ckpt-2' })).toBe(false);
  hang.release();
  expect((await hanging).reply.kind).toBe('failed'); // a pipe cannot be synced
});

test('an end does not wait for a thread that hangs in the disk', async () => {
  const { folders, writer } = setUp();
  await save(writer, exampleCapture(1n));
  hangAt(join(folders.durable, 'ckpt-2.flysess.tmp'));
  void save(writer, exampleCapture(2n));
  await expect(writer.close(true)).resolves.toBeUndefined(); // while the file is still waited for
});

test('an orderly end empties the hot tier when the newest state is on the disk', async () => {
  const { folders, writer } = setUp();
  await save(writer, exampleCapture(1n));
  await writer.close(true);
  expect(storedCandidates(diskFileSystem, folders, HERE).map(({ name }) => name)).toEqual([
    'durable checkpoint ckpt-1',
  ]);
});

test('without memory-backed storage the hot tier lies beside the others', () => {
  const { folders } = setUp('/nowhere/at/all');
  expect(folders.isHotInMemory).toBe(false);
  expect(folders.hot).toBe(join(folders.root, 'hot'));
});

test('a store folder that was deleted and made again finds nothing of the old one in memory', () => {
  const { folders } = setUp();
  if (!folders.isHotInMemory) return;
  const checkpoints = join(folders.root, '..');
  expect(storeFolders(checkpoints, 'arena').hot).toBe(folders.hot);
  rmSync(folders.root, { recursive: true });
  const again = storeFolders(checkpoints, 'arena');
  expect(again.hot).not.toBe(folders.hot);
  rmSync(again.hot, { recursive: true, force: true });
});
