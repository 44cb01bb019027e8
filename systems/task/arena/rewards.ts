import type { Counters } from './sample.ts';

/**
 * What pays, in catalogue order: only the fly that did it, and nothing is ever negative. A lost plum, a lost round and
 * a drawn one pay nobody. Pulse lengths follow the spread of brain.md 7.
 */
export const REWARD_RULES = {
  nectar: { value: 0.1, stimulationMs: 80 },
  reached: { value: 0.5, stimulationMs: 150 },
  knocked: { value: 0.25, stimulationMs: 100 },
  home: { value: 1, stimulationMs: 250 },
  round: { value: 1, stimulationMs: 400 },
  match: { value: 3, stimulationMs: 800 },
} as const;

export type RuleId = keyof typeof REWARD_RULES;

/** Counter of the world behind each rule but `match`, and what viewers read. */
const COUNTED: readonly { readonly rule: RuleId; readonly counter: keyof Counters; readonly words: string }[] = [
  { rule: 'nectar', counter: 'sipped', words: 'found nectar' },
  { rule: 'reached', counter: 'reached', words: 'reached the plum first' },
  { rule: 'knocked', counter: 'knocked', words: 'knocked a plum loose' },
  { rule: 'home', counter: 'delivered', words: 'brought a plum home' },
];

export type Payout = { readonly rule: RuleId; readonly label: string };

/** What a player has earned beyond what was paid; `paid` is brought up to date. Rounds are told with their length. */
export function collect(paid: Counters, now: Counters, letter: string, roundLabel: string): Payout[] {
  const payouts: Payout[] = [];
  for (const { rule, counter, words } of COUNTED) {
    for (; paid[counter] < now[counter]; paid[counter]++) payouts.push({ rule, label: `${letter} ${words}` });
  }
  for (; paid.roundsWon < now.roundsWon; paid.roundsWon++) payouts.push({ rule: 'round', label: roundLabel });
  return payouts;
}
