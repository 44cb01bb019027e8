import type { ShowChoice, StatusReport, SwapReport } from '../controlled-session.ts';
import type { Mark } from './health-rows.ts';

/** One show of the panel; the place of a card never changes. */
export type ShowCard = {
  readonly id: string;
  /** How many flies play what. */
  readonly detail: string;
  readonly mark: Mark;
  /** Empty for a show that merely could be taken. */
  readonly word: string;
  readonly isCurrent: boolean;
};

const PHASES: readonly SwapReport['phase'][] = ['sealing', 'intermission', 'starting'];

const PHASE_WORDS: Readonly<Record<SwapReport['phase'], string>> = {
  sealing: 'sealing the run',
  intermission: 'intermission on air',
  starting: 'starting the next session',
};

/** What the status says is true before what the list said when it was fetched. */
export function listShowCards(
  choices: readonly ShowChoice[],
  { showId, swap }: Pick<StatusReport, 'showId' | 'swap'>,
): ShowCard[] {
  return choices.map(({ id, agents, environment }) => ({
    id,
    detail: `${agents} ${agents === 1 ? 'fly' : 'flies'}, ${environment}`,
    isCurrent: id === (swap?.from ?? showId),
    ...judgeCard(id, showId, swap),
  }));
}

/** `step 1 of 3: sealing the run`, or what Take would do. */
export function describeSwap(swap: SwapReport | null): string {
  if (swap === null) return 'Take seals run, shows intermission';
  return `step ${PHASES.indexOf(swap.phase) + 1} of ${PHASES.length}: ${PHASE_WORDS[swap.phase]}`;
}

function judgeCard(id: string, showId: string, swap: SwapReport | null): Pick<ShowCard, 'mark' | 'word'> {
  if (swap === null) return id === showId ? { mark: 'ok', word: 'program' } : { mark: 'idle', word: '' };
  if (id === swap.from) return { mark: 'idle', word: swap.phase === 'sealing' ? 'sealing' : 'sealed' };
  if (id === swap.to) return { mark: 'idle', word: swap.phase === 'starting' ? 'starting' : 'next' };
  return { mark: 'idle', word: '' };
}
