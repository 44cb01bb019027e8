import { fillRect } from './canvas.ts';
import type { Picture } from './canvas.ts';
import { GLYPH_HEIGHT, LETTERS, textWidth, writeText } from './letters.ts';
import { SCORE_TO_WIN } from './rules.ts';
import { DRAWN, PHASE, WORD } from './state-map.ts';

/** A duel's flies stand in the middle of their sides, four stand in the corners. */
const DUEL_TOP_PX = 20;
const CORNERS_TOP_PX = 55;
/** The plate makes room for the falling plum. */
const AWAY_STEPS = 52;
const GO_STEPS = 40;

/** A plate over the field between two rounds: two lines at most, never while somebody plays but for GO. */
export function drawBanner(screen: Picture, state: Int32Array): void {
  const phase = state[WORD.phase]!;
  const top = state[WORD.players] === 2 ? DUEL_TOP_PX : CORNERS_TOP_PX;
  const isAway = state[WORD.players]! > 2 && state[WORD.phaseLeft]! < AWAY_STEPS;
  if ((phase === PHASE.intro || phase === PHASE.suddenIntro) && isAway) return;
  if (phase === PHASE.intro) plate(screen, top, `ROUND ${state[WORD.round]!}`, `FIRST TO ${SCORE_TO_WIN} PLUMS`);
  else if (phase === PHASE.suddenIntro) plate(screen, top, 'SUDDEN DEATH', 'NEXT PLUM WINS');
  else if (phase === PHASE.roundOver) end(screen, top, state[WORD.roundWinner]!, `ROUND ${state[WORD.round]!}`);
  else if (phase === PHASE.matchOver || phase === PHASE.over) end(screen, top, state[WORD.matchWinner]!, 'THE MATCH');
  else if (phase === PHASE.play && state[WORD.roundSteps]! < GO_STEPS) plate(screen, top, 'GO', '');
}

function end(screen: Picture, top: number, winner: number, what: string): void {
  if (winner === DRAWN) plate(screen, top, 'DRAWN', what);
  else plate(screen, top, `${LETTERS[winner]!} WINS`, what);
}

function plate(screen: Picture, top: number, word: string, small: string): void {
  const width = Math.max(textWidth(word, 2), textWidth(small, 1)) + 14;
  const height = 2 * GLYPH_HEIGHT + 10 + (small === '' ? 0 : GLYPH_HEIGHT + 4);
  const left = (screen.width - width) >> 1;
  fillRect(screen, left, top, width, height, 3);
  fillRect(screen, left + 2, top + 2, width - 4, 1, 1);
  fillRect(screen, left + 2, top + height - 3, width - 4, 1, 1);
  writeText(screen, word, (screen.width - textWidth(word, 2)) >> 1, top + 6, 0, 2);
  writeText(screen, small, (screen.width - textWidth(small, 1)) >> 1, top + 2 * GLYPH_HEIGHT + 9, 1, 1);
}
