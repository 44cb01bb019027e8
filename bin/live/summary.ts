import { rename, writeFile } from 'node:fs/promises';
import type { DurationSummary } from '../../engine/histogram.ts';
import type { Publisher } from '../../engine/replica/publisher.ts';
import type { SessionWorld } from '../../engine/world.ts';
import type { Resumed } from '../../systems/session/recover-session.ts';
import type { StageStats } from '../stage/protocol.ts';
import type { ResourceMeter } from './resource-meter.ts';

/** One object per run, written at its end. Values of one fly are keyed by its agent id. */
export type RunSummary = {
  readonly show: string;
  /** Master seed. */
  readonly seed: string;
  readonly endedBy: string;
  /** What this run continued; null when it began anew. Ticks, presses, rewards and rung then count from the beginning. */
  readonly resumedFrom: Resumed | null;
  /** From the first transition to the last. */
  readonly wallSeconds: number;
  readonly transitions: number;
  readonly brainTicks: Readonly<Record<string, number>>;
  /** Mean firing rate of all neurons since warm-up. */
  readonly meanRateHz: Readonly<Record<string, number>>;
  readonly presses: Readonly<Record<string, number>>;
  readonly rewards: Readonly<Record<string, { readonly count: number; readonly total: number }>>;
  readonly rung: { readonly rank: number; readonly label: string; readonly of: number };
  readonly rollbacks: number;
  readonly realTimeFactor: number;
  readonly lagMs: number;
  /** Work of a transition without the wait for its deadline. */
  readonly stepMs: DurationSummary;
  readonly kernelMs: DurationSummary;
  readonly environmentMs: DurationSummary;
  readonly behaviourDigest: string;
  readonly frames: { readonly drawn: number; readonly dropped: number };
  readonly outputs: readonly OutputSummary[];
  readonly peakRssMb: number;
  /** CPU seconds per second of the whole process tree while transitions ran. */
  readonly meanCores: number;
};

export type OutputSummary = {
  readonly name: string;
  readonly kind: string;
  readonly state: string;
  readonly bytes: number;
  readonly droppedFrames: number;
  readonly reconnects: number;
  /** From the start of the process to the first packet on the wire; null when none went out. */
  readonly firstPacketMs: number | null;
};

export type SummaryInput = {
  readonly world: SessionWorld;
  readonly seed: string;
  readonly rungs: readonly string[];
  readonly neurons: readonly number[];
  readonly endedBy: string;
  readonly wallMs: number;
  readonly transitions: number;
  readonly digest: string;
  readonly resumed: Resumed | null;
  readonly publisher: Publisher;
  readonly stage: StageStats | null;
  readonly firstPacketMs: ReadonlyMap<string, number>;
  readonly meter: ResourceMeter;
};

export function summarise(input: SummaryInput): RunSummary {
  const { world, transitions, wallMs, stage, meter } = input;
  const { Tally, AgentClock, StableId } = world.stores;
  const perAgent = <T>(value: (agent: number, index: number) => T): Record<string, T> =>
    Object.fromEntries(world.agents.map((agent, index) => [StableId[agent]!, value(agent, index)]));
  const stepMs = Number(world.stepDuration.numerator) / Number(world.stepDuration.denominator) / 1e6;
  const rank = world.transition.progress?.rank ?? -1;
  return {
    show: world.sessionId,
    seed: input.seed,
    endedBy: input.endedBy,
    resumedFrom: input.resumed,
    wallSeconds: wallMs / 1_000,
    transitions,
    brainTicks: perAgent((agent) => Number(AgentClock.ticks[agent]!)),
    meanRateHz: perAgent((agent, index) => {
      const ticks = Number(AgentClock.ticks[agent]! - AgentClock.warmupTicks[agent]!);
      return ticks === 0 ? 0 : (Tally.spikesTotal[agent]! * 1_000) / ticks / input.neurons[index]!;
    }),
    presses: perAgent((agent) => Tally.presses[agent]!),
    rewards: perAgent((agent) => ({ count: Tally.rewards[agent]!, total: Tally.rewardTotal[agent]! })),
    rung: { rank, label: input.rungs[rank] ?? '', of: input.rungs.length },
    rollbacks: world.rollbacks,
    realTimeFactor: wallMs === 0 ? 0 : (transitions * stepMs) / wallMs,
    lagMs: world.lagMs,
    stepMs: world.stepMs.summary(),
    kernelMs: world.kernelMs.summary(),
    environmentMs: world.environmentMs.summary(),
    behaviourDigest: input.digest,
    frames: { drawn: stage?.framesDrawn ?? 0, dropped: stage?.framesRepeated ?? 0 },
    outputs: (stage?.program.outputs ?? []).map((output) => ({
      name: output.name,
      kind: output.kind,
      state: output.state,
      bytes: output.bytes,
      droppedFrames: output.droppedFrames,
      reconnects: output.reconnects,
      firstPacketMs: input.firstPacketMs.get(output.name) ?? null,
    })),
    peakRssMb: meter.peakRssMb,
    meanCores: meter.meanCores,
  };
}

/** Written beside and renamed, so that a reader never sees half of it. */
export async function writeSummary(file: string, summary: RunSummary): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, `${JSON.stringify(summary, null, 2)}\n`);
  await rename(temporary, file);
}
