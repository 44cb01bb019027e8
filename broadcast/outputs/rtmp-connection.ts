import { DeviceError } from '../../engine/errors.ts';
import type { EncodedPacket, Tracks } from '../encode/encoded-packet.ts';
import { openRelay } from '../relay/relay.ts';
import type { Container } from './container.ts';
import { openUrlContainer } from './container.ts';
import type { RtmpTarget } from './rtmp-url.ts';

/** One publishing session with an ingest. */
export type UplinkConnection = {
  /** Takes over `encoded`. Resolves when it is on its way. @throws DeviceError UPLINK_LOST */
  write(encoded: EncodedPacket): Promise<void>;
  pendingBytes(): number;
  sentBytes(): number;
  /** Cuts the network, which also ends a pending write. */
  abort(reason: string): void;
  /**
   * Unpublishes, frees, and resolves when the ingest has read everything and hung up; `abort` ends the wait. No write may
   * be pending. Never throws.
   */
  close(): Promise<void>;
};

export type Connect = (target: RtmpTarget, tracks: Tracks, signal: AbortSignal) => Promise<UplinkConnection>;

/**
 * How many connections may be opening at once. Opening holds one of the four threads the media library, the disk and the
 * encoder share, and a silent server holds it until the attempt times out.
 */
const MAX_OPENING = 2;

let opening = 0;
const waiters: (() => void)[] = [];

/**
 * Connects, publishes and sends fresh headers. Aborting `signal` ends the attempt.
 * @throws DeviceError UPLINK_CONNECT
 */
export async function connectRtmp(target: RtmpTarget, tracks: Tracks, signal: AbortSignal): Promise<UplinkConnection> {
  const relay = await openRelay(target, { signal, tcUrl: target.tcUrl });
  const onAbort = (): void => relay.destroy('did not answer in time');
  signal.addEventListener('abort', onAbort, { once: true });
  await enter(signal);
  let container: Container;
  try {
    if (signal.aborted) throw new DeviceError('UPLINK_CONNECT', 'the attempt was ended.');
    container = await openUrlContainer('flv', `rtmp://127.0.0.1:${relay.port}${target.path}`, tracks, {
      flvflags: 'no_duration_filesize',
    });
  } catch (error) {
    relay.destroy('the ingest refused to publish');
    const reason = relay.failure() ?? 'the ingest refused to publish';
    throw new DeviceError('UPLINK_CONNECT', `${target.masked} ${reason}; it is tried again.`, { cause: error });
  } finally {
    leave();
    signal.removeEventListener('abort', onAbort);
  }
  return {
    async write(encoded) {
      try {
        await container.write(encoded);
      } catch (error) {
        throw new DeviceError('UPLINK_LOST', `${target.masked} ${relay.failure() ?? 'stopped taking the stream'}.`, {
          cause: error,
        });
      }
    },
    pendingBytes: () => relay.pendingBytes(),
    sentBytes: () => relay.sentBytes(),
    abort: (reason) => relay.destroy(reason),
    async close() {
      const alive = relay.failure() === null;
      try {
        await container.close(!alive);
      } catch {
        relay.destroy('the ingest left before the end'); // it is gone either way; the caller has its reason already
      }
      await relay.over;
    },
  };
}

async function enter(signal: AbortSignal): Promise<void> {
  while (opening >= MAX_OPENING && !signal.aborted) {
    await new Promise<void>((resolve) => {
      waiters.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
  opening++;
}

function leave(): void {
  opening--;
  waiters.shift()?.();
}
