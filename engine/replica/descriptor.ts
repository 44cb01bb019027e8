import type { StimulusKind } from '../contract/brain.ts';
import type {
  AudioDescriptor,
  EnvironmentDescriptor,
  PortDescriptor,
  ViewDescriptor,
} from '../contract/environment.ts';
import type { TaskPresentation } from '../contract/task.ts';
import type { ConnectomeOrigin } from '../contract/connectome.ts';

/**
 * What a session is, sent before any snapshot that depends on it and again on every change (spec: feed-control.md 6.2).
 * Scenes bind their panels to this, never to a game's name.
 */
export type SessionDescriptor = {
  readonly sessionId: string;
  readonly revision: number;
  readonly showId: string;
  readonly release: string;
  readonly compositionDigest: string;
  readonly schedulerId: 'lockstep-v1';
  readonly environment: EnvironmentSummary;
  readonly task: { readonly taskId: string; readonly presentation: TaskPresentation };
  readonly agents: readonly AgentDescriptor[];
  /** Chat is switched on for this show; false removes the panel, an empty list keeps it. */
  readonly chat: boolean;
};

export type EnvironmentSummary = {
  readonly kind: string;
  /** Reduced fraction, decimal strings. */
  readonly stepDurationNs: { readonly numerator: string; readonly denominator: string };
  readonly ports: readonly PortDescriptor[];
  readonly views: readonly ViewDescriptor[];
  readonly audio: readonly AudioDescriptor[];
  /** Whether the world can be saved and continued exactly, or only begin its episode again (spec: session.md 13). */
  readonly recovery: EnvironmentDescriptor['recovery'];
  /** `unverified`: two runs of one seed were never shown to be alike. */
  readonly determinism: EnvironmentDescriptor['determinism'];
};

export type AgentDescriptor = {
  readonly agentId: string;
  readonly portId: string;
  readonly seed: number;
  readonly connectome: ConnectomeSummary;
  readonly learning: LearningMode;
  /** Whether the picture was seen to reach this brain's readout; null or absent when nobody looked. */
  readonly vision?: VisionFact | null;
  /** What can be given to this fly; without `reward-pulse` it takes no sugar (spec: arena.md F12). */
  readonly supportedStimuli: readonly StimulusKind[];
  /** Order of `telemetry.ratesHz`. */
  readonly rateRoles: readonly string[];
  /** Neurons in each tracked role, `rateRoles` order. */
  readonly roleSizes: readonly number[];
  /** Readout channels in decoder order with the role each reads and, for pulses, the score that fires it. */
  readonly channels: readonly {
    readonly channel: string;
    readonly role: string;
    readonly threshold: number | null;
  }[];
};

/**
 * Light against darkness on one brain: how far the command scores move, and how far noise alone moves them.
 * `differs` false is a warning: what this brain does cannot come from what it sees.
 */
export type VisionFact = { readonly differs: boolean; readonly effect: number; readonly noise: number };

/** `frozen` and `shuffled` are control runs: no gain moves, or gains move by rewards of a coin-flip sign. */
export type LearningMode = 'on' | 'frozen' | 'shuffled';

export type ConnectomeSummary = {
  readonly name: string;
  readonly origin: ConnectomeOrigin;
  readonly neurons: number;
  readonly edges: number;
  readonly retinaColumns: number;
  /** Licence and credit line to show. */
  readonly credit: string;
  readonly identity: string;
};
