import { expect, test } from 'vitest';
import { createFakeClock } from '../../../engine/clock.ts';
import type { FakeClock } from '../../../engine/clock.ts';
import { DeviceError } from '../../../engine/errors.ts';
import type { EncodedPacket, Tracks } from '../../../broadcast/encode/encoded-packet.ts';
import type { OutputEvent, OutputLeg } from '../../../broadcast/outputs/output.ts';
import type { UplinkConnection } from '../../../broadcast/outputs/rtmp-connection.ts';
import { openUplink } from '../../../broadcast/outputs/uplink.ts';
import { fakeTracks, pushFrames, settle } from './fake-packets.ts';

const URL = 'rtmp://ingest.test/app/live_123_secret';

test('it is active with the first keyframe and starts every connection at one (broadcast.md 54)', async () => {
  const { leg, ingest, tracks } = await open();
  pushFrames(leg, tracks, 50, 70);
  await settle();
  expect(leg.stats().state).toBe('active');
  expect(ingest.received[0]).toEqual({ dtsMs: 2_000, keyframe: true });
  expect(ingest.received.length).toBe(10);
  await leg.close(2_000);
  expect(leg.stats().state).toBe('closed');
});

test('waits grow from 1 s to 15 s and never end, and each failure is told once', async () => {
  const { leg, ingest, clock, events } = await open({ refuse: true });
  const waits: number[] = [];
  for (let i = 0; i < 9; i++) {
    const before = ingest.attempts;
    let waitedMs = 0;
    while (ingest.attempts === before) {
      clock.advanceMs(250);
      waitedMs += 250;
      await settle();
    }
    waits.push(waitedMs);
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000, 15_000, 15_000]);
  expect(leg.stats().reconnects).toBe(10);
  expect(leg.stats().lastError).toBe('UPLINK_CONNECT: refused rtmp://ingest.test/app/<key>');
  expect(JSON.stringify([events, leg.stats()])).not.toContain('live_123');
  await leg.close(2_000);
});

test('an ingest that takes nothing for 5 s is cut, which frees the pending write', async () => {
  const { leg, ingest, clock, tracks } = await open();
  pushFrames(leg, tracks, 0, 2);
  await settle();
  ingest.stuck = true;
  pushFrames(leg, tracks, 2, 30);
  await settle();
  for (let i = 0; i < 9; i++) {
    clock.advanceMs(500);
    await settle();
  }
  expect(ingest.aborts).toEqual([]);
  clock.advanceMs(1_000);
  await settle();
  expect(ingest.aborts[0]).toBe('took nothing for 5 s');
  expect(leg.stats().state).toBe('retrying');
  ingest.stuck = false;
  clock.advanceMs(1_000);
  await settle();
  pushFrames(leg, tracks, 30, 61);
  await settle();
  expect(leg.stats().state).toBe('active');
  expect(ingest.received.at(-1)).toEqual({ dtsMs: 2_000, keyframe: true });
  await leg.close(2_000);
});

test('an ingest that is too slow loses pictures up to the next keyframe, and they are counted', async () => {
  const { leg, ingest, tracks, events } = await open();
  pushFrames(leg, tracks, 0, 10);
  await settle();
  ingest.pending = 10_000_000;
  pushFrames(leg, tracks, 10, 40);
  await settle();
  expect(leg.stats().state).toBe('congested');
  expect(leg.stats().congestion).toBe(1);
  ingest.pending = 0;
  pushFrames(leg, tracks, 40, 62);
  await settle();
  expect(leg.stats().state).toBe('active');
  expect(leg.stats().droppedFrames).toBe(50);
  expect(ingest.received.slice(-2)).toEqual([
    { dtsMs: 2_000, keyframe: true },
    { dtsMs: (61 * 1_000) / 30, keyframe: false },
  ]);
  expect(states(events)).toEqual(['active', 'congested', 'active']);
  await leg.close(2_000);
});

test('new headers mean a new connection, at the next keyframe', async () => {
  const { leg, ingest, tracks, replaceTracks } = await open();
  pushFrames(leg, tracks, 0, 5);
  await settle();
  const next = replaceTracks();
  pushFrames(leg, next, 60, 62);
  await settle();
  pushFrames(leg, next, 62, 122);
  await settle();
  expect(ingest.attempts).toBe(2);
  expect(ingest.received.at(-2)).toEqual({ dtsMs: 4_000, keyframe: true });
  await leg.close(2_000);
});

test('closing never waits longer than its limit for a stuck ingest', async () => {
  const { leg, ingest, clock, tracks } = await open();
  pushFrames(leg, tracks, 0, 2);
  await settle();
  ingest.stuck = true;
  pushFrames(leg, tracks, 2, 5);
  await settle();
  const closing = leg.close(2_000);
  clock.advanceMs(2_000);
  await closing;
  expect(ingest.aborts[0]).toBe('closed here');
  expect(leg.stats().state).toBe('closed');
});

test('the end of the stream waits 1 s for an ingest that does not hang up', async () => {
  const { leg, ingest, clock, tracks } = await open();
  pushFrames(leg, tracks, 0, 2);
  await settle();
  ingest.lingers = true;
  const closing = leg.close(2_000);
  await settle();
  clock.advanceMs(999);
  await settle();
  expect([leg.stats().state, ingest.aborts]).toEqual(['active', []]);
  clock.advanceMs(1);
  await closing;
  expect(ingest.aborts).toEqual(['did not hang up at the end of the stream']);
  expect(leg.stats().state).toBe('closed');
});

type Ingest = {
  received: { dtsMs: number; keyframe: boolean }[];
  attempts: number;
  aborts: string[];
  stuck: boolean;
  /** Keeps the connection open after the stream's end. */
  lingers: boolean;
  pending: number;
};

type Opened = {
  leg: OutputLeg;
  ingest: Ingest;
  clock: FakeClock;
  tracks: Tracks;
  events: OutputEvent[];
  replaceTracks: () => Tracks;
};

async function open(options: { refuse?: boolean } = {}): Promise<Opened> {
  const clock = createFakeClock();
  const events: OutputEvent[] = [];
  let tracks = fakeTracks();
  const ingest: Ingest = { received: [], attempts: 0, aborts: [], stuck: false, lingers: false, pending: 0 };
  const leg = openUplink(
    { kind: 'rtmp', name: 'main', url: URL },
    {
      id: 'output-1',
      clock,
      tracks: () => tracks,
      random: () => 0,
      onEvent: (event) => events.push(event),
      connect: () => {
        ingest.attempts++;
        if (options.refuse === true) {
          return Promise.reject(new DeviceError('UPLINK_CONNECT', `refused ${URL}`));
        }
        return Promise.resolve(fakeConnection(ingest));
      },
    },
  );
  await settle();
  return {
    leg,
    ingest,
    clock,
    tracks,
    events,
    replaceTracks: () => {
      tracks = fakeTracks();
      return tracks;
    },
  };
}

function fakeConnection(ingest: Ingest): UplinkConnection {
  let fail: ((error: Error) => void) | null = null;
  let hangUp: (() => void) | null = null;
  let sent = 0;
  return {
    write(encoded: EncodedPacket) {
      encoded.packet.free();
      if (ingest.stuck) {
        return new Promise((_, reject) => {
          fail = reject;
        });
      }
      ingest.received.push({ dtsMs: encoded.dtsMs, keyframe: encoded.keyframe });
      sent += encoded.bytes;
      return Promise.resolve();
    },
    pendingBytes: () => ingest.pending,
    sentBytes: () => sent,
    abort(reason) {
      ingest.aborts.push(reason);
      fail?.(new DeviceError('UPLINK_LOST', reason));
      hangUp?.();
    },
    close: () =>
      new Promise((resolve) => {
        hangUp = resolve;
        if (!ingest.lingers) resolve();
      }),
  };
}

function states(events: readonly OutputEvent[]): string[] {
  return events.flatMap((event) => (event.kind === 'output-state' ? [event.state] : []));
}
