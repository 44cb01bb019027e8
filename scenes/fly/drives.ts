import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import type { Replica } from '../../engine/replica/replica.ts';
import { createAdaptiveScale } from '../direction/adaptive-scale.ts';

/** Measured rates as fractions above rest, 0..1 (spec: show.md 106). All zero when nothing is measured. */
export type Drives = {
  forward: number;
  backward: number;
  steerLeft: number;
  steerRight: number;
  wings: number;
  proboscis: number;
  glow: number;
  breathing: number;
  /** Mean light on the retina is not in a snapshot; the eyes use the sensory population where it is tracked. */
  eyes: number;
};

type Source = { readonly key: keyof Drives; readonly indices: readonly number[]; readonly seedHz: number };

/** Smoothing of a drive before it moves a limb; one of the allowed constants (show.md 99). */
const SMOOTHING_MS = 200;

/** @returns the same object every call */
export function createDrives(
  descriptor: SessionDescriptor,
  agentIndex: number,
): (replica: Replica, nowMs: number) => Drives {
  const roles = descriptor.agents[agentIndex]?.rateRoles ?? [];
  const find = (...names: string[]): number[] => names.map((name) => roles.indexOf(name)).filter((index) => index >= 0);
  const commands = Array.from({ length: 8 }, (_, index) => `command_${index}`);
  const sources: readonly Source[] = [
    { key: 'forward', indices: find('forward'), seedHz: 12 },
    { key: 'backward', indices: find('backward'), seedHz: 12 },
    { key: 'steerLeft', indices: find('steer_left'), seedHz: 12 },
    { key: 'steerRight', indices: find('steer_right'), seedHz: 12 },
    { key: 'wings', indices: find(...commands), seedHz: 200 },
    { key: 'proboscis', indices: find('proboscis'), seedHz: 10 },
    { key: 'glow', indices: find('reward_pam'), seedHz: 25 },
    { key: 'eyes', indices: find('visual_l1', 'sensory').slice(0, 1), seedHz: 30 },
  ];
  const scales = sources.map((source) => createAdaptiveScale(source.seedHz));
  const breath = createAdaptiveScale(8);
  const drives: Drives = {
    forward: 0,
    backward: 0,
    steerLeft: 0,
    steerRight: 0,
    wings: 0,
    proboscis: 0,
    glow: 0,
    breathing: 0,
    eyes: 0,
  };
  let atMs = NaN;
  return (replica, nowMs) => {
    const agent = replica.snapshot?.agents[agentIndex];
    // with several flies a pulse belongs to the one whose reward cells it drives
    const fed = replica.snapshot?.sugar.active === true && (agent?.stimulusRemainingMs ?? 0) > 0;
    const elapsedMs = nowMs - atMs;
    atMs = nowMs;
    const follow = elapsedMs > 0 ? 1 - Math.exp(-elapsedMs / SMOOTHING_MS) : 0;
    sources.forEach(({ key, indices }, k) => {
      let rate = 0;
      for (const index of indices) rate += agent?.ratesHz[index] ?? 0;
      const scale = scales[k]!;
      scale.step(rate, nowMs);
      const target = key === 'proboscis' && fed ? 1 : scale.aboveRest();
      drives[key] += (target - drives[key]) * follow;
    });
    breath.step(agent?.populationRateHz ?? 0, nowMs);
    drives.breathing += (breath.aboveRest() - drives.breathing) * follow;
    return drives;
  };
}
