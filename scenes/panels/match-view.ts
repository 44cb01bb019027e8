import type { ViewDescriptor } from '../../engine/contract/environment.ts';
import type { MatchProgress } from '../../engine/contract/task.ts';
import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import type { Snapshot } from '../../engine/replica/snapshot.ts';
import { createNews } from '../direction/news.ts';
import { paintWipe } from '../direction/wipe.ts';
import { placeOfLetter } from '../format/fly-letter.ts';
import { matchClock, matchFacts, matchOf, phaseWords, playersByPlace } from '../format/match.ts';
import type { Box } from '../layout.ts';
import type { Panel } from '../panel.ts';
import { deviceBox } from '../raster/frame.ts';
import { drawWhole, placeWhole } from '../raster/whole-multiple.ts';
import type { Placement } from '../raster/whole-multiple.ts';
import { createSketch, fit, textWidth } from '../sketch.ts';
import type { Sketch } from '../sketch.ts';
import { capHeight, colour, text } from '../theme.ts';
import { drawBadge } from './fly-badge.ts';
import { drawFrame, drawOutline } from './frame.ts';
import { drawGlyph } from './glyphs.ts';

/** Kept free above and below the picture when it can be: one line of the score and one of the identity. */
const LINE_ROOM = 36;
const TALL_LINE = 60;
const SIDE_ROOM = 104;
const CELL = 104;
const CELL_GAP = 28;
const PAD = 16;
const FACT_GAP = 26;

/** The picture everybody plays on, with what both share around it (spec: show.md 151, 156, 169). */
export type MatchView = Panel & {
  /** The picture leaves no line for the score; another panel must say it. */
  readonly full: boolean;
};

export function createMatchView(scale: number, descriptor: SessionDescriptor, at: Box): MatchView {
  const sketch = createSketch('match-view', scale);
  const index = sharedView(descriptor.environment.views);
  const view = descriptor.environment.views[index];
  const area = deviceBox(at, scale);
  const place = view === undefined ? null : placeView(view, area, Math.round(LINE_ROOM * scale));
  const picture =
    place === null || view === undefined
      ? { x: 0, y: at.height / 2, width: 0, height: 0 }
      : {
          x: (place.x - area.x) / scale,
          y: (place.y - area.y) / scale,
          width: (view.widthPx * place.scale) / scale,
          height: (view.heightPx * place.scale) / scale,
        };
  const full = picture.y < LINE_ROOM - 2;
  const newsOf = createNews();
  let setBackAtMs = -Infinity;
  return {
    box: at,
    root: sketch.root,
    texts: sketch.texts,
    full,
    update(replica, nowMs) {
      const { snapshot } = replica;
      if (newsOf(replica).some(({ kind }) => kind === 'recovery')) setBackAtMs = nowMs;
      sketch.begin(nowMs);
      drawFrame(sketch, at.width, at.height);
      const { x, y, width, height } = picture;
      sketch.rect(x - 4, y - 4, width + 8, height + 8, colour.panel);
      sketch.rect(x - 2, y - 2, width + 4, height + 4, colour.bezel);
      if (!isWhole(replica.views[index], view)) {
        sketch.rect(x, y, width, height, colour.background);
        sketch.text('none', text.body, x + 24, y + 24, 'no picture yet', colour.secondInk);
      }
      if (!full) drawShared(sketch, snapshot, at, picture);
      return sketch.end();
    },
    paint(frame, replica, nowMs) {
      const rgba = replica.views[index];
      if (view === undefined || place === null || !isWhole(rgba, view)) return;
      drawWhole(frame, rgba, view.widthPx, view.heightPx, place);
      const width = view.widthPx * place.scale;
      const height = view.heightPx * place.scale;
      paintWipe(frame, { x: place.x, y: place.y, width, height }, place.scale, nowMs - setBackAtMs);
    },
  };
}

function isWhole(rgba: Uint8Array | undefined, view: ViewDescriptor | undefined): rgba is Uint8Array {
  return rgba !== undefined && view !== undefined && rgba.byteLength >= view.widthPx * view.heightPx * 4;
}

/** The first view that is not one fly's own, else the first. */
function sharedView(views: readonly ViewDescriptor[]): number {
  return Math.max(
    0,
    views.findIndex(({ portId }) => portId === undefined),
  );
}

/** The largest whole multiple that leaves both lines their room; without one, the largest that fits. */
function placeView(view: ViewDescriptor, area: Box, room: number): Placement {
  const inner = { ...area, y: area.y + room, height: area.height - 2 * room };
  const place = placeWhole(view, inner);
  return place.scale * view.heightPx <= inner.height ? place : placeWhole(view, area);
}

function drawShared(sketch: Sketch, snapshot: Snapshot | null, at: Box, picture: Box): void {
  const match = matchOf(snapshot?.progress);
  const below = picture.y + picture.height;
  const footTop = Math.round((below + at.height - 6) / 2) - 8;
  if (match === null) {
    const facts = (snapshot?.progress.facts ?? []).map(({ text: words }) => words);
    drawFoot(sketch, [...facts, ...factorOf(snapshot)], at.width, footTop);
    return;
  }
  const several = match.players.length > 2;
  drawHead(sketch, match, at.width, picture.y);
  for (const side of [0, 1] as const) {
    const left = side === 0 ? PAD : picture.x + picture.width + 4;
    const right = side === 0 ? picture.x - 4 : at.width - PAD;
    if (right - left < SIDE_ROOM - PAD) continue;
    if (several) drawSideRows(sketch, match, side, picture, left, right);
    else drawSide(sketch, match, side, picture, left, right);
  }
  const round = several ? [roundWords(match).toLowerCase(), phaseWords(match).toLowerCase()] : [];
  const [id, ...rest] = matchFacts(match);
  drawFoot(
    sketch,
    [id ?? '', ...round, ...rest, ...factorOf(snapshot), ...swapOf(match), ...tallyOf(match)],
    at.width,
    footTop,
  );
}

function factorOf(snapshot: Snapshot | null): string[] {
  return snapshot === null ? [] : [`${snapshot.realTimeFactor.toFixed(2)}x real time`];
}

function swapOf({ sidesSwapNext }: MatchProgress): string[] {
  return sidesSwapNext ? ['sides swap next'] : [];
}

/** Matches of the whole run. */
function tallyOf(match: MatchProgress): string[] {
  if (match.matchesWon.every((won) => won === 0)) return [];
  return [`matches ${match.matchesWon.join(' to ')}`];
}

function roundWords(match: MatchProgress): string {
  return `ROUND ${match.roundNumber} OF ${match.roundCount}`;
}

/** Badge and points of everybody, A C on the left and D B on the right; between them the clock, with two flies the round. */
function drawHead(sketch: Sketch, match: MatchProgress, width: number, room: number): void {
  const tall = room >= TALL_LINE;
  const style = tall ? text.caption : text.hero;
  const middle = Math.round((room + 4) / 2);
  const top = Math.round(middle - (style.sizePx * capHeight[style.face]) / 2);
  const size = tall ? 40 : 28;
  const ends = [PAD, width - PAD];
  playersByPlace(match).forEach((player, place) => {
    const left = place % 2 === 0;
    const words = String(player.score);
    const own = size + 12 + textWidth(style, words);
    const x = ends[place % 2]!;
    drawBadge(sketch, placeOfLetter(player.letter), left ? x : x - size, middle - size / 2, size);
    const at = left ? x + size + 12 : x - size - 12;
    sketch.text(`score-${place}`, style, at, top, words, colour.ink, left ? 'left' : 'right');
    ends[place % 2] = left ? x + own + 28 : x - own - 28;
  });
  const clock = matchClock(match.secondsLeft);
  sketch.text('clock', style, width / 2 + 2, top, clock, colour.ink, 'centre');
  if (match.players.length > 2) return;
  const half = textWidth(style, clock) / 2 + 32;
  sketch.text('round', text.body, width / 2 - half, middle - 9, roundWords(match), colour.secondInk, 'right');
  const news = match.phase === 'play' || match.phase === 'intro' ? colour.secondInk : colour.ink;
  sketch.text('phase', text.body, width / 2 + half, middle - 9, phaseWords(match), news);
}

/** Two of four flies: a badge and a row of small cells each. */
function drawSideRows(
  sketch: Sketch,
  match: MatchProgress,
  side: number,
  picture: Box,
  left: number,
  right: number,
): void {
  const cells = Math.min(5, Math.max(1, match.roundsToWin));
  const size = Math.min(36, Math.floor((right - left - (cells - 1) * 6) / cells / 4) * 4);
  const x = Math.round((left + right - cells * size - (cells - 1) * 6) / 2);
  const mine = playersByPlace(match).filter((_, place) => place % 2 === side);
  mine.forEach((player, row) => {
    const y = Math.round(picture.y + picture.height / 2 + (row === 0 ? -180 : 60));
    const label = `${player.letter} rounds`;
    sketch.text(`won-${side}-${row}`, text.fine, (left + right) / 2, y, label, colour.secondInk, 'centre');
    for (let cell = 0; cell < cells; cell++) {
      drawRound(sketch, x + cell * (size + 6), y + 30, size, cell < player.roundsWon);
    }
  });
}

function drawRound(sketch: Sketch, x: number, y: number, size: number, won: boolean): void {
  const ink = won ? colour.ok : colour.panel;
  drawOutline(sketch, x, y, size, size, ink, colour.background);
  const glyph = Math.max(16, Math.floor((size * 0.62) / 8) * 8);
  drawGlyph(sketch, 'fruit', x + (size - glyph) / 2, y + (size - glyph) / 2, ink, glyph);
}

/** Rounds won as fruit, one cell for each round that wins the match; under them what the fly is doing. */
function drawSide(
  sketch: Sketch,
  match: MatchProgress,
  place: number,
  picture: Box,
  left: number,
  right: number,
): void {
  const player = playersByPlace(match)[place];
  if (player === undefined) return;
  const cells = Math.min(5, Math.max(1, match.roundsToWin));
  const room = picture.height - 96;
  const size = Math.floor(Math.min(CELL, right - left - 20, (room - (cells - 1) * CELL_GAP) / cells) / 4) * 4;
  const height = cells * size + (cells - 1) * CELL_GAP;
  const x = Math.round((left + right - size) / 2);
  const first = Math.round(picture.y + (picture.height - height) / 2);
  const middle = (left + right) / 2;
  sketch.text(`won-${place}`, text.fine, middle, first - 30, 'rounds', colour.secondInk, 'centre');
  for (let cell = 0; cell < cells; cell++) {
    drawRound(sketch, x, first + cell * (size + CELL_GAP), size, cell < player.roundsWon);
  }
  if (match.phase !== 'play' && match.phase !== 'sudden-death') return;
  const doing = player.doing;
  const words = fit(text.fine, doing, right - left);
  sketch.text(`doing-${place}`, text.fine, middle, first + height + 16, words, colour.ink, 'centre');
}

/** As many facts as the line holds, the most telling first, spread from edge to edge like one sentence. */
function drawFoot(sketch: Sketch, facts: readonly string[], width: number, top: number): void {
  const room = width - 2 * PAD;
  const kept: string[] = [];
  let used = -FACT_GAP;
  for (const fact of facts) {
    const own = textWidth(text.body, fact) + FACT_GAP;
    if (used + own > room) continue;
    used += own;
    kept.push(fact);
  }
  let x = Math.round((width - used) / 2);
  kept.forEach((fact, index) => {
    sketch.text(`fact-${index}`, text.body, x, top, fact, colour.secondInk);
    x += Math.ceil(textWidth(text.body, fact)) + FACT_GAP;
  });
}
