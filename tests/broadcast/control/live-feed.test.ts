import { expect, test } from 'vitest';
import { createLiveFeed } from '../../../broadcast/control/live-feed.ts';
import type { LiveFeed, LiveMessage } from '../../../broadcast/control/live-feed.ts';
import { judgeHealth } from '../../../broadcast/control/health.ts';
import { createFakeSession, sampleEvent } from './fake-session.ts';
import { createFakeSocket } from './fake-socket.ts';
import type { FakeSocket } from './fake-socket.ts';

test('a viewer gets the next status, never an old one, and the recent events with it', () => {
  const session = createFakeSession();
  session.shownEvents.push(...Array.from({ length: 200 }, (_, i) => sampleEvent(i + 1)));
  const feed = createLiveFeed(session);
  publish(feed);
  const viewer = createFakeSocket();
  feed.addViewer(viewer);
  expect(viewer.received).toEqual([]);
  publish(feed);
  expect(read(viewer).map(({ type }) => type)).toEqual(['status', 'events']);
  expect(eventIds(viewer)).toEqual(Array.from({ length: 60 }, (_, i) => 141 + i));
});

test('events follow by id, each once', () => {
  const session = createFakeSession();
  const feed = createLiveFeed(session);
  const viewer = createFakeSocket();
  feed.addViewer(viewer);
  publish(feed);
  session.shownEvents.push(sampleEvent(1), sampleEvent(2));
  publish(feed);
  publish(feed);
  session.shownEvents.push(sampleEvent(3));
  publish(feed);
  expect(eventIds(viewer)).toEqual([1, 2, 3]);
});

test('a viewer that does not read misses status but no event', () => {
  const session = createFakeSession();
  const feed = createLiveFeed(session);
  const viewer = createFakeSocket();
  feed.addViewer(viewer);
  viewer.bufferedAmount = 1024 * 1024;
  session.shownEvents.push(sampleEvent(1));
  publish(feed);
  expect(viewer.received).toEqual([]);
  viewer.bufferedAmount = 0;
  session.shownEvents.push(sampleEvent(2));
  publish(feed);
  expect(eventIds(viewer)).toEqual([1, 2]);
});

function publish(feed: LiveFeed): void {
  const status = createFakeSession().status();
  feed.publish({ type: 'status', status, health: judgeHealth(status), wallMs: 1 });
}

function read(viewer: FakeSocket): LiveMessage[] {
  return viewer.received.map((text) => JSON.parse(text as string) as LiveMessage);
}

function eventIds(viewer: FakeSocket): number[] {
  return read(viewer).flatMap((message) => (message.type === 'events' ? message.events.map(({ id }) => id) : []));
}
