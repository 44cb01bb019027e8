/**
 * Every constant of the single-fly geometry, design px at 1920x1080 (spec: show.md 1). Nothing else in `scenes` states
 * a box; a test adds the sums up again (show.md 17).
 */
export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

export const CANVAS_WIDTH = 1920;
export const CANVAS_HEIGHT = 1080;
/** No panel outside it (show.md 2). */
export const INSET = 48;
export const COLUMN_GAP = 12;
export const RAIL_GUTTER = 12;
export const INNER_GUTTER = 4;
/** Outer frame in panel colour, then the inner line (show.md 3). */
export const FRAME_OUTER = 4;
export const FRAME_LINE = 2;
export const GRID_PITCH = 48;
/** Game Boy pixels at 1080 (show.md 6). */
export const GAME_SCALE = 5;
export const TAB_STRIP_HEIGHT = 48;
export const BUTTON_ROW_HEIGHT = 32;
export const BUTTON_ROW_WIDTH = 416;
export const BUTTON_GAP = 6;
export const MACRO_COLUMNS = 2;
export const MACRO_ROWS = 7;
export const MACRO_TAG_WIDTH = 85;
export const MACRO_CELL: { readonly width: number; readonly height: number } = { width: 179, height: 28 };
export const MACRO_INSET = 2;
export const MACRO_GAP = 2;
/** Left edge of the first letter in a rail panel, from the panel's left edge (mockups "aligned left edges": 878). */
export const RAIL_TEXT_X = 18;
/** Chat off: the room of EVENTS and CHAT is shared by more event rows and the honesty card. */
export const QUIET_EVENTS_HEIGHT = 160;

const titleHeight = 40;
const gameWidth = 800;
const gameHeight = 720;
const stripHeight = 220;
const railX = INSET + gameWidth + COLUMN_GAP;
const railY = INSET + titleHeight;
const railWidth = CANVAS_WIDTH - INSET - railX;
const usableHeight = CANVAS_HEIGHT - 2 * INSET;
const progressHeight = 144;
const tabHeight = 420;
const eventsHeight = 100;
const chatHeight = 244;
const tabY = railY + progressHeight + RAIL_GUTTER;
const eventsY = tabY + tabHeight + RAIL_GUTTER;
const chatY = eventsY + eventsHeight + RAIL_GUTTER;
const stripY = railY + gameHeight + INNER_GUTTER;
const quietHonestyY = eventsY + QUIET_EVENTS_HEIGHT + RAIL_GUTTER;

export type BoxName =
  | 'title'
  | 'game'
  | 'strip'
  | 'rail'
  | 'progress'
  | 'tabSlot'
  | 'tabPane'
  | 'events'
  | 'chat'
  | 'quietEvents'
  | 'honesty'
  | 'buttons'
  | 'fly'
  | 'macros'
  | 'noContent'
  | 'captionBand';

export const box: Readonly<Record<BoxName, Box>> = {
  title: { x: INSET, y: INSET, width: CANVAS_WIDTH - 2 * INSET, height: titleHeight },
  game: { x: INSET, y: railY, width: gameWidth, height: gameHeight },
  strip: { x: INSET, y: stripY, width: gameWidth, height: stripHeight },
  rail: { x: railX, y: railY, width: railWidth, height: usableHeight - titleHeight },
  progress: { x: railX, y: railY, width: railWidth, height: progressHeight },
  tabSlot: { x: railX, y: tabY, width: railWidth, height: tabHeight },
  tabPane: {
    x: railX + FRAME_OUTER,
    y: tabY + TAB_STRIP_HEIGHT,
    width: railWidth - 2 * FRAME_OUTER,
    height: tabHeight - TAB_STRIP_HEIGHT - FRAME_OUTER,
  },
  events: { x: railX, y: eventsY, width: railWidth, height: eventsHeight },
  chat: { x: railX, y: chatY, width: railWidth, height: chatHeight },
  quietEvents: { x: railX, y: eventsY, width: railWidth, height: QUIET_EVENTS_HEIGHT },
  honesty: {
    x: railX,
    y: quietHonestyY,
    width: railWidth,
    height: INSET + usableHeight - quietHonestyY,
  },
  buttons: { x: INSET + FRAME_OUTER, y: stripY + FRAME_OUTER, width: BUTTON_ROW_WIDTH, height: BUTTON_ROW_HEIGHT },
  fly: {
    x: INSET + FRAME_OUTER,
    y: stripY + FRAME_OUTER + BUTTON_ROW_HEIGHT + INNER_GUTTER,
    width: BUTTON_ROW_WIDTH,
    height: stripHeight - 2 * FRAME_OUTER - BUTTON_ROW_HEIGHT - INNER_GUTTER,
  },
  macros: {
    x: INSET + FRAME_OUTER + BUTTON_ROW_WIDTH + 12,
    y: stripY + FRAME_OUTER,
    width: gameWidth - 2 * FRAME_OUTER - BUTTON_ROW_WIDTH - 12,
    height: stripHeight - 2 * FRAME_OUTER,
  },
  /** A platform may cover it: no readable text inside (show.md 13). */
  noContent: { x: 0, y: 900, width: 480, height: 180 },
  captionBand: { x: railX + FRAME_OUTER, y: tabY + TAB_STRIP_HEIGHT, width: railWidth - 2 * FRAME_OUTER, height: 72 },
};
