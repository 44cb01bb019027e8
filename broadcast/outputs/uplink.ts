import { after } from '../../engine/clock.ts';
import type { Clock } from '../../engine/clock.ts';
import { describeError } from '../../engine/errors.ts';
import type { EncodedPacket, Tracks } from '../encode/encoded-packet.ts';
import { releasePacket } from '../encode/encoded-packet.ts';
import { backoffMs } from './backoff.ts';
import type { OutputEvent, OutputLeg, RtmpSpec } from './output.ts';
import { openAccount } from './output.ts';
import { createPacketQueue } from './packet-queue.ts';
import type { Connect, UplinkConnection } from './rtmp-connection.ts';
import { maskRtmpUrl, parseRtmpUrl } from './rtmp-url.ts';

export type UplinkContext = {
  readonly id: string;
  readonly clock: Clock;
  /** Headers of the stream as it is encoded now. */
  readonly tracks: () => Tracks;
  readonly connect: Connect;
  readonly onEvent: (event: OutputEvent) => void;
  /** 0..1, for the jitter of the waits. */
  readonly random: () => number;
};

/** Packets that may wait for one uplink (spec: broadcast.md 45). */
const QUEUE_PACKETS = 120;
/** An attempt that has not published by then is given up, ms. */
const OPEN_LIMIT_MS = 10_000;
/** An ingest that takes nothing for this long while bytes wait is cut, ms. */
export const STALL_LIMIT_MS = 5_000;
/** How often the watchdog looks, ms. */
const WATCH_MS = 500;
/** An ingest that has not read the end of the stream and hung up by then is left, ms. */
const FINISH_LIMIT_MS = 1_000;
/** Seconds of stream that may wait in the relay before pictures are dropped. */
const BACKLOG_SECONDS = 3;
/** A connection that lasted this long starts the waits afresh, ms. */
const STABLE_MS = 10_000;

/**
 * Pushes the stream to one ingest for as long as the show runs: whatever goes wrong is retried for ever, and every
 * connection starts at a keyframe with fresh headers (spec: broadcast.md 44, 51, 54).
 * @throws ConfigError RTMP_URL
 */
export function openUplink(spec: RtmpSpec, context: UplinkContext): OutputLeg {
  const { id, clock, onEvent } = context;
  const target = parseRtmpUrl(spec.url);
  const account = openAccount({ id, name: spec.name, kind: 'rtmp', target: target.masked, clock, onEvent });
  const { record, enter } = account;
  const queue = createPacketQueue(QUEUE_PACKETS);
  const stop = new AbortController();
  let connection: UplinkConnection | null = null;
  let earlierBytes = 0;
  let finishing = false;
  let everActive = false; // frames before the first connection are not losses
  let attemptStartMs = clock.nowMs();

  /** 0..1: how full the relay's backlog is. */
  function congestion(tracks: Tracks): number {
    if (connection === null) return 0;
    const limitBytes = ((tracks.videoKbps + tracks.audioKbps) * 1_000 * BACKLOG_SECONDS) / 8;
    return Math.min(1, connection.pendingBytes() / limitBytes);
  }

  async function connectOnce(tracks: Tracks): Promise<UplinkConnection> {
    const limit = new AbortController();
    const onStop = (): void => limit.abort();
    stop.signal.addEventListener('abort', onStop, { once: true });
    const cancel = after(clock, OPEN_LIMIT_MS, () => limit.abort());
    try {
      return await context.connect(target, tracks, limit.signal);
    } finally {
      cancel();
      stop.signal.removeEventListener('abort', onStop);
    }
  }

  /** Cuts a connection whose ingest stopped reading; ends with `over`. */
  async function watch(link: UplinkConnection, writeSinceMs: () => number | null, over: AbortSignal): Promise<void> {
    let sent = link.sentBytes();
    let movedMs = clock.nowMs();
    while (!over.aborted) {
      await clock.sleep(WATCH_MS, over);
      const nowMs = clock.nowMs();
      if (link.sentBytes() !== sent || link.pendingBytes() === 0) {
        sent = link.sentBytes();
        movedMs = nowMs;
      }
      const writeMs = writeSinceMs();
      if (nowMs - movedMs >= STALL_LIMIT_MS || (writeMs !== null && nowMs - writeMs >= STALL_LIMIT_MS)) {
        link.abort(`took nothing for ${STALL_LIMIT_MS / 1_000} s`);
        return;
      }
    }
  }

  /** Sends until the stream ends (false) or must be opened again (true). @throws DeviceError UPLINK_LOST */
  async function send(link: UplinkConnection, tracks: Tracks): Promise<boolean> {
    const over = new AbortController();
    let writeSinceMs: number | null = null;
    let first = true;
    void watch(link, () => writeSinceMs, over.signal);
    skip();
    try {
      for (;;) {
        const encoded = await queue.take();
        if (encoded === null) return false;
        if (encoded.tracks !== tracks) {
          releasePacket(encoded);
          return true;
        }
        if (shed(encoded, tracks)) continue;
        writeSinceMs = clock.nowMs();
        await link.write(encoded);
        writeSinceMs = null;
        record.bytes = earlierBytes + link.sentBytes();
        if (first) {
          first = false;
          record.firstPacketMs = clock.nowMs() - attemptStartMs;
          record.lastError = null;
          everActive = true;
          enter('active', '');
        }
      }
    } finally {
      over.abort();
      earlierBytes += link.sentBytes();
      record.bytes = earlierBytes;
    }
  }

  /** Lets the ingest read to the end. */
  async function finish(link: UplinkConnection): Promise<void> {
    const cancel = after(clock, FINISH_LIMIT_MS, () => link.abort('did not hang up at the end of the stream'));
    await link.close();
    cancel();
  }

  function skip(): void {
    if (everActive) queue.overflow();
    else queue.restart();
  }

  /** Drops to the next keyframe while the ingest is too slow. */
  function shed(encoded: EncodedPacket, tracks: Tracks): boolean {
    const level = congestion(tracks);
    if (level >= 1) {
      if (encoded.track === 'video') record.droppedFrames++;
      releasePacket(encoded);
      queue.overflow();
      enter('congested', 'the ingest is slower than the stream; pictures are dropped');
      return true;
    }
    if (level < 0.25 && record.state === 'congested') enter('active', '');
    return false;
  }

  async function run(): Promise<void> {
    let attempt = 0;
    while (!finishing) {
      attemptStartMs = clock.nowMs();
      const tracks = context.tracks();
      enter('connecting', record.lastError ?? '');
      try {
        connection = await connectOnce(tracks);
        const again = await send(connection, tracks);
        await finish(connection);
        connection = null;
        if (again) continue;
        break;
      } catch (error) {
        record.lastError = maskRtmpUrl(describeError(error), target);
        connection?.abort('given up');
        await connection?.close();
        connection = null;
      }
      if (finishing) break;
      skip();
      if (clock.nowMs() - attemptStartMs >= STABLE_MS && record.firstPacketMs !== null) attempt = 0;
      attempt++;
      record.reconnects++;
      record.firstPacketMs = null;
      enter('retrying', record.lastError);
      await clock.sleep(backoffMs(attempt, context.random()), stop.signal);
    }
    queue.close();
    queue.clear();
    enter('closed', '');
  }

  const running = run();

  return {
    id,
    push(encoded) {
      if (connection !== null) queue.push(encoded);
      else if (everActive && encoded.track === 'video') record.droppedFrames++;
    },
    async close(limitMs) {
      finishing = true;
      queue.close();
      if (connection === null) stop.abort();
      const cancel = after(clock, limitMs, () => {
        stop.abort();
        connection?.abort('closed here');
      });
      await running;
      cancel();
    },
    stats: () =>
      account.stats({
        congestion: connection === null ? 0 : Math.max(congestion(context.tracks()), queue.fill()),
        droppedFrames: queue.droppedFrames(),
      }),
  };
}
