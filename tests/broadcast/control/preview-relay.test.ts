import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { PreviewListener } from '../../../broadcast/control/controlled-session.ts';
import { createPreviewRelay } from '../../../broadcast/control/preview-relay.ts';
import type { PreviewRelay } from '../../../broadcast/control/preview-relay.ts';
import { createPreviewFixture } from '../../browser/preview-fixture.ts';
import type { PreviewFixture } from '../../browser/preview-fixture.ts';
import { createFakeSocket } from './fake-socket.ts';

const ANNOUNCED = JSON.stringify({ mimeType: 'video/mp4; codecs="avc1.640028,mp4a.40.2"' });

let fixture: PreviewFixture;
let source: PreviewListener | null;
let relay: PreviewRelay;

beforeAll(async () => {
  fixture = await createPreviewFixture({ widthPx: 64, heightPx: 48, seconds: 4 });
});

beforeEach(() => {
  source = null;
  relay = createPreviewRelay({
    subscribePreview(listener) {
      source = listener;
      return () => (source = null);
    },
  });
});

test('nobody watching costs nothing: the session is subscribed to with the first viewer and left with the last', () => {
  expect(source).toBeNull();
  const [a, b] = [createFakeSocket(), createFakeSocket()];
  relay.addViewer(a);
  relay.addViewer(b);
  expect(source).not.toBeNull();
  a.leave();
  expect(source).not.toBeNull();
  b.leave();
  expect(source).toBeNull();
});

test('without a stream a viewer is told so', () => {
  const viewer = createFakeSocket();
  relay.addViewer(viewer);
  expect(viewer.received).toEqual([JSON.stringify({ mimeType: null })]);
});

test('a viewer gets the type, the init segment, then fragments from the first keyframe on', () => {
  const viewer = createFakeSocket();
  relay.addViewer(viewer);
  start();
  push(1, 2, 3);
  expect(viewer.received.slice(1)).toEqual([ANNOUNCED, fixture.init, fixture.fragments[2], fixture.fragments[3]]);
});

test('a late viewer starts at once with the newest keyframe', () => {
  relay.addViewer(createFakeSocket());
  start();
  push(0, 1, 2, 3);
  const late = createFakeSocket();
  relay.addViewer(late);
  push(4);
  const [, , ...fragments] = late.received;
  expect(fragments).toEqual([fixture.fragments[2], fixture.fragments[3], fixture.fragments[4]]);
});

test('a slow viewer skips to the newest keyframe and the others lose nothing (feed-control.md 6, 118)', () => {
  const [slow, quick] = [createFakeSocket(), createFakeSocket()];
  relay.addViewer(slow);
  relay.addViewer(quick);
  start();
  push(0);
  slow.bufferedAmount = 3 * 1024 * 1024;
  push(1, 2, 3);
  slow.bufferedAmount = 0;
  push(4, 5);
  expect(numbers(quick.received)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(numbers(slow.received)).toEqual([0, 4, 5]);
});

test('a slow viewer that frees up between keyframes gets the group from its keyframe, never a broken one', () => {
  const slow = createFakeSocket();
  relay.addViewer(slow);
  start();
  push(0);
  slow.bufferedAmount = 3 * 1024 * 1024;
  push(1, 2);
  slow.bufferedAmount = 0;
  push(3);
  expect(numbers(slow.received)).toEqual([0, 2, 3]);
});

test('a new encoder announces itself again and its pictures start at a keyframe', () => {
  const viewer = createFakeSocket();
  relay.addViewer(viewer);
  start();
  push(0);
  start();
  push(1, 2);
  expect(viewer.received.filter((message) => message === ANNOUNCED)).toHaveLength(2);
  expect(numbers(viewer.received)).toEqual([0, 2]);
});

function start(): void {
  source!.init(fixture.init, fixture.mimeType);
}

function push(...indices: number[]): void {
  for (const index of indices) source!.fragment(fixture.fragments[index]!);
}

/** Which fragments arrived, by their position in the fixture. */
function numbers(received: readonly (string | Uint8Array)[]): number[] {
  return received.map((message) => fixture.fragments.indexOf(message as Uint8Array)).filter((index) => index >= 0);
}
