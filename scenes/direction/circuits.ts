import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import type { Replica } from '../../engine/replica/replica.ts';
import { createAdaptiveScale } from './adaptive-scale.ts';

/** One bar of the SENSES page. */
export type Circuit = {
  readonly name: string;
  readonly group: number;
  readonly kind: 'motor' | 'dopamine' | 'taste';
  /** Hz, null while it is not measured. */
  rateHz(): number | null;
  /** Shown part of the bar, 0..1, smoothed over 120 ms. */
  fill(): number;
  /** Highest part of the last 600 ms. */
  peak(): number;
  /** Part of the bar at which the channel fires, null when it has no threshold or is not calibrated. */
  tick(): number | null;
  step(replica: Replica, nowMs: number): void;
};

const SMOOTHING_MS = 120;
const PEAK_HOLD_MS = 600;
/** A running median moves at most this fast (spec: show.md 49). */
const MEDIAN_HZ_PER_S = 2;
/** Roles shown after the channels: name, group and full scale before anything is measured (show.md 46, 47). */
const BODY_ROLES: readonly {
  readonly role: string;
  readonly name: string;
  readonly group: number;
  readonly kind: Circuit['kind'];
  readonly seedHz: number;
}[] = [
  { role: 'reward_pam', name: 'PAM', group: 3, kind: 'dopamine', seedHz: 25 },
  { role: 'proboscis', name: 'TASTE', group: 3, kind: 'taste', seedHz: 10 },
  { role: 'forward', name: 'FORWARD', group: 4, kind: 'motor', seedHz: 12 },
  { role: 'backward', name: 'BACKWARD', group: 4, kind: 'motor', seedHz: 12 },
  { role: 'steer_left', name: 'STEER L', group: 4, kind: 'motor', seedHz: 12 },
  { role: 'steer_right', name: 'STEER R', group: 4, kind: 'motor', seedHz: 12 },
];

/** Bars of one agent: its readout channels without macros, then the body roles that it tracks. */
export function createCircuits(descriptor: SessionDescriptor, agentIndex: number): Circuit[] {
  const agent = descriptor.agents[agentIndex];
  if (agent === undefined) return [];
  const roleIndex = (role: string): number => agent.rateRoles.indexOf(role);
  const channels = agent.channels
    .map((channel, index) => ({ ...channel, index }))
    .filter(({ role }) => !role.startsWith('macro_') && roleIndex(role) >= 0)
    .map(({ channel, role, threshold, index }) => {
      const group = threshold === null ? 0 : /^(start|select)$/i.test(channel) ? 2 : 1;
      const name = channel.replaceAll('_', ' ').toUpperCase();
      const seedHz = group === 2 ? 20 : 30;
      return createCircuit(agentIndex, { name, group, kind: 'motor', seedHz }, roleIndex(role), index, threshold);
    });
  const body = BODY_ROLES.filter(({ role }) => roleIndex(role) >= 0).map((entry) =>
    createCircuit(agentIndex, entry, roleIndex(entry.role), -1, null),
  );
  return [...channels, ...body];
}

function createCircuit(
  agentIndex: number,
  look: { readonly name: string; readonly group: number; readonly kind: Circuit['kind']; readonly seedHz: number },
  roleIndex: number,
  channelIndex: number,
  threshold: number | null,
): Circuit {
  const scale = createAdaptiveScale(look.seedHz);
  let rate: number | null = null;
  let shown = 0;
  let peak = 0;
  let peakAtMs = -Infinity;
  let median: number | null = null;
  let atMs = NaN;
  return {
    name: look.name,
    group: look.group,
    kind: look.kind,
    rateHz: () => rate,
    fill: () => shown,
    peak: () => peak,
    tick() {
      if (threshold === null || median === null) return null;
      return Math.min(1, Math.max(0, (threshold * (median + 1) - 1) / scale.fullHz()));
    },
    step(replica, nowMs) {
      const agent = replica.snapshot?.agents[agentIndex];
      rate = agent?.ratesHz[roleIndex] ?? null;
      const elapsedMs = nowMs - atMs;
      atMs = nowMs;
      if (rate === null) return;
      scale.step(rate, nowMs);
      if (elapsedMs > 0) shown += (scale.fill() - shown) * (1 - Math.exp(-elapsedMs / SMOOTHING_MS));
      if (shown >= peak || nowMs - peakAtMs > PEAK_HOLD_MS) {
        peak = shown;
        peakAtMs = nowMs;
      }
      // score = (rate + 1) / (median + 1), so the decoder's own median can be read back from what it published
      const score = channelIndex < 0 ? undefined : agent?.scores?.[channelIndex];
      if (score === undefined || !(score > 0)) return;
      const measured = (rate + 1) / score - 1;
      if (median === null) median = measured;
      else {
        const limit = (MEDIAN_HZ_PER_S * Math.max(0, elapsedMs)) / 1_000;
        median += Math.max(-limit, Math.min(limit, measured - median));
      }
    },
  };
}
