import type { ConnectomeOrigin } from '../../engine/contract/connectome.ts';
import type { Health } from '../../engine/health.ts';
import type { LearningMode } from '../../engine/replica/descriptor.ts';
import type { SessionStatus, ShownEvent } from '../../engine/replica/snapshot.ts';

/**
 * What the control server may ask of the running session: look, give sugar, take another show, stop. There is no way to
 * press a button, touch a game's memory or change what is rewarded (spec: feed-control.md 42, 99).
 * Every call is cheap and none waits but `sugar`, `shows` and `requestShow`; `status` is taken four times a second.
 */
export type ControlledSession = {
  status(): StatusReport;
  /** Begins an orderly end (checkpoint, trailers, uplinks closed). Idempotent. `by` goes to the event log. */
  requestStop(by: string): void;
  /** Decided at the next boundary. */
  sugar(request: SugarRequest): SugarAnswer | Promise<SugarAnswer>;
  /** Every show this process could run, in an order that does not change; exactly one is current once one runs. */
  shows(): Promise<readonly ShowChoice[]>;
  /**
   * Begins to swap to another show: the running session is sealed at a committed boundary, an intermission is drawn, the
   * other session starts; encoder, uplinks and recording go on. The answer comes when it is decided whether that happens,
   * not when it is over; `StatusReport.swap` follows it. An accepted one goes to the event log as an operator's
   * intervention with `by` (spec: feed-control.md 96).
   */
  requestShow(request: ShowRequest): Promise<ShowAnswer>;
  /**
   * Events with `id > since`, oldest first, at most `limit`; a `since` older than the ring starts at the oldest kept.
   * Ids go on rising across a swap.
   */
  events(since: number, limit: number): readonly ShownEvent[];
  /**
   * Calls `init` when a stream begins (at once if one is running) and again whenever its settings change, then
   * `fragment` for each piece. Bytes belong to the listener. Returns the function that ends the subscription.
   */
  subscribePreview(listener: PreviewListener): () => void;
  /** Prometheus text 0.0.4; see `formatMetrics`. */
  metrics(): string;
};

export type ShowChoice = {
  readonly id: string;
  /** How many flies play, at least 1. */
  readonly agents: number;
  /** What they play, as the show names it, e.g. `windfall`. */
  readonly environment: string;
  /** It runs now. During a swap this is the show that is left, until the other one runs. */
  readonly current: boolean;
};

export type ShowRequest = {
  /** As `ShowChoice.id` has it. */
  readonly id: string;
  /** Validated display name, 1 to 25 characters. */
  readonly by: string;
};

/** Only `accepted` changes anything. */
export type ShowAnswer =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'unknown-show'; readonly detail: string }
  | { readonly kind: 'already-running' }
  /** A swap or a stop is under way. */
  | { readonly kind: 'busy'; readonly detail: string };

export type SugarRequest = {
  /** Validated display name, 1 to 25 characters. */
  readonly by: string;
  readonly source: 'operator';
  /** Asked length, finite and above 0; null for the session's default (spec: feed-control.md 46). */
  readonly durationMs: number | null;
  /** Null addresses the only agent; with several it is refused as ambiguous (feed-control.md 89). */
  readonly agentId: string | null;
};

export type SugarAnswer =
  | { readonly kind: 'accepted'; readonly eventId: number }
  | { readonly kind: 'cooling-down'; readonly retryAfterMs: number }
  /** The request names no agent among several, or means nothing here. */
  | { readonly kind: 'invalid'; readonly detail: string }
  | { readonly kind: 'unknown-agent'; readonly detail: string }
  /** This fly has nothing that sugar could drive (spec: feed-control.md 90). */
  | { readonly kind: 'unsupported'; readonly detail: string }
  /** Booting, recovering, paused, no boundary in time, queue full: not admitted, and it will not be later either. */
  | { readonly kind: 'unavailable'; readonly detail: string };

export type PreviewListener = {
  /** Fragmented MP4 `ftyp` + `moov` and the type a browser needs, e.g. `video/mp4; codecs="avc1.640028,mp4a.40.2"`. */
  init(bytes: Uint8Array, mimeType: string): void;
  /** One or more whole `moof` + `mdat`. */
  fragment(bytes: Uint8Array): void;
};

/** One look at everything. `null` means not known (yet); zero is a measured zero. */
export type StatusReport = {
  /** The word the feed has for `standing`. */
  readonly status: SessionStatus;
  /** How the session itself says it stands, and whom that is about. */
  readonly standing: Health;
  /** As `ShowChoice.id` has it; changes when the other session's report is this one. */
  readonly showId: string;
  readonly release: string;
  readonly sessionId: string;
  /** Last committed boundary, decimal. */
  readonly step: string;
  /** World time of this episode. */
  readonly worldMs: number;
  /** Simulated time of the whole run, over all its episodes. */
  readonly runSeconds: number;
  /** Simulated ms per wall ms over the last second. */
  readonly realTimeFactor: number | null;
  readonly lagMs: number;
  readonly uptimeSeconds: number;
  readonly seed: number;
  readonly agents: readonly AgentReport[];
  /** `on`, or which control run this is; `AgentReport.learning` is each brain's own switch. */
  readonly learningMode: LearningMode;
  /** Null before boundary 0. */
  readonly progress: ProgressReport | null;
  readonly outputs: readonly OutputReport[];
  readonly stage: StageReport;
  readonly environment: EnvironmentReport;
  readonly barrier: BarrierReport;
  readonly feed: FeedReport;
  /** Null before the session's store is open. */
  readonly saves: SavesReport | null;
  readonly eventLog: EventLogReport;
  /** Null when the show has no sound. */
  readonly sound: SoundReport | null;
  /** What the encoder and its probe say; null while nothing is drawn. */
  readonly media: MediaReport | null;
  /** The swap under way, null when none is. `from` and `to` always differ. */
  readonly swap: SwapReport | null;
  /** The newest state that a restart could continue from; null before the first one. */
  readonly checkpoint: CheckpointReport | null;
  /** What an operator must look at now, most urgent first. */
  readonly alarms: readonly { readonly code: string; readonly text: string }[];
  /** Resident memory of all our processes, MiB. */
  readonly memoryMb: number;
  readonly cores: {
    /** CPU seconds per second of all our processes. */
    readonly busy: number | null;
    readonly available: number;
  };
};

export type SwapReport = {
  /** Show ids. */
  readonly from: string;
  readonly to: string;
  /** In this order: the old session is saved, the scene between is drawn, the new session starts. */
  readonly phase: 'sealing' | 'intermission' | 'starting';
};

export type CheckpointReport = {
  /** Decimal. */
  readonly boundary: string;
  /** Since it was complete. */
  readonly ageSeconds: number;
  /** One or two words for the operator, e.g. `durable`, `hot`. */
  readonly kind: string;
};

export type AgentReport = {
  readonly agentId: string;
  readonly populationRateHz: number;
  readonly brainMs: number;
  /** Spikes of the last transition. */
  readonly spikeCount: number;
  /** Median wall time of this brain's part of one step; null before the first. */
  readonly stepMs: number | null;
  /** Its brain is being waited for at this moment. */
  readonly isAwaited: boolean;
  readonly learning: boolean;
  readonly connectome: { readonly name: string; readonly origin: ConnectomeOrigin };
};

export type ProgressReport = {
  /** Highest earned rung, -1 before the first. */
  readonly rank: number;
  /** How many rungs the ladder has. */
  readonly rungs: number;
  readonly label: string;
  /** Label of the lowest rung not yet earned. */
  readonly next: string;
  /** Plain words, empty when unknown. */
  readonly mode: string;
};

export type OutputState = 'starting' | 'active' | 'congested' | 'reconnecting' | 'failed' | 'stopped';

export type OutputReport = {
  /** Operator's name or a masked address; never a stream key. */
  readonly name: string;
  readonly kind: 'rtmp' | 'recording' | 'preview';
  readonly state: OutputState;
  readonly bytes: number;
  readonly droppedFrames: number;
  readonly reconnects: number;
  /** 0 (free) to 1 (stalled); null where no network is involved. */
  readonly congestion: number | null;
  /** One line without secrets, or null. */
  readonly lastError: string | null;
  /** Since this output last became active; null while it is not. */
  readonly activeSeconds: number | null;
};

export type StageReport = {
  readonly state: 'off' | 'starting' | 'drawing' | 'stuck' | 'restarting';
  /** FFmpeg's name, e.g. `libx264`, `h264_nvenc`; null until one is open. */
  readonly encoder: string | null;
  readonly framesDrawn: number;
  /** Due and not drawn: the picture before was shown again, or none at all. */
  readonly framesDropped: number;
  /** Those of them that are not in the stream at all: it is shorter by as many. */
  readonly framesLost: number;
  /** Mean drawing time of one picture over the last second. */
  readonly drawMs: number | null;
};

export type EnvironmentReport = {
  readonly state: 'starting' | 'stepping' | 'paused' | 'restarting' | 'stopped';
  /** Mean wall time of one step over the last second. */
  readonly stepMs: number | null;
};

/** Where all flies of a step meet (spec: session.md 8). */
export type BarrierReport = {
  /** Median wall time from the first brain's start to the last one's answer; null before the first step. */
  readonly stepMs: number | null;
  /** How long the flies or the world have been waited for at this moment; 0 when they are not. */
  readonly waitingMs: number;
};

export type FeedReport = {
  readonly published: number;
  /** Snapshots that readers lost because they read too slowly. */
  readonly dropped: number;
  /** Of what a slow reader gets later: events and pieces of sound it never got. */
  readonly lostEvents: number;
  readonly lostSoundChunks: number;
  /** Readers let go because they could not be written to. */
  readonly lostReaders: number;
};

export type SavesReport = {
  /** Saves that run or wait. */
  readonly waiting: number;
  readonly waitingBytes: number;
  /** Refused because too much waited. */
  readonly refused: number;
  /** Age of the save that runs now; 0 when none does. */
  readonly runningMs: number;
};

export type EventLogReport = {
  /** Lines that are not on the disk yet. */
  readonly waiting: number;
  /** Lines given up because the disk refused them for too long. */
  readonly lost: number;
};

export type SoundReport = {
  /** Programme loudness as RMS, dB below full scale; null while nothing was measured. */
  readonly rmsDb: number | null;
  /** Sound waiting between the session and the encoder. */
  readonly fillMs: number;
  readonly underruns: number;
};

export type MediaReport = {
  /** Picture and sound that leave together, difference in session time, ms; positive when the picture is ahead. */
  readonly avOffsetMs: number;
  /** Pictures inside the encoder. */
  readonly encoderQueue: number;
  /** Latest decode of what was encoded: about 90 pictures in a full look, 1 in a light one; null before the first. */
  readonly probe: { readonly decodedFrames: number; readonly identicalFrames: number } | null;
};
