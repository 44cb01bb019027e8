import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import { RAIL_TEXT_X, box } from '../layout.ts';
import { wrap } from '../sketch.ts';
import { PANE_HEIGHT, PANE_TOP } from '../tabs.ts';
import type { TabPane } from '../tabs.ts';
import { colour, text } from '../theme.ts';
import { asLearnt, honestyCards } from '../format/honesty.ts';
import { grouped } from '../format/number.ts';
import { macroChannels } from './macro-channels.ts';

/** One page up at a time. */
export const DESCRIBE_PAGE_MS = 15_000;
const LINE_PITCH = 33;
const PARAGRAPH_GAP = 12;
const FIRST_LINE = 74;
const TITLE = 'A CONNECTOME MEETS A GAME BOY';

type Line = { readonly words: string; readonly ink: number; readonly y: number };

/** What this is, what is real, what is ours, what is not claimed, and whose data it is (spec: show.md 9, 67, 68, 121). */
export function createDescribe(descriptor: SessionDescriptor): TabPane {
  const pages = paginate([introduction(descriptor), ...honestyCards(descriptor).map(({ sentence }) => sentence)]);
  const right = box.tabSlot.width - RAIL_TEXT_X;
  return {
    step: () => undefined,
    draw(sketch, _replica, nowMs) {
      const shown = Math.floor(Math.max(0, nowMs) / DESCRIBE_PAGE_MS) % pages.length;
      sketch.text('describe-title', text.hero, RAIL_TEXT_X, PANE_TOP + 20, TITLE, colour.ink);
      const place = `${shown + 1} of ${pages.length}`;
      sketch.text('describe-page', text.body, right, PANE_TOP + 23, place, colour.secondInk, 'right');
      pages[shown]!.forEach(({ words, ink, y }, row) => {
        sketch.text(`describe-${shown}-${row}`, text.body, RAIL_TEXT_X, PANE_TOP + y, words, ink);
      });
    },
  };
}

function introduction(descriptor: SessionDescriptor): string {
  const connectome = descriptor.agents[0]?.connectome;
  const chooses = macroChannels(descriptor).length > 0 ? 'the scene offers a few actions and ' : '';
  const size = connectome === undefined ? '' : `${grouped(connectome.neurons)} neurons run one millisecond at a time. `;
  const words =
    `${size}The screen of the game is what its eyes see, ${chooses}motor neurons choose what is pressed, and each ` +
    'reward shifts a few thousand synapses.';
  return asLearnt(words, descriptor);
}

/** Paragraphs in order, whole ones only, on as few pages as they need and about equally full. */
function paginate(paragraphs: readonly string[]): Line[][] {
  const fewest = cut(paragraphs, PANE_HEIGHT - 6).length;
  let bottom = PANE_HEIGHT - 6;
  while (cut(paragraphs, bottom - LINE_PITCH).length === fewest) bottom -= LINE_PITCH;
  return cut(paragraphs, bottom);
}

function cut(paragraphs: readonly string[], bottom: number): Line[][] {
  const pages: Line[][] = [[]];
  let y = FIRST_LINE;
  paragraphs.forEach((paragraph) => {
    const lines = wrap(text.body, paragraph, box.tabSlot.width - 2 * RAIL_TEXT_X);
    if (y + lines.length * LINE_PITCH > bottom && y > FIRST_LINE) {
      pages.push([]);
      y = FIRST_LINE;
    }
    const page = pages.at(-1);
    const ink = page.length === 0 || page.at(-1).ink === colour.secondInk ? colour.ink : colour.secondInk;
    for (const words of lines) {
      page.push({ words, ink, y });
      y += LINE_PITCH;
    }
    y += PARAGRAPH_GAP;
  });
  return pages;
}
