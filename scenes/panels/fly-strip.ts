import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import type { Snapshot } from '../../engine/replica/snapshot.ts';
import {
  BUTTON_GAP,
  BUTTON_ROW_HEIGHT,
  BUTTON_ROW_WIDTH,
  FRAME_OUTER,
  MACRO_CELL,
  MACRO_COLUMNS,
  MACRO_GAP,
  MACRO_INSET,
  MACRO_ROWS,
  MACRO_TAG_WIDTH,
  box,
} from '../layout.ts';
import type { Panel } from '../panel.ts';
import { createAfterglow } from '../direction/afterglow.ts';
import type { Afterglow } from '../direction/afterglow.ts';
import type { FlyPane } from '../fly/fly-pane.ts';
import { createSketch, fit } from '../sketch.ts';
import type { Sketch } from '../sketch.ts';
import { colour, text } from '../theme.ts';
import { drawOutline } from './frame.ts';
import { macroChannels } from './macro-channels.ts';
import type { MacroChannel } from './macro-channels.ts';

/** Two-letter caps of the handheld's buttons, in the order they are shown (show.md 81). */
const SHORT: Readonly<Record<string, string>> = {
  up: 'UP',
  down: 'DN',
  left: 'LF',
  right: 'RT',
  a: 'A',
  b: 'B',
  start: 'ST',
  select: 'SE',
};

/** Buttons as applied to the world, the fly and the macro pad (spec: show.md 10 to 12, 81 to 83). */
export function createFlyStrip(scale: number, descriptor: SessionDescriptor, fly: FlyPane): Panel {
  const sketch = createSketch('fly-strip', scale);
  const buttons = descriptor.environment.ports[0]?.buttons ?? [];
  const order = buttons.map((_, index) => index).toSorted((a, b) => rankOf(buttons[a]!) - rankOf(buttons[b]!));
  const glow = createAfterglow(buttons.length);
  const macros = macroChannels(descriptor);
  return {
    box: box.strip,
    root: sketch.root,
    texts: sketch.texts,
    update(replica, nowMs) {
      sketch.begin(nowMs);
      glow.step(replica.snapshot?.agents[0]?.appliedButtons ?? null, nowMs);
      drawStripFrame(sketch);
      order.forEach((index, cell) => drawButton(sketch, buttons[index]!, cell, order.length, glow, index, nowMs));
      drawPad(sketch, macros, replica.snapshot);
      return sketch.end();
    },
    paint: (frame, replica, nowMs) => fly.paint(frame, replica, nowMs),
  };
}

function rankOf(button: string): number {
  const rank = Object.keys(SHORT).indexOf(button.toLowerCase());
  return rank === -1 ? Object.keys(SHORT).length : rank;
}

function drawStripFrame(sketch: Sketch): void {
  const { width, height } = box.strip;
  sketch.rect(0, 0, width, height, colour.background);
  sketch.rect(FRAME_OUTER, 0, width - 2 * FRAME_OUTER, height, colour.panel);
  sketch.rect(0, FRAME_OUTER, width, height - 2 * FRAME_OUTER, colour.panel);
  const flyWidth = BUTTON_ROW_WIDTH + 2 * FRAME_OUTER;
  drawOutline(sketch, FRAME_OUTER - 2, FRAME_OUTER - 2, flyWidth - 4, height - 4, colour.bezel, colour.background);
  const padLeft = box.macros.x - box.strip.x - 2;
  drawOutline(sketch, padLeft, FRAME_OUTER - 2, width - padLeft - 2, height - 4, colour.bezel, colour.background);
}

function drawButton(
  sketch: Sketch,
  button: string,
  cell: number,
  cells: number,
  glow: Afterglow,
  index: number,
  nowMs: number,
): void {
  const cellWidth = (BUTTON_ROW_WIDTH - BUTTON_GAP * (cells - 1)) / cells;
  const x = FRAME_OUTER + cell * (cellWidth + BUTTON_GAP);
  const state = glow.state(index, nowMs);
  const lit = state !== 'up';
  drawOutline(
    sketch,
    x,
    FRAME_OUTER,
    cellWidth,
    BUTTON_ROW_HEIGHT,
    lit ? colour.motor : colour.bezel,
    lit ? colour.motor : colour.panel,
  );
  const words = SHORT[button.toLowerCase()] ?? button.slice(0, 2).toUpperCase();
  const ink = lit ? colour.background : colour.secondInk;
  sketch.text(`button-${index}`, text.body, x + cellWidth / 2, FRAME_OUTER + 7, words, ink, 'centre');
}

/** Cells fill down the columns; raw mode has one dim RAW cell and the rest empty (show.md 83). */
function drawPad(sketch: Sketch, macros: readonly MacroChannel[], snapshot: Snapshot | null): void {
  const running = new Set(snapshot?.agents[0]?.decision ?? []);
  for (let cell = 0; cell < MACRO_COLUMNS * MACRO_ROWS; cell++) {
    const column = Math.floor(cell / MACRO_ROWS);
    const x = box.macros.x - box.strip.x + MACRO_INSET + column * (MACRO_CELL.width + MACRO_GAP);
    const y = FRAME_OUTER + MACRO_INSET + (cell % MACRO_ROWS) * (MACRO_CELL.height + MACRO_GAP);
    const macro = macros[cell];
    const top = y + 7;
    if (macro !== undefined) {
      const bright = running.has(macro.channel);
      sketch.rect(x, y, MACRO_CELL.width, MACRO_CELL.height, bright ? colour.motor : colour.panel);
      sketch.text(`tag-${cell}`, text.fine, x + 8, top, macro.tag, bright ? colour.background : colour.secondInk);
      const nameInk = bright ? colour.background : colour.ink;
      sketch.text(`name-${cell}`, text.fine, x + MACRO_TAG_WIDTH, top, fit(text.fine, macro.name, 90), nameInk);
    } else {
      drawOutline(sketch, x, y, MACRO_CELL.width, MACRO_CELL.height, colour.panel, colour.background);
      if (cell === 0 && macros.length === 0) sketch.text('raw', text.fine, x + 8, top, 'RAW', colour.secondInk);
    }
  }
}
