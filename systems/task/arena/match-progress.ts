import type { MatchPhase, MatchProgress } from '../../../engine/contract/task.ts';
import { LETTERS } from '../../environment/arena/letters.ts';
import { ROUND_COUNT, ROUNDS_TO_WIN, SCORE_TO_WIN } from '../../environment/arena/rules.ts';
import type { Ledger } from './ledger.ts';
import type { Sample } from './sample.ts';

/** What panels draw of a match, agents in agent order. */
export function matchProgress(ledger: Ledger, sample: Sample): MatchProgress {
  const { playerOf } = ledger;
  const agentOf = (player: number | null): number | null => (player === null ? null : playerOf.indexOf(player));
  const players = playerOf.map((player, agentIndex) => {
    const { portId, side, score, roundsWon, doing } = sample.players[player]!;
    return { agentIndex, portId, letter: LETTERS[player]!, side, score, roundsWon, doing };
  });
  const isLast = sample.round === ROUND_COUNT || players.some(({ roundsWon }) => roundsWon >= ROUNDS_TO_WIN);
  const matchId = `match-${String(sample.matchNumber).padStart(4, '0')}`;
  const ended = ledger.matchesDrawn + ledger.matchesWon.reduce((sum, won) => sum + won, 0);
  return {
    schema: 'match.progress.v1',
    matchId,
    matchNumber: sample.matchNumber,
    seed: String(sample.seed),
    roundId: `${matchId}-r${sample.round}`,
    roundNumber: sample.round,
    roundCount: ROUND_COUNT,
    roundsToWin: ROUNDS_TO_WIN,
    scoreToWin: SCORE_TO_WIN,
    phase: sample.phase,
    secondsLeft: sample.secondsLeft,
    sidesSwapNext: !isLast,
    roundWinner: agentOf(sample.roundWinner),
    matchWinner: agentOf(sample.matchWinner),
    players,
    rounds: sample.rounds.map(({ winner, steps }) => ({ winner: agentOf(winner), seconds: roundSeconds(steps) })),
    matchesWon: ledger.matchesWon.slice(),
    matchesDrawn: ledger.matchesDrawn,
    rank: sample.rounds.length - 1,
    earned: Array.from({ length: ROUND_COUNT }, (_, i) => i < sample.rounds.length),
    mode: MODE_WORDS[sample.phase],
    playing: sample.phase === 'play' || sample.phase === 'sudden-death',
    facts: [
      { text: players.map(({ score }) => score).join(' : '), glyph: 'fruit' },
      { text: `round ${sample.round} of ${ROUND_COUNT}`, glyph: null },
      { text: `0:${String(sample.secondsLeft).padStart(2, '0')}`, glyph: null },
    ],
    attempts: ended,
    rewardTotal: ledger.rewardTotal,
    uniquePlaces: 0,
  };
}

/** 70,224/4,194,304 s a step, to the nearest second. */
export function roundSeconds(steps: number): number {
  return Math.round((steps * 70_224) / 4_194_304);
}

const MODE_WORDS: Readonly<Record<MatchPhase, string>> = {
  intro: 'get ready',
  play: 'in the orchard',
  'sudden-death': 'sudden death',
  'round-over': 'round over',
  'match-over': 'match over',
};
