import type { Clock } from '../../engine/clock.ts';
import { describeError } from '../../engine/errors.ts';
import type { EncodedPacket } from '../encode/encoded-packet.ts';
import { releasePacket } from '../encode/encoded-packet.ts';
import type { AlarmName, ProbeReport } from './alarm-policy.ts';
import { createAlarmPolicy } from './alarm-policy.ts';
import { countPictures, measureRmsDb } from './decode-window.ts';
import { createPacketStore } from './packet-store.ts';

export type { ProbeReport } from './alarm-policy.ts';

export type AlarmEvent = {
  readonly kind: 'alarm';
  readonly alarm: AlarmName | 'probe';
  readonly raised: boolean;
  readonly detail: string;
};

/**
 * Decodes what was encoded and raises alarms. Every counter of a reference stream was green through 3 h 50 min of a
 * frozen picture, so health is read from the output alone (spec: broadcast.md 36, 37).
 */
export type OutputProbe = {
  offer(encoded: EncodedPacket): void;
  /** A full look now. */
  run(): Promise<ProbeReport>;
  latest(): ProbeReport | null;
  /** What was encoded since the newest keyframe; references of the caller's own, release each one. */
  newestGop(): EncodedPacket[];
  close(): Promise<void>;
};

export type OutputProbeOptions = {
  readonly clock: Clock;
  readonly fps: number;
  readonly onAlarm: (event: AlarmEvent) => void;
};

/** Seconds that are looked at (spec: broadcast.md 37). */
const WINDOW_MS = 3_000;
/** Time between light looks: one keyframe and the sound, ms. */
export const LIGHT_INTERVAL_MS = 30_000;
/** Every tenth look decodes all pictures: every 5 min (spec: broadcast.md 38). */
export const LOOKS_PER_FULL = 10;

export function createOutputProbe(options: OutputProbeOptions): OutputProbe {
  const { clock, fps, onAlarm } = options;
  const store = createPacketStore(WINDOW_MS);
  const policy = createAlarmPolicy();
  const stop = new AbortController();
  let newestUnixMs = clock.unixMs();
  let latest: ProbeReport | null = null;
  let failing = false;
  let turn: Promise<unknown> = Promise.resolve();

  async function look(full: boolean): Promise<ProbeReport> {
    const packets = store.copy();
    try {
      const pictures = await countPictures(full ? packets : newestKeyframe(packets), (WINDOW_MS / 1_000) * fps);
      const rmsDb = await measureRmsDb(packets);
      const atUnixMs = clock.unixMs();
      const report: ProbeReport = { atUnixMs, ...pictures, rmsDb, newestAgeMs: atUnixMs - newestUnixMs };
      latest = report;
      for (const change of policy.judge(report, clock.nowMs())) onAlarm({ kind: 'alarm', ...change });
      return report;
    } finally {
      for (const encoded of packets) releasePacket(encoded);
    }
  }

  /** One look at a time: they share the decoder's core. */
  function queueLook(full: boolean): Promise<ProbeReport> {
    const next = turn.then(() => look(full));
    turn = next.catch(() => undefined); // whoever asked hears it; the next look must still come
    return next;
  }

  async function repeat(): Promise<void> {
    for (let count = 1; ; count++) {
      await clock.sleep(LIGHT_INTERVAL_MS, stop.signal);
      if (stop.signal.aborted) return;
      try {
        await queueLook(count % LOOKS_PER_FULL === 0);
        if (failing) onAlarm({ kind: 'alarm', alarm: 'probe', raised: false, detail: 'the output decodes again' });
        failing = false;
      } catch (error) {
        if (!failing) onAlarm({ kind: 'alarm', alarm: 'probe', raised: true, detail: describeError(error) });
        failing = true;
      }
    }
  }

  const repeating = repeat();

  return {
    offer(encoded) {
      if (stop.signal.aborted) return;
      if (encoded.track === 'video') newestUnixMs = encoded.submittedUnixMs;
      store.offer(encoded);
    },
    run: () => queueLook(true),
    latest: () => latest,
    newestGop: () => store.newestGop(),
    async close() {
      stop.abort();
      await repeating;
      await turn;
      store.clear();
    },
  };
}

function newestKeyframe(packets: readonly EncodedPacket[]): readonly EncodedPacket[] {
  const newest = packets.findLast((encoded) => encoded.track === 'video' && encoded.keyframe);
  return newest === undefined ? [] : [newest];
}
