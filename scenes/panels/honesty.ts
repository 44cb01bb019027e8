import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import { RAIL_TEXT_X, box } from '../layout.ts';
import type { Box } from '../layout.ts';
import type { Panel } from '../panel.ts';
import { createSketch, wrap } from '../sketch.ts';
import { colour, text } from '../theme.ts';
import { honestyCards } from '../format/honesty.ts';
import { drawFrame } from './frame.ts';

/** One card at a time, long enough to read it twice. */
export const HONESTY_CARD_MS = 14_000;
const LINE_PITCH = 33;
const FIRST_LINE = 54;
const TITLED_HEIGHT = 140;
const LOW_FIRST_LINE = 13;
const LOW_ROWS = 3;
const LOW_PIPS = 6;
const PIP_COLUMN = 40;
const PIP = 8;
const PIP_PITCH = 14;

/** Takes the room of a chat that is off: one true sentence at a time, the pips say how many there are (show.md 9, 121). */
export function createHonesty(scale: number, descriptor: SessionDescriptor, at: Box = box.honesty): Panel {
  const sketch = createSketch('honesty', scale);
  // a low box has room for the sentence only
  const titled = at.height >= TITLED_HEIGHT;
  const firstLine = titled ? FIRST_LINE : LOW_FIRST_LINE;
  const width = at.width - 2 * RAIL_TEXT_X - (titled ? 0 : PIP_COLUMN);
  const rows = titled ? Math.floor((at.height - FIRST_LINE - 12) / LINE_PITCH) : LOW_ROWS;
  const cards = honestyCards(descriptor).map((card) => ({
    ...card,
    lines: wrap(text.body, card.sentence, width).slice(0, rows),
  }));
  return {
    box: at,
    root: sketch.root,
    texts: sketch.texts,
    update(_, nowMs) {
      sketch.begin(nowMs);
      drawFrame(sketch, at.width, at.height);
      const shown = Math.floor(Math.max(0, nowMs) / HONESTY_CARD_MS) % cards.length;
      const card = cards[shown]!;
      if (titled) sketch.text(`title-${card.id}`, text.label, RAIL_TEXT_X, 18, card.title, colour.secondInk);
      card.lines.forEach((line, row) => {
        sketch.text(`${card.id}-${row}`, text.body, RAIL_TEXT_X, firstLine + row * LINE_PITCH, line, colour.ink);
      });
      cards.forEach((_card, index) => {
        const ink = index === shown ? colour.ink : colour.bezel;
        if (!titled) {
          const column = Math.floor(index / LOW_PIPS);
          const left = at.width - RAIL_TEXT_X - PIP - column * PIP_PITCH;
          sketch.rect(left, 12 + (index % LOW_PIPS) * PIP_PITCH, PIP, PIP, ink);
          return;
        }
        const x = at.width - RAIL_TEXT_X - (cards.length - index) * PIP_PITCH + PIP_PITCH - PIP;
        sketch.rect(x, 24, PIP, PIP, ink);
      });
      return sketch.end();
    },
  };
}
