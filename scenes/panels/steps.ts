import type { Starting } from '../../engine/replica/snapshot.ts';
import { fit } from '../sketch.ts';
import type { Sketch } from '../sketch.ts';
import { colour, text } from '../theme.ts';
import { drawOutline } from './frame.ts';

type Step = Starting['steps'][number];

const STEP_PITCH = 38;
const MARK = 20;
const LABEL_X = 36;
const COLUMN_GAP = 28;
const DETAIL_ROOM = 150;
export const MAX_STEPS = 12;

/** Done, running, waiting and failed differ in shape and word, not only in colour (show.md 142). Box-local design px. */
export function drawSteps(sketch: Sketch, steps: readonly Step[], x: number, top: number, right: number): void {
  steps.slice(0, MAX_STEPS).forEach((step, row) => drawStep(sketch, step, row, x, top + row * STEP_PITCH, right));
}

/** The same steps in columns, read down each. @param rows at most this many in a column */
export function drawStepColumns(
  sketch: Sketch,
  steps: readonly Step[],
  at: { readonly x: number; readonly y: number; readonly width: number },
  rows: number,
  pitch: number,
): void {
  const shown = steps.slice(0, MAX_STEPS);
  const columns = Math.max(1, Math.ceil(shown.length / rows));
  const width = (at.width - (columns - 1) * COLUMN_GAP) / columns;
  shown.forEach((step, index) => {
    const x = Math.round(at.x + Math.floor(index / rows) * (width + COLUMN_GAP));
    drawStep(sketch, step, index, x, at.y + (index % rows) * pitch, Math.round(x + width));
  });
}

function drawStep(sketch: Sketch, step: Step, row: number, x: number, y: number, right: number): void {
  drawMark(sketch, step.state, x, y);
  const ink = step.state === 'failed' ? colour.alarm : step.state === 'waiting' ? colour.secondInk : colour.ink;
  const room = right - x - LABEL_X - DETAIL_ROOM;
  sketch.text(`step-${row}`, text.body, x + LABEL_X, y + 1, fit(text.body, step.label, room), ink);
  const detail = fit(text.body, step.detail, DETAIL_ROOM - 12);
  sketch.text(`detail-${row}`, text.body, right, y + 1, detail, colour.secondInk, 'right');
}

function drawMark(sketch: Sketch, state: Step['state'], x: number, y: number): void {
  switch (state) {
    case 'done':
      sketch.rect(x, y, MARK, MARK, colour.ok);
      return;
    case 'failed':
      sketch.rect(x, y, MARK, MARK, colour.alarm);
      sketch.rect(x + 8, y + 4, 4, MARK - 8, colour.background);
      return;
    case 'running':
      drawOutline(sketch, x, y, MARK, MARK, colour.ink, colour.background);
      drawOutline(sketch, x + 5, y + 5, MARK - 10, MARK - 10, colour.ink, colour.ink);
      return;
    case 'waiting':
      drawOutline(sketch, x, y, MARK, MARK, colour.bezel, colour.background);
      return;
    default:
      state satisfies never;
  }
}
