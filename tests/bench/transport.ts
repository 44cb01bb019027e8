import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Duplex, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../engine/clock.ts';
import { DeviceError } from '../../engine/errors.ts';
import { createHistogram } from '../../engine/histogram.ts';
import type { DurationSummary } from '../../engine/histogram.ts';
import { openChannel } from '../../engine/replica/channel.ts';
import type { Channel } from '../../engine/replica/channel.ts';
import type { Snapshot } from '../../engine/replica/snapshot.ts';
import { holdChild } from './held-child.ts';

/** A reader in a process of its own, over the pipe the stage uses. */
export type TransportReader = {
  readonly channel: Channel;
  /**
   * Ends it. From the moment a snapshot was handed to the channel until the other process had it decoded, ms.
   * @throws DeviceError BENCH_TRANSPORT when it did not get every snapshot
   */
  finish(): Promise<DurationSummary>;
  /** Ends it and forgets what it saw. */
  end(): Promise<void>;
};

/** The first snapshots find a process whose code is not compiled yet. */
const SETTLE_SNAPSHOTS = 60;

export function openTransportReader(): TransportReader {
  const reader = fileURLToPath(new URL('transport-reader.ts', import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, reader], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  const held = holdChild(child);
  const answer = text(child.stdout as Readable);
  const inner = openChannel(child.stdio[3] as Duplex, { onMessage: () => undefined, onClose: () => undefined });
  const sentNs = new Map<number, bigint>();
  const channel: Channel = {
    ...inner,
    send(message) {
      const { header } = message;
      if (header.type === 'snapshot') sentNs.set((header as Snapshot).sequence, process.hrtime.bigint());
      inner.send(message);
    },
  };
  return {
    channel,
    async finish() {
      while (inner.pendingBytes() > 0 && !held.isOver) await systemClock.sleep(10);
      inner.close();
      await held.ended;
      const received = JSON.parse((await answer) || '[]') as [sequence: number, atNs: string][];
      if (received.length !== sentNs.size) {
        throw new DeviceError('BENCH_TRANSPORT', `a reader got ${received.length} of ${sentNs.size} snapshots.`);
      }
      const histogram = createHistogram();
      for (const [sequence, atNs] of received.slice(SETTLE_SNAPSHOTS)) {
        histogram.record(Number(BigInt(atNs) - sentNs.get(sequence)!) / 1e6);
      }
      return histogram.summary();
    },
    async end() {
      inner.close();
      await held.end();
    },
  };
}
