import { expect, test } from 'vitest';
import {
  BUTTON_GAP,
  BUTTON_ROW_HEIGHT,
  BUTTON_ROW_WIDTH,
  CANVAS_HEIGHT,
  CANVAS_WIDTH,
  COLUMN_GAP,
  FRAME_OUTER,
  GAME_SCALE,
  INNER_GUTTER,
  INSET,
  MACRO_CELL,
  MACRO_COLUMNS,
  MACRO_GAP,
  MACRO_INSET,
  MACRO_ROWS,
  MACRO_TAG_WIDTH,
  RAIL_GUTTER,
  TAB_STRIP_HEIGHT,
  box,
} from '../../scenes/layout.ts';
import type { Box } from '../../scenes/layout.ts';

const at = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });

test('boxes of the single-fly layout are the published ones (show.md 4, 8, 9, 11, 13, 14)', () => {
  expect(box.title).toEqual(at(48, 48, 1824, 40));
  expect(box.game).toEqual(at(48, 88, 800, 720));
  expect(box.strip).toEqual(at(48, 812, 800, 220));
  expect(box.rail).toEqual(at(860, 88, 1012, 944));
  expect(box.progress).toEqual(at(860, 88, 1012, 144));
  expect(box.tabSlot).toEqual(at(860, 244, 1012, 420));
  expect(box.tabPane).toEqual(at(864, 292, 1004, 368));
  expect(box.events).toEqual(at(860, 676, 1012, 100));
  expect(box.chat).toEqual(at(860, 788, 1012, 244));
  expect(box.fly).toEqual(at(52, 852, 416, 176));
  expect(box.macros).toEqual(at(480, 816, 364, 212));
  expect(box.noContent).toEqual(at(0, 900, 480, 180));
  expect(box.captionBand).toEqual(at(864, 292, 1004, 72));
});

test('the sums hold (show.md 5, 17): 40 + 720 + 4 + 220 = 984 and 144 + 12 + 420 + 12 + 100 + 12 + 244 = 944', () => {
  expect(box.title.height + box.game.height + INNER_GUTTER + box.strip.height).toBe(CANVAS_HEIGHT - 2 * INSET);
  const rail = [box.progress, box.tabSlot, box.events, box.chat];
  expect(rail.reduce((sum, { height }) => sum + height, 0) + 3 * RAIL_GUTTER).toBe(box.rail.height);
  expect(box.game.width + COLUMN_GAP + box.rail.width).toBe(CANVAS_WIDTH - 2 * INSET);
  expect(box.game).toMatchObject({ width: 160 * GAME_SCALE, height: 144 * GAME_SCALE });
  expect(box.tabPane.height).toBe(box.tabSlot.height - TAB_STRIP_HEIGHT - FRAME_OUTER);
  expect(FRAME_OUTER + BUTTON_ROW_HEIGHT + INNER_GUTTER + box.fly.height + FRAME_OUTER).toBe(box.strip.height);
});

test('with chat off EVENTS and the honesty card take exactly the room of EVENTS and CHAT', () => {
  expect(box.quietEvents.y).toBe(box.events.y);
  expect(box.honesty.y).toBe(box.quietEvents.y + box.quietEvents.height + RAIL_GUTTER);
  expect(box.honesty.y + box.honesty.height).toBe(box.chat.y + box.chat.height);
});

test('the macro pad holds 14 cells of 179 x 28 and their two text columns (show.md 12)', () => {
  const width = 2 * MACRO_INSET + MACRO_COLUMNS * MACRO_CELL.width + (MACRO_COLUMNS - 1) * MACRO_GAP;
  const height = 2 * MACRO_INSET + MACRO_ROWS * MACRO_CELL.height + (MACRO_ROWS - 1) * MACRO_GAP;
  expect(width).toBe(box.macros.width);
  expect(height).toBe(box.macros.height);
  expect(MACRO_CELL.width - MACRO_TAG_WIDTH).toBeGreaterThanOrEqual(87);
  expect((BUTTON_ROW_WIDTH - 7 * BUTTON_GAP) / 8).toBe(46.75);
});

test('every panel stays inside the safe inset (show.md 2, 181)', () => {
  const panels = Object.entries(box).filter(([name]) => name !== 'noContent');
  for (const [, { x, y, width, height }] of panels) {
    expect(x).toBeGreaterThanOrEqual(INSET);
    expect(y).toBeGreaterThanOrEqual(INSET);
    expect(x + width).toBeLessThanOrEqual(CANVAS_WIDTH - INSET);
    expect(y + height).toBeLessThanOrEqual(CANVAS_HEIGHT - INSET);
  }
});
