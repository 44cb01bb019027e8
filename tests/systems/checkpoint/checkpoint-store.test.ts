import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { storedCandidates } from '../../../systems/checkpoint/candidates.ts';
import {
  checkpointIdOf,
  clearHot,
  highestGeneration,
  keepNewest,
  listCheckpoints,
  readCheckpoint,
} from '../../../systems/checkpoint/checkpoint-store.ts';
import type { StoredCheckpoint } from '../../../systems/checkpoint/checkpoint-store.ts';
import { decodeGroup } from '../../../systems/checkpoint/envelope-group.ts';
import { readTier } from '../../../systems/checkpoint/store-tier.ts';
import { writeCheckpoint } from '../../../systems/checkpoint/write-checkpoint.ts';
import type { SaveOutcome } from '../../../systems/checkpoint/write-checkpoint.ts';
import { Crash, FOLDERS, createCrashingDisk } from './crashing-disk.ts';
import type { CrashingDisk } from './crashing-disk.ts';
import { HERE, exampleCapture } from './example-group.ts';

type Save = { readonly kind: 'hot' | 'durable'; readonly rank: number | null };
const HOT: Save = { kind: 'hot', rank: null };
const DURABLE: Save = { kind: 'durable', rank: null };

/** Saves generation n of boundary n. */
function save(disk: CrashingDisk, generation: number, { kind, rank }: Save = DURABLE): SaveOutcome {
  const job = {
    checkpointId: checkpointIdOf(generation),
    kind,
    archiveRank: rank,
    capture: exampleCapture(BigInt(generation)),
  };
  return writeCheckpoint(disk, FOLDERS, HERE, job, () => undefined);
}

const names = (found: readonly StoredCheckpoint[]): string[] =>
  found.map(({ tier, row }) => `${tier} ${row.checkpointId}`);

test('an empty store has no candidates and starts at generation 1 (session.md 17.4)', () => {
  const disk = createCrashingDisk();
  expect(listCheckpoints(disk, FOLDERS)).toEqual([]);
  expect(highestGeneration(disk, FOLDERS)).toBe(0);
});

test('what was committed is read back, and the list says what it is', () => {
  const disk = createCrashingDisk();
  expect(save(disk, 7)).toMatchObject({ kind: 'committed', trouble: null });
  const [first] = listCheckpoints(disk, FOLDERS);
  expect(first!.row).toMatchObject({
    checkpointId: 'ckpt-7',
    file: 'ckpt-7.flysess',
    sessionId: 'arena',
    epoch: 'e1',
    episodeId: 'episode-1',
    boundary: '7',
  });
  expect(readTier(disk, FOLDERS.durable).highWater).toBe('ckpt-7');
  const [candidate] = storedCandidates(disk, FOLDERS, HERE);
  expect(candidate!.load()).toEqual(exampleCapture(7n));
});

test('rotation keeps three generations of each tier and every archived rung (session.md 17.4)', () => {
  const disk = createCrashingDisk();
  for (let n = 1; n <= 20; n++) save(disk, n, n % 5 === 0 ? { kind: 'durable', rank: n / 5 } : HOT);
  save(disk, 21);
  const idsOf = (tier: 'hot' | 'durable' | 'archive'): string[] =>
    readTier(disk, FOLDERS[tier]).generations.map(({ checkpointId }) => checkpointId);
  expect(idsOf('hot')).toEqual(['ckpt-19', 'ckpt-20', 'ckpt-21']);
  expect(idsOf('durable')).toEqual(['ckpt-15', 'ckpt-20', 'ckpt-21']);
  expect(idsOf('archive')).toEqual(['ckpt-5', 'ckpt-10', 'ckpt-15', 'ckpt-20']);
  for (const tier of ['hot', 'durable', 'archive'] as const) {
    const listed = readTier(disk, FOLDERS[tier]).generations.map(({ file }) => file);
    expect(disk.list(FOLDERS[tier]).sort()).toEqual([...listed, 'manifest.json'].sort());
  }
});

test('a rung archived again replaces its archive, once the new one is committed', () => {
  const disk = createCrashingDisk();
  save(disk, 1, { kind: 'durable', rank: 2 });
  save(disk, 2, { kind: 'durable', rank: 2 });
  expect(disk.list(FOLDERS.archive).sort()).toEqual(['manifest.json', 'milestone-2.ckpt-2.flysess']);
});

test('PER-11 candidates come hot, durable, then archives by descending rung (session.md 17.4)', () => {
  const disk = createCrashingDisk();
  save(disk, 1, { kind: 'durable', rank: 4 });
  save(disk, 2, { kind: 'durable', rank: 11 });
  save(disk, 3, { kind: 'durable', rank: 9 });
  save(disk, 4, HOT);
  expect(names(listCheckpoints(disk, FOLDERS))).toEqual([
    'hot ckpt-4',
    'hot ckpt-3',
    'hot ckpt-2',
    'durable ckpt-3',
    'durable ckpt-2',
    'durable ckpt-1',
    'archive ckpt-2',
    'archive ckpt-3',
    'archive ckpt-1',
  ]);
});

test('a durable save is also the first candidate: it never stands behind an older hot one', () => {
  const disk = createCrashingDisk();
  save(disk, 1, HOT);
  save(disk, 2);
  expect(names(listCheckpoints(disk, FOLDERS))[0]).toBe('hot ckpt-2');
  clearHot(disk, FOLDERS);
  expect(names(listCheckpoints(disk, FOLDERS))).toEqual(['durable ckpt-2']);
});

test('generation numbers are never used again, crash leftovers included (session.md 17.4)', () => {
  const disk = createCrashingDisk();
  save(disk, 3);
  disk.write(join(FOLDERS.durable, 'ckpt-9.flysess.tmp'), Uint8Array.of(1));
  disk.write(join(FOLDERS.archive, 'milestone-1.ckpt-12.flysess'), Uint8Array.of(1));
  expect(highestGeneration(disk, FOLDERS)).toBe(12);
  save(disk, 13, { kind: 'durable', rank: 1 });
  expect(disk.list(FOLDERS.durable).sort()).toEqual(['ckpt-13.flysess', 'ckpt-3.flysess', 'manifest.json']);
});

test('a fresh start puts the newest sound state where nothing rotates it away, once', () => {
  const disk = createCrashingDisk();
  save(disk, 1);
  save(disk, 2, HOT);
  disk.flip(join(FOLDERS.hot, 'ckpt-2.flysess'), 100);
  expect(keepNewest(disk, FOLDERS)).toBe('ckpt-1');
  expect(keepNewest(disk, FOLDERS)).toBeNull();
  for (let n = 3; n < 20; n++) save(disk, n, { kind: 'durable', rank: 0 });
  expect(names(listCheckpoints(disk, FOLDERS)).slice(-2)).toEqual(['archive ckpt-19', 'archive ckpt-1']);
});

test('PER-04 a crash at any write, sync, rename or removal leaves a loadable store: 300 trials (session.md 17.4)', () => {
  const crashes = new Map<string, number>();
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom<Save>(HOT, DURABLE, { kind: 'durable', rank: 1 }), { minLength: 1, maxLength: 6 }),
      fc.nat({ max: 47 }),
      fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
      fc.boolean(),
      (saves, crashAfter, stream, isPowerLost) => {
        const disk = createCrashingDisk();
        for (let n = 1; n <= 3; n++) save(disk, n); // every tier is full, so the next save removes something
        disk.crashAfter(crashAfter);
        const chance = (): number => stream.next().value as number;
        let committed = 3;
        let committedDurable = 3;
        let generation = 3;
        for (const one of saves) {
          generation += 1;
          try {
            const outcome = saveOrDie(disk, generation, one);
            if (outcome.kind !== 'committed') continue;
            committed = generation;
            if (one.kind === 'durable') committedDurable = generation;
          } catch (error) {
            if (!(error instanceof Crash)) throw error;
            const point = `${error.call}${error.path.includes('manifest') ? ' of the list' : ''}`;
            crashes.set(point, (crashes.get(point) ?? 0) + 1);
            break;
          }
        }
        disk.restart(chance);
        if (isPowerLost) disk.forget(FOLDERS.hot);
        // every file a list names is whole; nothing unlisted is offered; nothing committed is lost
        const found = listCheckpoints(disk, FOLDERS);
        for (const stored of found) readCheckpoint(disk, stored);
        const newestOf = (rows: readonly StoredCheckpoint[]): number =>
          Math.max(...rows.map(({ row }) => Number(row.boundary)));
        expect(newestOf(found.filter(({ tier }) => tier === 'durable'))).toBeGreaterThanOrEqual(committedDurable);
        if (!isPowerLost) expect(newestOf(found)).toBeGreaterThanOrEqual(committed);
        expect(newestOf(found)).toBeLessThanOrEqual(generation);
        expect(storedCandidates(disk, FOLDERS, HERE)[0]!.load().agents).toHaveLength(2);
        // and the next process goes on with a number nobody had
        const next = highestGeneration(disk, FOLDERS) + 1;
        expect(save(disk, next)).toMatchObject({ kind: 'committed' });
        expect(names(listCheckpoints(disk, FOLDERS))[0]).toBe(`hot ckpt-${next}`);
      },
    ),
    { numRuns: 300 },
  );
  expect([...crashes.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(100);
  const points = ['write', 'syncFile', 'rename', 'write of the list', 'syncFile of the list', 'rename of the list'];
  for (const point of [...points, 'syncFolder', 'remove']) {
    expect(crashes.get(point) ?? 0, point).toBeGreaterThanOrEqual(3); // about 25 each
  }
});

test.each([
  ['lost', 0],
  ['kept', 0.999],
])(
  'PER-04 a crash before the list is renamed leaves the whole file and no candidate but the older ones (unsynced names %s)',
  (_what, chance) => {
    const points: string[] = [];
    for (let calls = 0; calls < 12; calls++) {
      const disk = createCrashingDisk();
      save(disk, 1);
      disk.crashAfter(calls);
      try {
        saveOrDie(disk, 2, DURABLE);
        continue;
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
        if (!error.path.startsWith(join(FOLDERS.durable, 'manifest'))) continue;
        points.push(error.call);
      }
      disk.restart(() => chance);
      expect(decodeGroup(disk.read(join(FOLDERS.durable, 'ckpt-2.flysess'))!, HERE).step).toBe(2n);
      expect(names(listCheckpoints(disk, FOLDERS))).toEqual(['hot ckpt-1', 'durable ckpt-1']);
      for (const candidate of storedCandidates(disk, FOLDERS, HERE)) expect(candidate.load().step).toBe(1n);
    }
    expect(points).toEqual(['write', 'syncFile', 'rename']);
  },
);

/** A process that dies does not come back with an answer, and whatever it would do on the way out does not happen. */
function saveOrDie(disk: CrashingDisk, generation: number, one: Save): SaveOutcome {
  let died: Crash | null = null;
  const mortal = <Arguments extends unknown[]>(call: (...args: Arguments) => void) => {
    return (...args: Arguments): void => {
      if (died !== null) throw died;
      try {
        call(...args);
      } catch (error) {
        if (error instanceof Crash) died = error;
        throw error;
      }
    };
  };
  const { write, syncFile, rename, syncFolder, remove } = disk;
  const dying: CrashingDisk = {
    ...disk,
    write: mortal(write),
    syncFile: mortal(syncFile),
    rename: mortal(rename),
    syncFolder: mortal(syncFolder),
    remove: mortal(remove),
  };
  const outcome = save(dying, generation, one);
  throwIfDead(died);
  return outcome;
}

function throwIfDead(death: Crash | null): void {
  if (death !== null) throw death;
}

test.each<[what: string, spoil: (disk: CrashingDisk, path: string) => void]>([
  ['cut short', (disk, path) => disk.truncate(path, 700)],
  ['changed in one byte', (disk, path) => disk.flip(path, 900)],
  ['gone', (disk, path) => disk.remove(path)],
])('PER-03 a listed file that is %s is refused before it is decoded; the one before it is whole', (_what, spoil) => {
  const disk = createCrashingDisk();
  save(disk, 1);
  save(disk, 2);
  spoil(disk, join(FOLDERS.hot, 'ckpt-2.flysess'));
  const [first, second] = storedCandidates(disk, FOLDERS, HERE);
  expect(() => first!.load()).toThrow(expect.objectContaining({ code: 'STORE_FILE' }));
  expect(second!.load().step).toBe(1n);
});

test('PER-02 a file that is not what the list says of it is refused by the field that differs (session.md 16)', () => {
  const disk = createCrashingDisk();
  save(disk, 1);
  for (const [field, value] of [
    ['checkpointId', 'ckpt-4'],
    ['sessionId', 'windfall'],
    ['epoch', 'e9'],
    ['episodeId', 'episode-2'],
    ['boundary', '2'],
    ['compatibilityDigest', '0'.repeat(64)],
  ] as const) {
    const listed = new TextDecoder().decode(disk.read(join(FOLDERS.hot, 'manifest.json')));
    const row = readTier(disk, FOLDERS.hot).generations[0]!;
    const changed = listed.replaceAll(`"${field}":"${row[field]}"`, `"${field}":"${value}"`);
    const spoiled = createCrashingDisk();
    spoiled.write(
      join(FOLDERS.hot, 'manifest.json'),
      new TextEncoder().encode(
        field === 'checkpointId' ? changed.replace('"highWater":"ckpt-1"', '"highWater":"ckpt-4"') : changed,
      ),
    );
    spoiled.write(join(FOLDERS.hot, row.file), disk.read(join(FOLDERS.hot, row.file))!);
    const [candidate] = storedCandidates(spoiled, FOLDERS, HERE);
    expect(() => candidate!.load()).toThrow(new RegExp(`its ${field} is`));
  }
});

test('a full disk fails the save by name, keeps what was there and leaves no temporary file', () => {
  const disk = createCrashingDisk();
  save(disk, 1);
  disk.failWith('ENOSPC', (call) => call === 'write');
  expect(save(disk, 2)).toMatchObject({ kind: 'failed', code: 'CHECKPOINT_DISK_FULL' });
  disk.failWith(null);
  expect(names(listCheckpoints(disk, FOLDERS))).toEqual(['hot ckpt-1', 'durable ckpt-1']);
  expect(disk.list(FOLDERS.durable).sort()).toEqual(['ckpt-1.flysess', 'manifest.json']);
  expect(save(disk, 3)).toMatchObject({ kind: 'committed' });
});

test('PER-06 an error after the commit point is no failure: the store is asked, nothing is saved twice', () => {
  const disk = createCrashingDisk();
  disk.failWith('EIO', (_call, path) => path.startsWith(FOLDERS.hot));
  expect(save(disk, 1)).toMatchObject({ kind: 'committed', trouble: expect.stringContaining('EIO') as string });
  expect(names(listCheckpoints(disk, FOLDERS))).toEqual(['durable ckpt-1']);
});

test('an old file that cannot be removed is told and costs nothing', () => {
  const disk = createCrashingDisk();
  for (let n = 1; n <= 3; n++) save(disk, n);
  disk.failWith('EPERM', (call) => call === 'remove');
  expect(save(disk, 4)).toMatchObject({ trouble: expect.stringContaining('ckpt-1.flysess') as string });
  disk.failWith(null);
  save(disk, 5);
  expect(disk.list(FOLDERS.durable)).not.toContain('ckpt-1.flysess');
});

test('a capture that cannot be encoded fails and touches nothing', () => {
  const disk = createCrashingDisk();
  const capture = exampleCapture(1n, { taskLedger: { at: undefined } });
  const job = { checkpointId: 'ckpt-1', kind: 'hot' as const, archiveRank: null, capture };
  let isBack = false;
  expect(writeCheckpoint(disk, FOLDERS, HERE, job, () => (isBack = true))).toMatchObject({
    kind: 'failed',
    code: 'CANONICAL_JSON',
  });
  expect([isBack, disk.calls]).toEqual([true, 0]);
});
