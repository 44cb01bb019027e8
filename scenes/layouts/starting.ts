import type { Replica } from '../../engine/replica/replica.ts';
import type { Starting } from '../../engine/replica/snapshot.ts';
import { createGrowthPicture } from '../brain-map/growth-picture.ts';
import { createSilhouette } from '../brain-map/silhouette.ts';
import type { StageGeometry } from '../geometry.ts';
import { CANVAS_HEIGHT, CANVAS_WIDTH, INSET, box } from '../layout.ts';
import type { Box } from '../layout.ts';
import type { Layout, Panel } from '../panel.ts';
import { createSketch, fit } from '../sketch.ts';
import type { Sketch } from '../sketch.ts';
import { colour, text } from '../theme.ts';
import { grouped } from '../format/number.ts';
import { drawSteps } from '../panels/steps.ts';
import { feedNotice } from '../panels/feed-state.ts';
import { drawNotice, drawStrip } from '../panels/title-strip.ts';

/** Boxes of this scene, design px on the canvas. Words start right of the no-content zone (mockups, starting). */
const AREA: Box = { x: INSET, y: box.title.y + box.title.height, width: CANVAS_WIDTH - 2 * INSET, height: 944 };
const BRAIN: Box = { x: 96, y: 104, width: 1_360, height: 700 };
const TEXT_X = 492;
const RIGHT = CANVAS_WIDTH - INSET;
const STEPS_X = 1_490;
const BAR_Y = 904;
const BAR_HEIGHT = 24;
const BAR_PITCH = 16;
const BAR_CELL = 12;
const SILHOUETTE_POINTS = 110_000;

/** Shown while nothing has been announced at all. */
const STANDBY: Starting = {
  type: 'starting',
  showWordmark: 'A FLY BRAIN PLAYS',
  release: '',
  headline: 'STANDBY',
  grownShare: 0,
  done: 0,
  total: 0,
  line: 'waiting for a session',
  originLine: '',
  steps: [],
};

/** While no world commits: the brain is the progress bar, tied to real counts (mockups, starting). */
export function createStarting(scale: number, geometry: StageGeometry | null): Layout {
  return { id: 'starting', panels: [createStrip(scale), createBody(scale, geometry)] };
}

function startingOf(replica: Replica): Starting {
  if (replica.starting !== null) return replica.starting;
  const { descriptor } = replica;
  if (descriptor === null) return STANDBY;
  return { ...STANDBY, showWordmark: descriptor.task.presentation.wordmark, release: descriptor.release };
}

function createStrip(scale: number): Panel {
  const sketch = createSketch('starting-strip', scale);
  return {
    box: box.title,
    root: sketch.root,
    texts: sketch.texts,
    update(replica, nowMs) {
      const { showWordmark, release, headline } = startingOf(replica);
      const word = headline === STANDBY.headline ? 'STANDBY' : 'STARTING';
      sketch.begin(nowMs);
      const notice = replica.connected ? null : feedNotice(replica, nowMs);
      if (notice !== null) drawNotice(sketch, notice);
      else drawStrip(sketch, showWordmark, release, [{ id: 'chip', words: word, colour: colour.ink }]);
      return sketch.end();
    },
  };
}

function createBody(scale: number, geometry: StageGeometry | null): Panel {
  const sketch = createSketch('starting-body', scale);
  const picture = createGrowthPicture(geometry ?? createSilhouette(SILHOUETTE_POINTS, 1), BRAIN, scale);
  return {
    box: AREA,
    root: sketch.root,
    texts: sketch.texts,
    update(replica, nowMs) {
      const starting = startingOf(replica);
      sketch.begin(nowMs);
      drawBench(sketch);
      if (starting.steps.length > 0) {
        sketch.text('steps', text.label, STEPS_X - AREA.x, 50, 'BEFORE TICK 1', colour.secondInk);
        drawSteps(sketch, starting.steps, STEPS_X - AREA.x, 98, RIGHT - AREA.x);
      }
      drawProgress(sketch, starting);
      return sketch.end();
    },
    paint(frame, replica) {
      picture.paint(frame, startingOf(replica).grownShare);
    },
  };
}

function drawBench(sketch: Sketch): void {
  sketch.rect(0, 0, AREA.width, AREA.height, colour.background);
  for (let x = INSET - AREA.x; x <= AREA.width; x += INSET) if (x >= 0) sketch.rect(x, 0, 1, AREA.height, colour.grid);
  for (let y = 2 * INSET - AREA.y; y < CANVAS_HEIGHT - AREA.y - INSET; y += INSET)
    sketch.rect(0, y, AREA.width, 1, colour.grid);
}

function drawProgress(sketch: Sketch, starting: Starting): void {
  const x = TEXT_X - AREA.x;
  const right = RIGHT - AREA.x;
  sketch.text('headline', text.scene, x, 826 - AREA.y, starting.headline.slice(0, 24), colour.ink);
  if (starting.total > 0) {
    const total = grouped(starting.total);
    sketch.text('total', text.hero, right, 848 - AREA.y, total, colour.secondInk, 'right');
    const slash = right - total.length * text.hero.sizePx - 16;
    sketch.text('slash', text.hero, slash, 848 - AREA.y, '/', colour.secondInk, 'right');
    const doneRight = slash - text.hero.sizePx - 12;
    sketch.text('done', text.hero, doneRight, 848 - AREA.y, grouped(starting.done), colour.ink, 'right');
    const cells = Math.floor((right - x) / BAR_PITCH);
    const filled = Math.floor(Math.min(1, starting.done / starting.total) * cells);
    for (let cell = 0; cell < cells; cell++) {
      sketch.rect(
        x + cell * BAR_PITCH,
        BAR_Y - AREA.y,
        BAR_CELL,
        BAR_HEIGHT,
        cell < filled ? colour.ink : colour.panel,
      );
    }
  }
  sketch.text('line', text.body, x, 954 - AREA.y, fit(text.body, starting.line, right - x), colour.ink);
  sketch.text('origin', text.body, x, 990 - AREA.y, fit(text.body, starting.originLine, right - x), colour.secondInk);
}
