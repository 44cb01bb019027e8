import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import type { Snapshot } from '../../engine/replica/snapshot.ts';
import { RAIL_TEXT_X, box } from '../layout.ts';
import { textWidth } from '../sketch.ts';
import type { Sketch } from '../sketch.ts';
import { PANE_HEIGHT, PANE_TOP } from '../tabs.ts';
import type { TabPane } from '../tabs.ts';
import { colour, text } from '../theme.ts';
import { choicesOf } from '../format/choices.ts';
import { compactDuration } from '../format/duration.ts';
import { marquee } from '../format/marquee.ts';
import { grouped } from '../format/number.ts';
import { drawOutline } from './frame.ts';

const COLUMNS = 3;
/** Stats stand in a column of their own (spec: show.md 60). */
const STATS_WIDTH = 130;
const MARK = 14;
const MAX_PITCH = 56;
const STUCK_BAR = 8;
const WARNING_HEIGHT = 38;

/** Every rung in three column-major columns; earned, here, ahead and skipped differ in shape (show.md 60, 66). */
export function createLadder(descriptor: SessionDescriptor): TabPane {
  const { rungs, stuckSeconds } = descriptor.task.presentation;
  const perColumn = Math.ceil(rungs.length / COLUMNS);
  const columnWidth = (box.tabSlot.width - 2 * RAIL_TEXT_X - STATS_WIDTH - 20) / COLUMNS;
  return {
    step: () => undefined,
    draw(sketch, { snapshot }, nowMs, coveredPx) {
      if (snapshot === null) return;
      const warning = warningOf(descriptor, snapshot);
      const room = PANE_HEIGHT - 28 - coveredPx - (warning === null ? 0 : WARNING_HEIGHT);
      const pitch = Math.min(MAX_PITCH, Math.floor(room / perColumn));
      const style = pitch >= 33 ? text.body : text.fine;
      const characters = Math.floor((columnWidth - MARK - 22) / (style.sizePx * 0.4));
      const { rank, earned } = snapshot.progress;
      rungs.forEach((label, rung) => {
        const x = RAIL_TEXT_X + Math.floor(rung / perColumn) * columnWidth;
        const y = PANE_TOP + 18 + coveredPx + (rung % perColumn) * pitch;
        const state = rung === rank ? 'here' : earned[rung] === true ? 'earned' : rung < rank ? 'skipped' : 'ahead';
        drawMark(sketch, state, x, y);
        const ink = state === 'here' ? colour.ink : state === 'earned' ? colour.ok : colour.secondInk;
        sketch.text(`ladder-${rung}`, style, x + MARK + 10, y - 1, marquee(label, characters, nowMs), ink);
      });
      if (warning !== null) drawWarning(sketch, warning);
      drawStats(sketch, snapshot, stuckSeconds, coveredPx);
    },
  };
}

/** What a viewer could take for playing and must not: a brain that does not see, or always the same order. */
function warningOf(descriptor: SessionDescriptor, snapshot: Snapshot): string | null {
  if (descriptor.agents[0]?.vision?.differs === false) return 'the picture does not reach the readout';
  return choicesOf(snapshot.agents[0])?.frozen === true ? 'choices frozen in one order' : null;
}

function drawWarning(sketch: Sketch, words: string): void {
  const width = Math.ceil(textWidth(text.body, words)) + 24;
  const top = PANE_TOP + PANE_HEIGHT - WARNING_HEIGHT - 4;
  drawOutline(sketch, RAIL_TEXT_X, top, width, WARNING_HEIGHT - 4, colour.warn, colour.background);
  sketch.text('ladder-warning', text.body, RAIL_TEXT_X + 12, top + 8, words, colour.warn);
}

function drawMark(sketch: Sketch, state: 'here' | 'earned' | 'skipped' | 'ahead', x: number, y: number): void {
  if (state === 'ahead') {
    sketch.rect(x, y + MARK - 3, MARK, 2, colour.bezel);
    return;
  }
  sketch.rect(x, y, MARK, MARK, state === 'here' ? colour.ink : colour.ok);
  if (state === 'skipped') sketch.rect(x + 3, y + 3, MARK - 6, MARK - 6, colour.background);
}

/** From the run state, so a restart of the viewer changes nothing (show.md 62). */
function drawStats(sketch: Sketch, snapshot: Snapshot, stuckSeconds: number, coveredPx: number): void {
  const left = box.tabSlot.width - RAIL_TEXT_X - STATS_WIDTH;
  const { progress, rungSeconds, agents } = snapshot;
  const facts: [string, string][] = [
    ['try', String(progress.attempts + 1)],
    ['places', grouped(progress.uniquePlaces)],
    ['reward', progress.rewardTotal.toFixed(1)],
    ['learned', grouped(agents[0]?.learning.synapsesMoved ?? 0)],
    ['here', compactDuration(rungSeconds)],
  ];
  const choices = choicesOf(agents[0]);
  if (choices !== null && coveredPx === 0) facts.push(['choices', `${choices.entropyBits.toFixed(2)} bits`]);
  const pitch = coveredPx > 0 ? 46 : facts.length > 5 ? 52 : 62;
  facts.forEach(([label, value], row) => {
    const y = PANE_TOP + 18 + coveredPx + row * pitch;
    sketch.text(`ladder-label-${label}`, text.fine, left, y, label, colour.secondInk);
    sketch.text(`ladder-value-${label}`, text.body, left, y + 22, value, colour.ink);
  });
  const y = PANE_TOP + 18 + coveredPx + (facts.length - 1) * pitch + 46; // 6 px below the last value
  sketch.rect(left, y, STATS_WIDTH, STUCK_BAR, colour.panel);
  const part = Math.min(1, rungSeconds / Math.max(1, stuckSeconds));
  sketch.rect(
    left,
    y,
    Math.max(STUCK_BAR, Math.round((part * STATS_WIDTH) / 8) * 8),
    STUCK_BAR,
    part >= 1 ? colour.warm : colour.secondInk,
  );
  const of = `of ${compactDuration(stuckSeconds)}`;
  sketch.text('ladder-stuck', text.fine, left, y + 16, of, colour.secondInk);
}
