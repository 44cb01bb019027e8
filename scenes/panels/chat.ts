import type { ChatLine } from '../../engine/replica/snapshot.ts';
import { RAIL_TEXT_X, box } from '../layout.ts';
import type { Box } from '../layout.ts';
import type { Panel } from '../panel.ts';
import { TEXT_INTERVAL_MS, createSketch, fit, textWidth, wrap } from '../sketch.ts';
import { colour, text } from '../theme.ts';
import { isSafeLine } from '../format/safe-line.ts';
import { drawFrame } from './frame.ts';

/** Lines in the single-fly box (spec: show.md 78). */
const ROWS = 7;
const ROW_PITCH = 33;
const FIRST_TOP = 12;
const NAME_GAP = 12;

type Row = { readonly name: string; readonly words: string; readonly bot: boolean; readonly indent: number };

/** The last lines, oldest on top. Exists only while chat is on; an empty list is an empty frame (show.md 78 to 80). */
export function createChat(scale: number, at: Box = box.chat, rowCount: number = ROWS): Panel {
  const sketch = createSketch('chat', scale);
  let rows: readonly Row[] = [];
  let taken: readonly ChatLine[] = [];
  let takenAtMs = -Infinity;
  return {
    box: at,
    root: sketch.root,
    texts: sketch.texts,
    update({ snapshot }, nowMs) {
      sketch.begin(nowMs);
      drawFrame(sketch, at.width, at.height);
      const chat = snapshot?.chat ?? [];
      // name and words change together, so no line is ever shown under another viewer's name
      if (!sameLines(chat, taken) && Math.abs(nowMs - takenAtMs) >= TEXT_INTERVAL_MS) {
        rows = rowsOf(chat, rowCount, at.width - 2 * RAIL_TEXT_X);
        taken = chat;
        takenAtMs = nowMs;
      }
      rows.forEach((row, index) => {
        const top = FIRST_TOP + index * ROW_PITCH;
        const nameInk = row.bot ? colour.ok : colour.motor;
        if (row.name !== '') sketch.text(`name-${index}`, text.smallLabel, RAIL_TEXT_X, top + 2, row.name, nameInk);
        sketch.text(
          `line-${index}`,
          text.body,
          RAIL_TEXT_X + row.indent,
          top,
          row.words,
          row.bot ? colour.ok : colour.ink,
        );
      });
      return sketch.end();
    },
  };
}

/** Whole messages from the newest back while they fit; the newest is kept even when it alone is too tall (78). */
function rowsOf(chat: readonly ChatLine[], rowCount: number, width: number): Row[] {
  let rows: Row[] = [];
  for (const line of chat.slice(-rowCount).toReversed()) {
    if (!isSafeLine(line.text) || !isSafeLine(line.by)) continue;
    const message = layOut(line, width);
    if (rows.length > 0 && rows.length + message.length > rowCount) break;
    rows = [...message, ...rows];
  }
  return rows.slice(0, rowCount);
}

function layOut(line: ChatLine, width: number): Row[] {
  const name = fit(text.smallLabel, line.by.toUpperCase(), 400);
  const indent = Math.ceil(textWidth(text.smallLabel, name)) + NAME_GAP;
  const [first = '', ...rest] = wrap(text.body, line.text, width - indent);
  const more = rest.length === 0 ? [] : wrap(text.body, rest.join(' '), width);
  return [
    { name, words: first, bot: line.bot, indent },
    ...more.map((words) => ({ name: '', words, bot: line.bot, indent: 0 })),
  ];
}

function sameLines(a: readonly ChatLine[], b: readonly ChatLine[]): boolean {
  return a.length === b.length && a.every(({ id }, index) => id === b[index]!.id);
}
