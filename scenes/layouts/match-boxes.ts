import { CANVAS_HEIGHT, CANVAS_WIDTH, INSET, box } from '../layout.ts';
import type { Box } from '../layout.ts';

/**
 * Every box of the layouts for several flies, design px at 1920x1080 (spec: show.md 168, 169). A test adds the sums up.
 */
export const MATCH_GAP = 12;

const cardWidth = 420;
const viewWidth = 960;
const bodyY = box.title.y + box.title.height;
const bodyHeight = 720;
const flyWidth = 432;
const footY = bodyY + bodyHeight + 4;
const footHeight = CANVAS_HEIGHT - INSET - footY;
const viewX = INSET + cardWidth + MATCH_GAP;
const rightX = viewX + viewWidth + MATCH_GAP;
const centreX = INSET + flyWidth + MATCH_GAP;
const centreWidth = CANVAS_WIDTH - 2 * centreX;
const eventsHeight = 100;

export const matchBox: Readonly<Record<'view' | 'events' | 'chat', Box>> = {
  /** A shared picture, its score above it and its identity below it. */
  view: { x: viewX, y: bodyY, width: viewWidth, height: bodyHeight },
  events: { x: centreX, y: footY, width: centreWidth, height: eventsHeight },
  chat: {
    x: centreX,
    y: footY + eventsHeight + MATCH_GAP,
    width: centreWidth,
    height: footHeight - eventsHeight - MATCH_GAP,
  },
};

/** Cards of two flies, agent order. */
export const cardBoxes: readonly Box[] = [
  { x: INSET, y: bodyY, width: cardWidth, height: bodyHeight },
  { x: rightX, y: bodyY, width: cardWidth, height: bodyHeight },
];

/** Their fly canvases. Both reach into places a platform may cover: no text on them (show.md 168). */
export const flyBoxes: readonly Box[] = [
  { x: INSET, y: footY, width: flyWidth, height: footHeight },
  { x: CANVAS_WIDTH - INSET - flyWidth, y: footY, width: flyWidth, height: footHeight },
];

const smallHeight = (CANVAS_HEIGHT - INSET - bodyY - MATCH_GAP) / 2;
const lowerY = bodyY + smallHeight + MATCH_GAP;

/** Cards of three or four flies, agent order: A top left, B top right, C and D below them. No fly canvases (166). */
export const smallCardBoxes: readonly Box[] = [
  { x: INSET, y: bodyY, width: cardWidth, height: smallHeight },
  { x: rightX, y: bodyY, width: cardWidth, height: smallHeight },
  { x: INSET, y: lowerY, width: cardWidth, height: smallHeight },
  { x: rightX, y: lowerY, width: cardWidth, height: smallHeight },
];
