import type { Health, HealthState } from '../../engine/health.ts';
import type { StatusReport, SwapReport } from './controlled-session.ts';

/** What happens in each phase, in plain words. */
const SWAP_PHASES: Readonly<Record<SwapReport['phase'], string>> = {
  sealing: 'the run is being saved',
  intermission: 'the intermission is on air',
  starting: 'the next session starts',
};

/** How the show stands: the session's own word, or that it is being swapped (spec: session.md 20, feed-control.md 120). */
export type HealthReport = Omit<Health, 'state'> & { readonly state: HealthState | 'swapping' };

/** Whatever the leaving and the coming session say of themselves during a swap, standing still is what was asked. */
export function judgeHealth({ standing, swap }: Pick<StatusReport, 'standing' | 'swap'>): HealthReport {
  if (swap === null) return standing;
  const reason = `Swapping from ${swap.from} to ${swap.to}: ${SWAP_PHASES[swap.phase]}.`;
  return { state: 'swapping', alive: true, participants: [], reason };
}
