import type { DecoderGroup } from './decoder-config.ts';

/** Winner and habituation of one group in which at most one channel is held; channels `start` up to `end`. */
export type ExclusiveGroup = {
  readonly rules: DecoderGroup | null;
  readonly start: number;
  readonly end: number;
  /** 0..1 per channel of the group, from `start` on. */
  readonly fatigue: Float64Array;
  /** Channel index, -1 for none. */
  current: number;
  nextDecisionMs: number;
};

/** @param start index of the group's first channel among all channels */
export function createExclusiveGroup(rules: DecoderGroup | null, start: number): ExclusiveGroup {
  const size = rules?.channels.length ?? 0;
  return { rules, start, end: start + size, fatigue: new Float64Array(size), current: -1, nextDecisionMs: 0 };
}

/**
 * Chooses the group's winner once its decision time has come (spec: brain.md 8.2, steps 5a to 5g).
 * @param scores one per channel of the decoder
 * @param mayWin 1 for candidates, per channel of the decoder; null lets all compete
 * @param heldUntil written for the group's channels
 */
export function decideGroup(
  group: ExclusiveGroup,
  scores: Float64Array,
  mayWin: Uint8Array | null,
  heldUntil: Float64Array,
  nowMs: number,
): void {
  const { rules, start, end, fatigue, current } = group;
  if (rules === null || start === end || nowMs < group.nextDecisionMs) return;
  let best = -1;
  let bestScore = 0;
  for (let i = start; i < end; i++) {
    if (mayWin !== null && mayWin[i] === 0) continue;
    const score = scores[i]! / (1 + fatigue[i - start]!);
    if (best >= 0 && !(score > bestScore)) continue; // a tie keeps the earlier channel
    best = i;
    bestScore = score;
  }
  if (best < 0) return; // nobody may win: no fatigue changes and the clock stays where it is
  if (current >= 0 && (mayWin === null || mayWin[current] === 1)) {
    const currentScore = scores[current]! / (1 + fatigue[current - start]!);
    if (bestScore < currentScore * rules.hysteresis) best = current;
  }
  for (let i = start; i < end; i++) {
    const tired = fatigue[i - start]!;
    fatigue[i - start] = i === best ? Math.min(1, tired + rules.fatigueGain) : tired * rules.fatigueDecay;
    heldUntil[i] = 0;
  }
  group.current = best;
  heldUntil[best] = nowMs + rules.holdMs;
  group.nextDecisionMs = nowMs + rules.decisionMs;
}

/** `max`, so that repeating the report every frame costs one penalty; other groups' channels are ignored (8.2.2). */
export function tireBlocked(group: ExclusiveGroup, channel: number): void {
  if (group.rules === null || group.rules.blockedFatigue <= 0) return;
  if (channel < group.start || channel >= group.end) return;
  const at = channel - group.start;
  group.fatigue[at] = Math.min(1, Math.max(group.rules.blockedFatigue, group.fatigue[at]!));
}

/** Forgets winner and fatigue; the next decision is due at `nowMs`. */
export function clearGroup(group: ExclusiveGroup, nowMs: number): void {
  group.current = -1;
  group.fatigue.fill(0);
  group.nextDecisionMs = nowMs;
}
