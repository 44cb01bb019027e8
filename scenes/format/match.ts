import { placeOfLetter } from './fly-letter.ts';
import type { MatchPlayer, MatchProgress, Progress } from '../../engine/contract/task.ts';

/** The match a snapshot tells of, null for any other kind of progress (spec: show.md 156, 161). */
export function matchOf(progress: Progress | undefined): MatchProgress | null {
  return progress?.schema === 'match.progress.v1' ? progress : null;
}

export function playerOf(match: MatchProgress | null, agentIndex: number): MatchPlayer | null {
  return match?.players.find((player) => player.agentIndex === agentIndex) ?? null;
}

/** A first, whatever the agents' order. */
export function playersByPlace({ players }: MatchProgress): readonly MatchPlayer[] {
  return players.toSorted((a, b) => placeOfLetter(a.letter) - placeOfLetter(b.letter));
}

/** `0:41`. */
export function matchClock(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** What the phase means, in at most 18 characters. A drawn round or match is said as such, never given to someone. */
export function phaseWords(match: MatchProgress): string {
  const letter = (agentIndex: number): string => playerOf(match, agentIndex)?.letter ?? String(agentIndex + 1);
  switch (match.phase) {
    case 'intro':
      return 'ROUND STARTS';
    case 'play':
      return `FIRST TO ${match.scoreToWin} POINT${match.scoreToWin === 1 ? '' : 'S'}`;
    case 'sudden-death':
      return 'SUDDEN DEATH';
    case 'round-over':
      return match.roundWinner === null ? 'ROUND DRAWN' : `ROUND TO ${letter(match.roundWinner)}`;
    case 'match-over':
      return match.matchWinner === null ? 'MATCH DRAWN' : `MATCH TO ${letter(match.matchWinner)}`;
    default:
      return match.phase satisfies never;
  }
}

/** `match 0192`, `A left, B right`, `seed 1234`: most telling first. */
export function matchFacts(match: MatchProgress): string[] {
  const facts = [match.matchId.replaceAll('-', ' ')];
  const sides = playersByPlace(match)
    .filter(({ side }) => side !== '')
    .map(({ letter, side }) => `${letter} ${side}`);
  if (sides.length > 0) facts.push(sides.join(', '));
  if (match.seed !== '') facts.push(`seed ${match.seed}`);
  return facts;
}
