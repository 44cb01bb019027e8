import fs from 'node:fs/promises';
import path from 'node:path';
import type { FileHandle } from 'node:fs/promises';
import type { Clock } from '../../engine/clock.ts';
import { describeError } from '../../engine/errors.ts';
import type { EncodedPacket, Tracks } from '../encode/encoded-packet.ts';
import { releasePacket } from '../encode/encoded-packet.ts';
import type { Container } from './container.ts';
import { openMemoryContainer } from './container.ts';
import type { OutputEvent, OutputLeg, RecordingSpec } from './output.ts';
import { openAccount } from './output.ts';
import { createPacketQueue } from './packet-queue.ts';
import { appendSegment } from './segment-index.ts';
import { segmentName } from './segment-name.ts';

export type RecordingContext = {
  readonly id: string;
  readonly clock: Clock;
  readonly onEvent: (event: OutputEvent) => void;
};

/** Length of a segment, s (spec: broadcast.md 67). */
export const SEGMENT_SECONDS = 600;
/** After a failure the next segment is tried at the first keyframe this much later, ms. */
export const RECORDING_RETRY_MS = 10_000;
/** About 15 s of stream: a disk may pause that long before pictures are lost. */
const QUEUE_PACKETS = 1_200;
/** The clock reference leads the pictures by 0.7 s, the muxer's customary reserve for a decoder's buffer (us). */
const MUX_OPTIONS = { max_delay: '700000' };
/** Names tried for one second before giving up. */
const MAX_COPIES = 100;

type Segment = {
  readonly container: Container;
  readonly handle: FileHandle;
  readonly file: string;
  readonly tracks: Tracks;
  readonly startUnixMs: number;
  readonly startDtsMs: number;
  lastPtsMs: number;
};

/**
 * Records MPEG-TS segments cut at keyframes, each with timestamps of its own starting at 0. A folder that cannot be
 * written fails this output alone: the state and an event say so, and the next segment is tried by itself.
 */
export function openRecording(spec: RecordingSpec, context: RecordingContext): OutputLeg {
  const { id, clock, onEvent } = context;
  const folder = path.resolve(spec.folder);
  const segmentMs = (spec.segmentSeconds ?? SEGMENT_SECONDS) * 1_000;
  const account = openAccount({ id, name: spec.name, kind: 'recording', target: folder, clock, onEvent });
  const { record, enter } = account;
  const queue = createPacketQueue(QUEUE_PACKETS);
  let segment: Segment | null = null;
  let retryAtMs = clock.nowMs();
  const openedMs = clock.nowMs();

  async function openSegment(encoded: EncodedPacket): Promise<Segment> {
    await fs.mkdir(folder, { recursive: true });
    const startUnixMs = encoded.submittedUnixMs;
    const { handle, file } = await createFile(folder, startUnixMs);
    const writeAll = async (bytes: Uint8Array): Promise<void> => {
      await handle.writeFile(bytes);
      record.bytes += bytes.length;
    };
    let container: Container | null = null;
    try {
      container = await openMemoryContainer('mpegts', encoded.tracks, MUX_OPTIONS, writeAll);
      await appendSegment(folder, { file, startUnixMs, endUnixMs: null });
    } catch (error) {
      await container?.close(true);
      await handle.close();
      await fs.rm(path.join(folder, file), { force: true }); // or every retry would leave an empty file
      throw error;
    }
    onEvent({ kind: 'recording-segment', id, file: path.join(folder, file), startUnixMs });
    return {
      container,
      handle,
      file,
      tracks: encoded.tracks,
      startUnixMs,
      startDtsMs: encoded.dtsMs,
      lastPtsMs: encoded.ptsMs,
    };
  }

  async function closeSegment(abandon: boolean): Promise<void> {
    const closing = segment;
    if (closing === null) return;
    segment = null;
    try {
      await closing.container.close(abandon);
    } finally {
      await closing.handle.close();
    }
    const lengthMs = Math.round(closing.lastPtsMs - closing.startDtsMs + 1_000 / closing.tracks.fps);
    await appendSegment(folder, {
      file: closing.file,
      startUnixMs: closing.startUnixMs,
      endUnixMs: closing.startUnixMs + lengthMs,
    });
  }

  function isBoundary(encoded: EncodedPacket): boolean {
    if (encoded.track !== 'video' || !encoded.keyframe) return false;
    if (segment === null) return true;
    return segment.tracks !== encoded.tracks || encoded.dtsMs - segment.startDtsMs >= segmentMs - 1;
  }

  /** Takes over `encoded`. */
  async function write(encoded: EncodedPacket): Promise<void> {
    const boundary = isBoundary(encoded);
    if (boundary && segment !== null) await closeSegment(false);
    if (segment === null) {
      if (!boundary || clock.nowMs() < retryAtMs) {
        if (encoded.track === 'video') record.droppedFrames++;
        releasePacket(encoded);
        return;
      }
      segment = await openSegment(encoded);
      record.firstPacketMs ??= clock.nowMs() - openedMs;
    }
    if (encoded.track === 'video') segment.lastPtsMs = Math.max(segment.lastPtsMs, encoded.ptsMs);
    await segment.container.write(encoded);
    record.lastError = null;
    enter('active', '');
  }

  async function fail(error: unknown): Promise<void> {
    record.lastError = `${folder}: ${describeError(error)}`;
    record.reconnects++;
    retryAtMs = clock.nowMs() + RECORDING_RETRY_MS;
    enter('failed', record.lastError);
    try {
      await closeSegment(true);
    } catch (second) {
      record.lastError = `${folder}: ${describeError(second)}`; // the end of a file on a broken disk; the start stays
    }
  }

  async function run(): Promise<void> {
    for (;;) {
      const encoded = await queue.take();
      if (encoded === null) break;
      try {
        await write(encoded);
      } catch (error) {
        await fail(error);
      }
    }
    try {
      await closeSegment(false);
    } catch (error) {
      await fail(error);
    }
    enter('closed', record.lastError ?? '');
  }

  const running = run();

  return {
    id,
    push: (encoded) => queue.push(encoded),
    async close(limitMs) {
      queue.close();
      const timer = new AbortController();
      await Promise.race([running, clock.sleep(limitMs, timer.signal)]);
      timer.abort();
      queue.clear();
    },
    stats: () => account.stats({ congestion: queue.fill(), droppedFrames: queue.droppedFrames() }),
  };
}

/** A new file that nothing had before; a second recording in the same second gets a number. */
async function createFile(folder: string, startUnixMs: number): Promise<{ handle: FileHandle; file: string }> {
  for (let copy = 1; ; copy++) {
    const file = segmentName(startUnixMs, copy);
    try {
      return { handle: await fs.open(path.join(folder, file), 'wx'), file };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || copy >= MAX_COPIES) throw error;
    }
  }
}
