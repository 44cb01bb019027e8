import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import type { Snapshot, Starting } from '../../engine/replica/snapshot.ts';
import { createGrowthPicture } from '../brain-map/growth-picture.ts';
import { createSilhouette } from '../brain-map/silhouette.ts';
import type { StageGeometry } from '../geometry.ts';
import { CANVAS_WIDTH, INSET, box } from '../layout.ts';
import type { Box } from '../layout.ts';
import type { Layout, Panel } from '../panel.ts';
import { deviceBox } from '../raster/frame.ts';
import type { Frame } from '../raster/frame.ts';
import { drawWhole, placeWhole } from '../raster/whole-multiple.ts';
import type { Placement } from '../raster/whole-multiple.ts';
import { createSketch, fit, textWidth } from '../sketch.ts';
import type { Sketch } from '../sketch.ts';
import { colour, text } from '../theme.ts';
import { runDay } from '../format/duration.ts';
import { matchOf } from '../format/match.ts';
import { grouped } from '../format/number.ts';
import { drawFrame, drawOutline } from '../panels/frame.ts';
import { feedNotice } from '../panels/feed-state.ts';
import { MAX_STEPS, drawStepColumns } from '../panels/steps.ts';
import { drawNotice, drawStrip } from '../panels/title-strip.ts';

/** Boxes of this scene, design px. A 160x144 picture is 4x at 1080 and 3x at 720 in the same box. */
const HEAD: Box = { x: INSET, y: 92, width: CANVAS_WIDTH - 2 * INSET, height: 60 };
const LAST: Box = { x: INSET, y: 160, width: 736, height: 732 };
const PICTURE: Box = { x: INSET + 8, y: 168, width: 720, height: 648 };
const NEXT: Box = { x: 796, y: 160, width: 1_076, height: 732 };
/** Right of the no-content zone (show.md 13). */
const STEPS: Box = { x: 492, y: 904, width: CANVAS_WIDTH - INSET - 492, height: 128 };
const BRAIN: Box = { x: NEXT.x + 80, y: NEXT.y + 118, width: NEXT.width - 160, height: 480 };
const PLATE: Box = { x: 132, y: 44, width: 232, height: 64 };
const TEXT_X = 18;
const SILHOUETTE_POINTS = 60_000;
const BAR = { height: 12, pitch: 16, cell: 12 } as const;
/** Steps in a column; above two rows the bar below them has no room. */
const STEP_ROWS = 2;
const MANY_STEP_ROWS = 4;

/** Between two runs: left what was sealed, right what comes, below the true steps. No countdown (mockups). */
export function createIntermission(
  scale: number,
  descriptor: SessionDescriptor,
  geometry: StageGeometry | null,
): Layout {
  return {
    id: 'intermission',
    panels: [
      createHead(scale, descriptor),
      createHeadline(scale),
      createLast(scale, descriptor),
      createNext(scale, geometry),
      createSteps(scale),
    ],
  };
}

function createHead(scale: number, descriptor: SessionDescriptor): Panel {
  const sketch = createSketch('intermission-strip', scale);
  return {
    box: box.title,
    root: sketch.root,
    texts: sketch.texts,
    update(replica, nowMs) {
      sketch.begin(nowMs);
      const notice = replica.connected ? null : feedNotice(replica, nowMs);
      const { wordmark } = descriptor.task.presentation;
      const chip = { id: 'chip', words: 'BETWEEN RUNS', colour: colour.ink };
      if (notice !== null) drawNotice(sketch, notice);
      else drawStrip(sketch, wordmark, replica.starting?.release ?? descriptor.release, [chip]);
      return sketch.end();
    },
  };
}

function createHeadline(scale: number): Panel {
  const sketch = createSketch('intermission-headline', scale);
  return {
    box: HEAD,
    root: sketch.root,
    texts: sketch.texts,
    update({ starting }, nowMs) {
      sketch.begin(nowMs);
      sketch.rect(0, 0, HEAD.width, HEAD.height, colour.background);
      const headline = (starting?.headline ?? '').slice(0, 24);
      sketch.text('headline', text.scene, 4, 8, headline, colour.ink);
      const first = hasSealed(starting) ? 'one run is sealed, the next is booting' : 'the next run is booting';
      // a long headline has the line to itself
      if (textWidth(text.scene, headline) + textWidth(text.body, first) + 40 < HEAD.width) {
        sketch.text('first', text.body, HEAD.width, 8, first, colour.secondInk, 'right');
        sketch.text('still', text.body, HEAD.width, 37, 'the stream keeps running', colour.secondInk, 'right');
      }
      return sketch.end();
    },
  };
}

function hasSealed(starting: Starting | null): boolean {
  return (starting?.sealed ?? null) !== null;
}

/** The picture at half its light, and on it the word that says why. */
function createLast(scale: number, descriptor: SessionDescriptor): Panel {
  const sketch = createSketch('intermission-last', scale);
  const view = descriptor.environment.views[0];
  const place = view === undefined ? null : placeWhole(view, deviceBox(PICTURE, scale));
  const plate = plateBox(scale, place, view);
  const behind = new Uint32Array(plate.width * plate.height);
  const width = LAST.width - 2 * TEXT_X;
  let sealed = false;
  return {
    box: LAST,
    root: sketch.root,
    texts: sketch.texts,
    update({ snapshot, starting }, nowMs) {
      sketch.begin(nowMs);
      drawFrame(sketch, LAST.width, LAST.height);
      sealed = hasSealed(starting);
      if (sealed) drawPlate(sketch, plate, scale);
      if (snapshot?.revision === descriptor.revision) {
        const [first, second] = lastWords(descriptor, snapshot, starting?.sealed ?? null);
        sketch.text('reached', text.body, TEXT_X, 662, fit(text.body, first, width), colour.ink);
        sketch.text('where', text.body, TEXT_X, 697, fit(text.body, second, width), colour.secondInk);
      }
      return sketch.end();
    },
    paint(frame, replica) {
      const rgba = replica.views[0];
      if (rgba === undefined || view === undefined || place === null) return;
      if (rgba.byteLength < view.widthPx * view.heightPx * 4) return;
      if (sealed) copyBox(frame, plate, behind, 'out');
      drawWhole(frame, rgba, view.widthPx, view.heightPx, place);
      halve(frame, place, view.widthPx * place.scale, view.heightPx * place.scale);
      if (sealed) copyBox(frame, plate, behind, 'in');
    },
  };
}

/** Where the plate lies on the picture, device px. */
function plateBox(
  scale: number,
  place: Placement | null,
  view: { readonly widthPx: number; readonly heightPx: number } | undefined,
): Box {
  const width = Math.round(PLATE.width * scale);
  const height = Math.round(PLATE.height * scale);
  const picture = deviceBox(PICTURE, scale);
  if (place === null || view === undefined) return { ...picture, width, height };
  return {
    x: place.x + ((view.widthPx * place.scale - width) >> 1),
    y: place.y + ((view.heightPx * place.scale - height) >> 1),
    width,
    height,
  };
}

function drawPlate(sketch: Sketch, plate: Box, scale: number): void {
  const x = plate.x / scale - LAST.x;
  const y = plate.y / scale - LAST.y;
  sketch.rect(x, y, PLATE.width, PLATE.height, colour.background);
  drawOutline(sketch, x + 4, y + 4, PLATE.width - 8, PLATE.height - 8, colour.ink, colour.background);
  sketch.text('sealed', text.hero, x + PLATE.width / 2 + 2, y + 20, 'SEALED', colour.ink, 'centre');
}

function lastWords(
  descriptor: SessionDescriptor,
  { progress, runSeconds }: Snapshot,
  sealed: Starting['sealed'] | null,
): [string, string] {
  const match = matchOf(progress);
  const rung = descriptor.task.presentation.rungs[progress.rank];
  const place =
    match !== null
      ? `match ${match.matchNumber}, round ${match.roundNumber}`
      : rung === undefined
        ? 'no rung yet'
        : `rung ${progress.rank}, ${rung}`;
  const day = match === null ? `try ${progress.attempts + 1}, day ${runDay(runSeconds)}` : `day ${runDay(runSeconds)}`;
  if (sealed === null || sealed === undefined) return [`last picture, ${place}`, day];
  const step = /^\d+$/.test(sealed.step) ? grouped(Number(sealed.step)) : sealed.step;
  return [`${sealed.showWordmark}, ${place}`, `checkpoint ${sealed.checkpoint} at step ${step}, ${day}`];
}

/** Half the light: what is over steps back. */
function halve(frame: Frame, place: Placement, width: number, height: number): void {
  const bottom = Math.min(frame.height, place.y + height);
  for (let y = place.y; y < bottom; y++) {
    const line = y * frame.width + place.x;
    for (let at = line; at < line + width; at++) {
      frame.pixels[at] = 0xff000000 | ((frame.pixels[at]! >>> 1) & 0x7f7f7f);
    }
  }
}

/** `out` keeps the frame's box in `kept`, `in` puts it back. */
function copyBox(frame: Frame, at: Box, kept: Uint32Array, way: 'out' | 'in'): void {
  for (let row = 0; row < at.height; row++) {
    const from = (at.y + row) * frame.width + at.x;
    const line = row * at.width;
    if (way === 'out') kept.set(frame.pixels.subarray(from, from + at.width), line);
    else frame.pixels.set(kept.subarray(line, line + at.width), from);
  }
}

/** Its name, and its brain as far as it exists. */
function createNext(scale: number, geometry: StageGeometry | null): Panel {
  const sketch = createSketch('intermission-next', scale);
  const picture = createGrowthPicture(geometry ?? createSilhouette(SILHOUETTE_POINTS, 1), BRAIN, scale);
  const right = NEXT.width - TEXT_X;
  return {
    box: NEXT,
    root: sketch.root,
    texts: sketch.texts,
    update({ starting }, nowMs) {
      sketch.begin(nowMs);
      drawFrame(sketch, NEXT.width, NEXT.height);
      sketch.text('next', text.label, TEXT_X, 20, 'UP NEXT', colour.secondInk);
      if (starting !== null) {
        const name = starting.next?.name ?? starting.showWordmark;
        const large = textWidth(text.caption, name) <= right - TEXT_X;
        const style = large ? text.caption : text.hero;
        sketch.text('show', style, TEXT_X, 54, fit(style, name, right - TEXT_X), colour.ink);
        const total = starting.total > 0 ? `${grouped(starting.done)} of ${grouped(starting.total)}` : '';
        sketch.text('count', text.body, right, NEXT.height - 70, total, colour.ink, 'right');
        const room = right - TEXT_X - textWidth(text.body, total) - 24;
        sketch.text('line', text.body, TEXT_X, NEXT.height - 70, fit(text.body, starting.line, room), colour.ink);
        const origin = fit(text.body, starting.originLine, right - TEXT_X);
        sketch.text('origin', text.body, TEXT_X, NEXT.height - 37, origin, colour.secondInk);
      }
      return sketch.end();
    },
    paint(frame, { starting }) {
      picture.paint(frame, starting?.grownShare ?? 0);
    },
  };
}

function createSteps(scale: number): Panel {
  const sketch = createSketch('intermission-steps', scale);
  const width = STEPS.width - 2 * TEXT_X;
  return {
    box: STEPS,
    root: sketch.root,
    texts: sketch.texts,
    update({ starting }, nowMs) {
      sketch.begin(nowMs);
      drawFrame(sketch, STEPS.width, STEPS.height);
      const steps = (starting?.steps ?? []).slice(0, MAX_STEPS);
      const few = steps.length <= 3 * STEP_ROWS;
      const at = { x: TEXT_X, y: few ? 16 : 11, width };
      drawStepColumns(sketch, steps, at, few ? STEP_ROWS : MANY_STEP_ROWS, few ? 36 : 28);
      if (few && starting !== null && starting.total > 0) drawBar(sketch, starting.done / starting.total, width);
      return sketch.end();
    },
  };
}

function drawBar(sketch: Sketch, share: number, width: number): void {
  const cells = Math.floor((width + BAR.pitch - BAR.cell) / BAR.pitch);
  const filled = Math.floor(Math.min(1, share) * cells);
  for (let cell = 0; cell < cells; cell++) {
    const ink = cell < filled ? colour.ink : colour.panel;
    sketch.rect(TEXT_X + cell * BAR.pitch, STEPS.height - 26, BAR.cell, BAR.height, ink);
  }
}
