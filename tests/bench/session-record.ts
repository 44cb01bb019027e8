import { availableParallelism } from 'node:os';
import type { ComposedSession } from '../../bin/live/compose-session.ts';

/** What a figure belongs to (spec: session.md 26, "Record"). */
export type SessionRecord = {
  readonly show: string;
  readonly compositionDigest: string;
  /** SHA-256 of the core library or the simulator, of the cartridge or level data, and of how it was set up. */
  readonly backendDigest: string;
  readonly contentDigest: string;
  readonly configurationDigest: string;
  /** Per agent: its seed, and its bundle as the descriptor names it. */
  readonly agents: readonly { readonly agentId: string; readonly seed: number; readonly connectome: string }[];
  /** Logical processors this process may use. Every brain has a worker thread, every emulator a process. */
  readonly cores: number;
  readonly views: readonly string[];
  readonly clocks: {
    /** Exact, reduced. */
    readonly worldStepNs: string;
    readonly neuralTickMs: number;
    readonly audioHz: readonly number[];
  };
};

export function recordSession({ descriptor, world }: Pick<ComposedSession, 'descriptor' | 'world'>): SessionRecord {
  const { audio, backendDigest, configurationDigest, contentDigest, stepDuration, views } =
    world.handles.environment.descriptor;
  return {
    show: descriptor.showId,
    compositionDigest: descriptor.compositionDigest,
    backendDigest,
    contentDigest,
    configurationDigest,
    agents: descriptor.agents.map(({ agentId, connectome, seed }) => ({ agentId, seed, connectome: connectome.name })),
    cores: availableParallelism(),
    views: views.map(({ heightPx, viewId, widthPx }) => `${viewId} ${widthPx}x${heightPx}`),
    clocks: {
      worldStepNs: `${stepDuration.numerator}/${stepDuration.denominator}`,
      neuralTickMs: 1,
      audioHz: audio.map(({ sampleRateHz }) => sampleRateHz),
    },
  };
}
