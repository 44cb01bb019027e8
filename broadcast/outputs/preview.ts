import type { Clock } from '../../engine/clock.ts';
import { describeError } from '../../engine/errors.ts';
import type { EncodedPacket, Tracks } from '../encode/encoded-packet.ts';
import { releasePacket } from '../encode/encoded-packet.ts';
import type { Container } from './container.ts';
import { openMemoryContainer } from './container.ts';
import { mimeTypeOf } from './mime-type.ts';
import type { OutputEvent, OutputLeg, PreviewSpec } from './output.ts';
import { openAccount } from './output.ts';
import { createPacketQueue } from './packet-queue.ts';

export type PreviewContext = {
  readonly id: string;
  readonly clock: Clock;
  readonly onEvent: (event: OutputEvent) => void;
};

/** Length of a fragment, ms: short enough to follow, long enough to cost nothing. */
const FRAGMENT_MS = 500;
const QUEUE_PACKETS = 120;
/** Wait after a failure, ms. */
const RETRY_MS = 1_000;

/**
 * Fragmented MP4 for Media Source Extensions. Every keyframe begins a fragment, and the sound starts with the picture,
 * so the first frame is not stretched by the encoder's priming samples.
 */
export function openPreview(spec: PreviewSpec, context: PreviewContext): OutputLeg {
  const { id, clock, onEvent } = context;
  const account = openAccount({ id, name: spec.name, kind: 'preview', target: 'console', clock, onEvent });
  const { record, enter } = account;
  const queue = createPacketQueue(QUEUE_PACKETS);
  const openedMs = clock.nowMs();
  let container: Container | null = null;
  let containerTracks: Tracks | null = null;
  let pieces: Uint8Array[] = [];
  let fragmentDtsMs = 0;
  let fragmentKeyframe = false;
  let retryAtMs = openedMs;

  function takeBytes(): Uint8Array {
    const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    pieces = [];
    record.bytes += bytes.length;
    return bytes;
  }

  async function open(tracks: Tracks): Promise<Container> {
    const mimeType = mimeTypeOf(tracks.video.extradata ?? new Uint8Array(0));
    if (mimeType === null) throw new Error('the encoder gave no sequence parameters');
    pieces = [];
    const opened = await openMemoryContainer(
      'mp4',
      tracks,
      { movflags: '+empty_moov+default_base_moof+frag_custom+omit_tfhd_offset' },
      (bytes) => {
        pieces.push(bytes);
      },
    );
    spec.onInit(takeBytes(), mimeType);
    return opened;
  }

  async function endFragment(): Promise<void> {
    if (container === null) return;
    await container.cut();
    if (pieces.length > 0) spec.onFragment(takeBytes(), fragmentKeyframe);
  }

  /** Takes over `encoded`. */
  async function write(encoded: EncodedPacket): Promise<void> {
    const keyframe = encoded.track === 'video' && encoded.keyframe;
    if (container !== null && keyframe && containerTracks !== encoded.tracks) await drop();
    if (container === null) {
      if (!keyframe || clock.nowMs() < retryAtMs) {
        releasePacket(encoded);
        return;
      }
      container = await open(encoded.tracks);
      containerTracks = encoded.tracks;
      fragmentDtsMs = encoded.dtsMs;
      fragmentKeyframe = true;
      record.firstPacketMs ??= clock.nowMs() - openedMs;
    } else if (encoded.track === 'video' && (keyframe || encoded.dtsMs - fragmentDtsMs >= FRAGMENT_MS - 1)) {
      await endFragment();
      fragmentDtsMs = encoded.dtsMs;
      fragmentKeyframe = keyframe;
    }
    await container.write(encoded);
    enter('active', '');
  }

  async function drop(): Promise<void> {
    const closing = container;
    container = null;
    containerTracks = null;
    await closing?.close(true);
    pieces = [];
  }

  async function run(): Promise<void> {
    for (;;) {
      const encoded = await queue.take();
      if (encoded === null) break;
      try {
        await write(encoded);
      } catch (error) {
        record.lastError = describeError(error);
        record.reconnects++;
        retryAtMs = clock.nowMs() + RETRY_MS;
        enter('failed', record.lastError);
        await drop();
      }
    }
    try {
      await endFragment();
    } catch (error) {
      record.lastError = describeError(error);
    }
    await drop();
    enter('closed', '');
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
