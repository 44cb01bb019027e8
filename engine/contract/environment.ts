import type { RationalNs } from '../rational.ts';

/** What one world offers, fixed inside an epoch (spec: session.md 13, feed-control.md 6.2). */
export type EnvironmentDescriptor = {
  readonly kind: string;
  /** SHA-256 of the core library or simulator build. */
  readonly backendDigest: string;
  /** SHA-256 of the cartridge or level data. */
  readonly contentDigest: string;
  readonly configurationDigest: string;
  /** Exact world time of one step. Game Boy: 8572265625/512 ns. */
  readonly stepDuration: RationalNs;
  readonly ports: readonly PortDescriptor[];
  readonly inspectionSchema: string;
  readonly views: readonly ViewDescriptor[];
  readonly audio: readonly AudioDescriptor[];
  readonly recovery: 'exact-checkpoint' | 'episode-restart';
  readonly determinism: 'fixed-build' | 'unverified';
};

export type PortDescriptor = {
  readonly portId: string;
  readonly buttons: readonly string[];
  readonly axes: readonly { readonly id: string; readonly range: 'bipolar' | 'unit'; readonly neutral: number }[];
};

export type ViewDescriptor = {
  readonly viewId: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly pixelAspect: { readonly numerator: number; readonly denominator: number };
  readonly observationDelaySteps: number;
  /** Seen by the agent on this port alone; absent: everybody's. */
  readonly portId?: string;
};

/** Where a chunk of sound begins, counted from the episode's first sample; `discontinuity`: samples were skipped. */
export type AudioMark = { readonly firstSample: number; readonly discontinuity: boolean };

export type AudioDescriptor = { readonly streamId: string; readonly sampleRateHz: number; readonly channels: number };

/** All controls of one port for one step, in the port's own order. */
export type PortControl = {
  readonly portId: string;
  readonly buttons: readonly boolean[];
  readonly axes: readonly number[];
};

/** Every declared port exactly once, in descriptor order. The only input a world ever gets. */
export type ControlBatch = { readonly batchId: string; readonly ports: readonly PortControl[] };

/** The world at one boundary. Arrays are owned by the receiver until the next but one observation. */
export type Observation = {
  /** The backend's own counter, as text. */
  readonly engineFrame: string;
  /** Descriptor order; `widthPx * heightPx * 4` bytes, RGBA, top-left origin, no padding. */
  readonly views: readonly Uint8Array[];
  /**
   * Boundary each view shows, descriptor order: max(0, boundary - delay). Absent when no view is delayed: each shows
   * the boundary it came with (spec: session.md 12.1).
   */
  readonly producedSteps?: readonly number[];
  /** Descriptor order; interleaved float32 in [-1, 1]; empty at boot and after a restore. */
  readonly audio: readonly Float32Array[];
  /** Descriptor order; absent: every chunk begins where the last one of its stream ended. */
  readonly audioMarks?: readonly AudioMark[];
  /** Game Boy: the 65,536-byte memory image (spec: session.md 10). */
  readonly inspection: Uint8Array;
};

/**
 * One world: an emulator child or a simulator. Exactly one `advance` at a time. A dead backend rejects the pending
 * call with DeviceError ENVIRONMENT_DEAD (its exit code or signal in the message) and every later call too.
 */
export type Environment = {
  readonly descriptor: EnvironmentDescriptor;
  /** Runs the declared set-up scaffold with no button held and returns boundary 0. Audio of it is discarded. */
  boot(): Promise<Observation>;
  /** Applies the batch and runs one step. @throws InvariantError CONTROL_BATCH when it is incomplete */
  advance(batch: ControlBatch): Promise<Observation>;
  /** Everything needed to continue exactly, slots included. Changes nothing that a player could notice. */
  capture(): Promise<Uint8Array>;
  /** @throws DataError ENVIRONMENT_STATE; the running world is untouched then. Runs no frame. */
  restore(state: Uint8Array): Promise<Observation>;
  /** Replaces the named slot with the present state and picture (spec: session.md 13). */
  saveSlot(slotId: string): Promise<void>;
  /** Continues from the slot; buttons released; runs no frame. @throws DataError SLOT_EMPTY */
  restoreSlot(slotId: string): Promise<Observation>;
  /** Starts the backend afresh after it died; `boot` or `restore` must follow. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

export type OpenEnvironmentOptions = {
  readonly environmentId: string;
  /** Absolute path of the cartridge or level file, when the kind needs one. */
  readonly contentPath: string | null;
  readonly slotIds: readonly string[];
  /** Ports the show's agents play on, in show order. A world that can have more or fewer players declares just these. */
  readonly portIds?: readonly string[];
  /** Where cores are kept and fetched to: `$FLY_HOME/cores`. */
  readonly coresFolder: string;
  /** One line for an operator: progress or a fact. */
  readonly report: (line: string) => void;
};

/** What `systems/environment/<kind>/environment.ts` exports as `environmentModule`. */
export type EnvironmentModule = {
  readonly kind: string;
  open(options: OpenEnvironmentOptions): Promise<Environment>;
};
