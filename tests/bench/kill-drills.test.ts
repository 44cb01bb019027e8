import { expect, test } from 'vitest';
import { storedCandidates } from '../../systems/checkpoint/candidates.ts';
import { checkpointIdOf } from '../../systems/checkpoint/checkpoint-store.ts';
import { writeCheckpoint } from '../../systems/checkpoint/write-checkpoint.ts';
import { FOLDERS, createCrashingDisk } from '../systems/checkpoint/crashing-disk.ts';
import type { CrashingDisk } from '../systems/checkpoint/crashing-disk.ts';
import { HERE, exampleCapture } from '../systems/checkpoint/example-group.ts';
import { DRILLS, missingDrills, nameOf, prepareDrill } from './kill-drills.ts';
import type { Drill } from './kill-drills.ts';

/** A durable state of a rung, a later durable one, two hot ones after it. */
function usedStore(): CrashingDisk {
  const disk = createCrashingDisk();
  const saves = [{ kind: 'durable', archiveRank: 0 }, { kind: 'durable' }, { kind: 'hot' }, { kind: 'hot' }] as const;
  saves.forEach((save, i) => {
    const capture = exampleCapture(BigInt(i + 1));
    writeCheckpoint(
      disk,
      FOLDERS,
      HERE,
      { archiveRank: null, ...save, checkpointId: checkpointIdOf(i + 1), capture },
      () => undefined,
    );
  });
  return disk;
}

/** The first state a show could really continue from. */
function firstSound(disk: CrashingDisk): string | null {
  for (const { load, name } of storedCandidates(disk, FOLDERS, HERE)) {
    try {
      load();
      return name;
    } catch {
      continue;
    }
  }
  return null;
}

test.each<[Drill, string]>([
  ['hot', 'hot checkpoint ckpt-4'],
  ['durable', 'durable checkpoint ckpt-2'],
  ['corrupted', 'hot checkpoint ckpt-3'],
  ['archive', 'archive checkpoint ckpt-1'],
])('PERF-04 after the drill "%s" the first sound state is %s', (drill, name) => {
  const disk = usedStore();
  expect(nameOf(prepareDrill(disk, FOLDERS, drill)!)).toBe(name);
  expect(firstSound(disk)).toBe(name);
});

test('a store that has nothing for a drill is left as it is', () => {
  const disk = createCrashingDisk();
  for (const drill of DRILLS) expect(prepareDrill(disk, FOLDERS, drill)).toBeNull();
  const job = { kind: 'hot', archiveRank: null, checkpointId: 'ckpt-1', capture: exampleCapture(1n) } as const;
  writeCheckpoint(disk, FOLDERS, HERE, job, () => undefined);
  for (const drill of ['durable', 'corrupted', 'archive'] as const) {
    expect(prepareDrill(disk, FOLDERS, drill)).toBeNull();
    expect(firstSound(disk)).toBe('hot checkpoint ckpt-1');
  }
});

test('PERF-04 one round of drills is two hot, two durable, one corrupted and one archive', () => {
  expect(missingDrills(DRILLS, true)).toBeNull();
  expect(missingDrills(DRILLS.slice(0, 4), true)).toBe('durable 1 of 2, archive 0 of 1');
  expect(missingDrills(DRILLS.slice(0, 4), false)).toBe('durable 1 of 2'); // a match keeps no archives
});
