import { expect, test } from 'vitest';
import { createPresentation } from '../../../bin/stage/presentation.ts';
import type { Presentation } from '../../../bin/stage/presentation.ts';
import type { Replica } from '../../../engine/replica/replica.ts';
import { fakeDescriptor, fakeSnapshot, openReplica } from '../../scenes/fixture.ts';

function open(): { replica: Replica; presentation: Presentation; commit: (worldMs: number, nowMs: number) => void } {
  const replica = openReplica(fakeDescriptor());
  const presentation = createPresentation(replica);
  let sequence = 0;
  return {
    replica,
    presentation,
    commit(worldMs, nowMs) {
      sequence += 1;
      presentation.receive({ header: fakeSnapshot(sequence, { worldMs }), attachments: [] }, nowMs);
    },
  };
}

test('a boundary is shown once the sound of its session time leaves, not before', () => {
  const { replica, presentation, commit } = open();
  commit(100, 1);
  commit(117, 2);
  expect(presentation.present(90, 3)).toBeNull();
  expect(presentation.present(110, 4)).toBe(100);
  expect(replica.snapshot?.worldMs).toBe(100);
  expect(presentation.present(117, 5)).toBe(117);
});

test('without sound every boundary is shown at once, the newest last', () => {
  const { presentation, commit } = open();
  commit(100, 1);
  commit(117, 2);
  expect(presentation.present(null, 3)).toBe(117);
  expect(presentation.waiting).toBe(0);
});

test('after a jump backwards the new episode is shown although the old sound is still leaving', () => {
  const { presentation, commit } = open();
  commit(60_000, 1);
  presentation.present(60_000, 2);
  commit(17, 3);
  expect(presentation.present(60_010, 4)).toBe(17);
});

test('an old boundary that waited does not look fresh: only arrival renews the feed', () => {
  const { replica, presentation, commit } = open();
  commit(100, 1_000);
  presentation.present(100, 5_000);
  expect(replica.appliedAtMs).toBe(1_000);
});

test('at most two seconds of boundaries wait for a sound that does not come', () => {
  const { presentation, commit } = open();
  for (let i = 0; i < 200; i++) commit(1_000 + i * 17, i);
  expect(presentation.waiting).toBe(120);
  expect(presentation.present(0, 300)).toBe(1_000 + 79 * 17);
});
