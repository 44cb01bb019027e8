import { expect, test } from 'vitest';
import { feedNotice } from '../../../scenes/panels/feed-state.ts';
import { fakeDescriptor, fakeSnapshot, feed, openReplica } from '../fixture.ts';

test('the first that holds wins: error, stale, down (show.md 84)', () => {
  const replica = openReplica(fakeDescriptor());
  feed(replica, fakeSnapshot(1), 1_000);
  expect(feedNotice(replica, 2_999)).toBeNull();
  replica.connected = false;
  expect(feedNotice(replica, 2_999)?.headline).toBe('FEED DOWN');
  expect(feedNotice(replica, 3_000)?.headline).toBe('STALE FEED');
  feed(replica, fakeSnapshot(2, { status: 'error', statusReason: 'core fault' }), 4_000);
  expect(feedNotice(replica, 9_000)).toMatchObject({ headline: 'SIM ERROR', detail: 'core fault' });
});

test('a pause is shown with its reason (show.md 160)', () => {
  const replica = openReplica(fakeDescriptor());
  feed(replica, fakeSnapshot(1, { status: 'paused', statusReason: 'paused by the operator' }), 0);
  expect(feedNotice(replica, 100)).toMatchObject({ headline: 'PAUSED', detail: 'paused by the operator' });
});
