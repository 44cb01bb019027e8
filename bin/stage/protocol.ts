import type { ProgramStats } from '../../broadcast/program.ts';
import type { MixerStats } from '../../broadcast/mix/mixer.ts';
import type { EncodeOptions } from '../../broadcast/encode/encode-options.ts';

/** What the session process tells a new stage child first. Holds secrets; it travels over the pipe, never in argv. */
export type StageConfig = EncodeOptions & {
  readonly uplinks: readonly { readonly name: string; readonly url: string }[];
  readonly recording: { readonly folder: string; readonly segmentSeconds: number } | null;
};

/** Session -> stage, besides the replica protocol itself. */
export type StageOrder =
  | { readonly type: 'stage-config'; readonly config: StageConfig }
  /** The bundle of one agent is complete on disk: its map can be drawn. */
  | { readonly type: 'stage-geometry'; readonly agentIndex: number; readonly bundleFolder: string }
  /** The brain that is being grown: its points can be drawn before its edges exist. */
  | { readonly type: 'stage-growing'; readonly agentIndex: number; readonly seed: number }
  | { readonly type: 'stage-preview'; readonly wanted: boolean }
  /** Present what is queued, close every output, then end. */
  | { readonly type: 'stage-stop' };

/** Stage -> session. Preview bytes travel as one attachment of kind `preview`. */
export type StageReport =
  | { readonly type: 'stage-stats'; readonly stats: StageStats }
  | StageEvent
  | { readonly type: 'stage-preview-init'; readonly mimeType: string }
  | { readonly type: 'stage-preview-fragment'; readonly keyframe: boolean }
  | { readonly type: 'stage-failed'; readonly code: string; readonly text: string }
  | { readonly type: 'stage-done'; readonly stats: StageStats };

export type StageEvent = {
  readonly type: 'stage-event';
  readonly severity: 'info' | 'alarm';
  /** Output, encoder or probe the event is about; an info about a subject ends its alarm. */
  readonly subject: string;
  readonly code: string;
  readonly text: string;
};

export type StageStats = {
  readonly program: ProgramStats;
  readonly mixer: MixerStats;
  readonly framesDrawn: number;
  /** Slots whose picture was due and not drawn: the one before was shown again, or none at all. */
  readonly framesDropped: number;
  /** Those of them that got no picture: the stage fell so far behind that it gave them up, or ended before they came. */
  readonly framesLost: number;
  /** Mean drawing time of one picture over the last second, ms. */
  readonly drawMs: number;
  /** Difference between picture and sound leaving together, session time, ms; positive when the picture is ahead. */
  readonly avOffsetMs: number;
};
