import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import { CANVAS_WIDTH, INSET, box } from '../layout.ts';
import type { Box } from '../layout.ts';
import type { Layout, Panel } from '../panel.ts';
import { deviceBox } from '../raster/frame.ts';
import { drawWhole, placeWhole } from '../raster/whole-multiple.ts';
import { createSketch, fit } from '../sketch.ts';
import { colour, text } from '../theme.ts';
import { runDay } from '../format/duration.ts';
import { grouped } from '../format/number.ts';
import { drawFrame } from '../panels/frame.ts';
import { feedNotice } from '../panels/feed-state.ts';
import { STEP_PITCH, drawSteps } from '../panels/steps.ts';
import { drawNotice, drawStrip } from '../panels/title-strip.ts';

/** Boxes of this scene, design px. A 160x144 picture is 4x at 1080 and 3x at 720 in the same box. */
const HEAD: Box = { x: INSET, y: 92, width: CANVAS_WIDTH - 2 * INSET, height: 60 };
const LAST: Box = { x: INSET, y: 160, width: 736, height: 732 };
const PICTURE: Box = { x: INSET + 8, y: 168, width: 720, height: 648 };
const NEXT: Box = { x: 796, y: 160, width: 1_076, height: 872 };
const TEXT_X = 18;
const BAR_HEIGHT = 24;
const BAR_PITCH = 16;
const BAR_CELL = 12;

/** Between two runs: left the last picture, right the true steps to the next. No countdown (mockups, intermission). */
export function createIntermission(scale: number, descriptor: SessionDescriptor): Layout {
  return {
    id: 'intermission',
    panels: [createHead(scale, descriptor), createHeadline(scale), createLast(scale, descriptor), createNext(scale)],
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
      sketch.text('headline', text.scene, 4, 8, (starting?.headline ?? '').slice(0, 24), colour.ink);
      return sketch.end();
    },
  };
}

function createLast(scale: number, descriptor: SessionDescriptor): Panel {
  const sketch = createSketch('intermission-last', scale);
  const view = descriptor.environment.views[0];
  const place = view === undefined ? null : placeWhole(view, deviceBox(PICTURE, scale));
  return {
    box: LAST,
    root: sketch.root,
    texts: sketch.texts,
    update({ snapshot }, nowMs) {
      sketch.begin(nowMs);
      drawFrame(sketch, LAST.width, LAST.height);
      if (snapshot?.revision === descriptor.revision) {
        const { rank, attempts } = snapshot.progress;
        const rung = descriptor.task.presentation.rungs[rank];
        const reached = rung === undefined ? 'last picture, no rung yet' : `last picture, rung ${rank}, ${rung}`;
        sketch.text('reached', text.body, TEXT_X, 662, fit(text.body, reached, LAST.width - 2 * TEXT_X), colour.ink);
        const where = `try ${attempts + 1}, day ${runDay(snapshot.runSeconds)}`;
        sketch.text('where', text.body, TEXT_X, 697, where, colour.secondInk);
      }
      return sketch.end();
    },
    paint(frame, replica) {
      const rgba = replica.views[0];
      if (rgba === undefined || view === undefined || place === null) return;
      if (rgba.byteLength < view.widthPx * view.heightPx * 4) return;
      drawWhole(frame, rgba, view.widthPx, view.heightPx, place);
      const bottom = Math.min(frame.height, place.y + view.heightPx * place.scale);
      for (let y = place.y; y < bottom; y++) {
        const line = y * frame.width + place.x;
        // half the light: what is over steps back
        for (let at = line; at < line + view.widthPx * place.scale; at++) {
          frame.pixels[at] = 0xff000000 | ((frame.pixels[at]! >>> 1) & 0x7f7f7f);
        }
      }
    },
  };
}

function createNext(scale: number): Panel {
  const sketch = createSketch('intermission-next', scale);
  const right = NEXT.width - TEXT_X;
  return {
    box: NEXT,
    root: sketch.root,
    texts: sketch.texts,
    update({ starting }, nowMs) {
      sketch.begin(nowMs);
      drawFrame(sketch, NEXT.width, NEXT.height);
      sketch.text('next', text.label, TEXT_X, 24, 'UP NEXT', colour.secondInk);
      if (starting !== null) {
        sketch.text('show', text.hero, TEXT_X, 68, fit(text.hero, starting.showWordmark, right - TEXT_X), colour.ink);
        drawSteps(sketch, starting.steps, TEXT_X, 150, right);
        const below = 150 + (Math.min(12, starting.steps.length) + 1) * STEP_PITCH;
        if (starting.total > 0) {
          const cells = Math.floor((right - TEXT_X) / BAR_PITCH);
          const filled = Math.floor(Math.min(1, starting.done / starting.total) * cells);
          for (let cell = 0; cell < cells; cell++) {
            const ink = cell < filled ? colour.ink : colour.panel;
            sketch.rect(TEXT_X + cell * BAR_PITCH, below, BAR_CELL, BAR_HEIGHT, ink);
          }
          const count = `${grouped(starting.done)} of ${grouped(starting.total)}`;
          sketch.text('count', text.body, right, below + 46, count, colour.secondInk, 'right');
        }
        sketch.text('line', text.body, TEXT_X, below + 46, fit(text.body, starting.line, 700), colour.ink);
        sketch.text('origin', text.body, TEXT_X, below + 82, starting.originLine, colour.secondInk);
      }
      const still = 'the stream keeps running';
      sketch.text('still', text.body, TEXT_X, NEXT.height - 44, still, colour.secondInk);
      return sketch.end();
    },
  };
}
