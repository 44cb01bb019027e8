import type { Clock } from '../../engine/clock.ts';
import type { EncodedPacket } from '../encode/encoded-packet.ts';

/** `failed` means it is not working now and tries again by itself later; only `closed` is final. */
export type OutputState = 'connecting' | 'active' | 'congested' | 'retrying' | 'failed' | 'closed';

export type OutputKind = 'rtmp' | 'recording' | 'preview';

export type RtmpSpec = {
  readonly kind: 'rtmp';
  readonly name: string;
  /** rtmp:// or rtmps://, key included. A secret: it is never printed, see `maskRtmpUrl`. */
  readonly url: string;
};

export type RecordingSpec = {
  readonly kind: 'recording';
  readonly name: string;
  /** Created when absent. */
  readonly folder: string;
  /** Length of a segment, s; 600 when absent (spec: broadcast.md 67). */
  readonly segmentSeconds?: number;
};

export type PreviewSpec = {
  readonly kind: 'preview';
  readonly name: string;
  /** `ftyp` + `moov`. Called before the first fragment and again whenever the stream's headers change. */
  readonly onInit: (bytes: Uint8Array, mimeType: string) => void;
  /** `moof` + `mdat`, about half a second; `keyframe` when a player may start with it. Receiver owns the bytes. */
  readonly onFragment: (bytes: Uint8Array, keyframe: boolean) => void;
};

export type OutputSpec = RtmpSpec | RecordingSpec | PreviewSpec;

export type OutputStats = {
  readonly id: string;
  readonly name: string;
  readonly kind: OutputKind;
  readonly state: OutputState;
  /** Where it goes; an uplink's key reads `<key>`. */
  readonly target: string;
  /** Container bytes handed on. */
  readonly bytes: number;
  /** Video frames this output lost while the others had them. */
  readonly droppedFrames: number;
  readonly reconnects: number;
  /** From the start of the last attempt to its first packet, ms; null before. */
  readonly firstPacketMs: number | null;
  /** 0 nothing waits .. 1 the buffer is full and pictures are dropped. */
  readonly congestion: number;
  readonly lastError: string | null;
  /** Unix ms of the last state change. */
  readonly sinceUnixMs: number;
};

/** What the owner of an output holds. */
export type Output = { readonly id: string; stats(): OutputStats };

/** What the program drives. */
export type OutputLeg = Output & {
  /** Never blocks and never throws; keeps a reference when it wants the packet. */
  push(encoded: EncodedPacket): void;
  /** Finishes what waits and closes; resolves within `limitMs` whatever the other side does. */
  close(limitMs: number): Promise<void>;
};

export type OutputEvent =
  | {
      readonly kind: 'output-state';
      readonly id: string;
      readonly name: string;
      readonly output: OutputKind;
      readonly state: OutputState;
      /** Why, in one line without secrets; empty when nothing is wrong. */
      readonly detail: string;
    }
  | {
      readonly kind: 'recording-segment';
      readonly id: string;
      readonly file: string;
      /** Unix ms of the first picture. */
      readonly startUnixMs: number;
    };

/** The state and counters all outputs have in common. */
export type OutputRecord = {
  state: OutputState;
  bytes: number;
  droppedFrames: number;
  reconnects: number;
  firstPacketMs: number | null;
  lastError: string | null;
  sinceUnixMs: number;
};

/** One output's record: every change of state is dated and reported once. */
export type OutputAccount = {
  readonly record: OutputRecord;
  enter(state: OutputState, detail: string): void;
  /** `waiting` is what the output's queue holds (`congestion`) and has lost (`droppedFrames`). */
  stats(waiting: { readonly congestion: number; readonly droppedFrames: number }): OutputStats;
};

export type OutputAccountOptions = Pick<OutputStats, 'id' | 'name' | 'kind' | 'target'> & {
  readonly clock: Clock;
  readonly onEvent: (event: OutputEvent) => void;
};

export function openAccount({ id, name, kind, target, clock, onEvent }: OutputAccountOptions): OutputAccount {
  const record: OutputRecord = {
    state: 'connecting',
    bytes: 0,
    droppedFrames: 0,
    reconnects: 0,
    firstPacketMs: null,
    lastError: null,
    sinceUnixMs: clock.unixMs(),
  };
  return {
    record,
    enter(state, detail) {
      if (record.state === state) return;
      record.state = state;
      record.sinceUnixMs = clock.unixMs();
      onEvent({ kind: 'output-state', id, name, output: kind, state, detail });
    },
    stats: ({ congestion, droppedFrames }) => ({
      id,
      name,
      kind,
      target,
      ...record,
      droppedFrames: record.droppedFrames + droppedFrames,
      congestion,
    }),
  };
}
