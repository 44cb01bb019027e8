import { rename, writeFile } from 'node:fs/promises';
import type { DurationSummary } from '../../engine/histogram.ts';
import type { Resumed } from '../../systems/session/recover-session.ts';
import type { Studio } from './open-studio.ts';
import type { SessionResult } from './run-session.ts';

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
  /** Boundaries later than their wall deadline, caught up or not; 0 in an unthrottled run. */
  readonly missedDeadlines: number;
  /** Work of a transition without the wait for its deadline. */
  readonly stepMs: DurationSummary;
  readonly kernelMs: DurationSummary;
  readonly environmentMs: DurationSummary;
  readonly behaviourDigest: string;
  /** Sessions before this one in the same process, oldest first. */
  readonly earlier: readonly SessionSummary[];
  /** `dropped` were due and not drawn; `lost` of them were not even repeated: the stream is shorter by as many. */
  readonly frames: { readonly drawn: number; readonly dropped: number; readonly lost: number };
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

/** A session of this run that ended when another show was taken. */
export type SessionSummary = { readonly show: string; readonly transitions: number; readonly behaviourDigest: string };

/** @param earlier sessions of the same process, before the last one that `result` describes */
export function summarise(studio: Studio, result: SessionResult, earlier: readonly SessionSummary[]): RunSummary {
  const { config, firstPacketMs, meter } = studio;
  const { world, transitions, wallMs } = result;
  const stage = studio.stage?.stats ?? null;
  const { rungs } = result.presentation;
  const { Tally, AgentClock, StableId } = world.stores;
  const perAgent = <T>(value: (agent: number, index: number) => T): Record<string, T> =>
    Object.fromEntries(world.agents.map((agent, index) => [StableId[agent]!, value(agent, index)]));
  const stepMs = Number(world.stepDuration.numerator) / Number(world.stepDuration.denominator) / 1e6;
  const rank = world.transition.progress?.rank ?? -1;
  return {
    show: world.sessionId,
    seed: config.seed,
    endedBy: world.stopRequested ?? 'count reached',
    resumedFrom: result.resumed,
    wallSeconds: wallMs / 1_000,
    transitions,
    brainTicks: perAgent((agent) => Number(AgentClock.ticks[agent]!)),
    meanRateHz: perAgent((agent, index) => {
      const ticks = Number(AgentClock.ticks[agent]! - AgentClock.warmupTicks[agent]!);
      return ticks === 0 ? 0 : (Tally.spikesTotal[agent]! * 1_000) / ticks / result.neurons[index]!;
    }),
    presses: perAgent((agent) => Tally.presses[agent]!),
    rewards: perAgent((agent) => ({ count: Tally.rewards[agent]!, total: Tally.rewardTotal[agent]! })),
    rung: { rank, label: rungs[rank] ?? '', of: rungs.length },
    rollbacks: world.rollbacks,
    realTimeFactor: wallMs === 0 ? 0 : (transitions * stepMs) / wallMs,
    lagMs: world.lagMs,
    missedDeadlines: result.missedDeadlines,
    stepMs: world.stepMs.summary(),
    kernelMs: world.kernelMs.summary(),
    environmentMs: world.environmentMs.summary(),
    behaviourDigest: result.digest,
    earlier,
    frames: {
      drawn: stage?.framesDrawn ?? 0,
      dropped: stage?.framesDropped ?? 0,
      lost: stage?.framesLost ?? 0,
    },
    outputs: (stage?.program.outputs ?? []).map((output) => ({
      name: output.name,
      kind: output.kind,
      state: output.state,
      bytes: output.bytes,
      droppedFrames: output.droppedFrames,
      reconnects: output.reconnects,
      firstPacketMs: firstPacketMs.get(output.name) ?? null,
    })),
    peakRssMb: meter.peakRssMb,
    meanCores: result.meanCores,
  };
}

/** Written beside and renamed, so that a reader never sees half of it. */
export async function writeSummary(file: string, summary: RunSummary): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, `${JSON.stringify(summary, null, 2)}\n`);
  await rename(temporary, file);
}
