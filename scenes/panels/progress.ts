import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import type { Snapshot, SugarState } from '../../engine/replica/snapshot.ts';
import { RAIL_TEXT_X, box } from '../layout.ts';
import type { Panel } from '../panel.ts';
import { createSketch, fit, textWidth } from '../sketch.ts';
import type { Sketch } from '../sketch.ts';
import { colour, text } from '../theme.ts';
import { compactDuration, runClock, runDay } from '../format/duration.ts';
import { grouped } from '../format/number.ts';
import { marquee } from '../format/marquee.ts';
import { GLYPH_SIZE, drawGlyph } from './glyphs.ts';
import { drawFrame } from './frame.ts';

const RIGHT = box.progress.width - RAIL_TEXT_X;
const LABEL_TOP = 13;
const LINE_TOP = 41;
const SPINE_BOTTOM = 92;
const FOOTER_TOP = 108;
const HERE_X = 670;
/** Press Start 2P characters that fit between the left edge and HERE FOR. */
const LINE_CHARACTERS = 23;
const FACT_GAP = 26;

/** Rung, time here, brain rate, spine and one calm footer line (spec: show.md 25 to 35). */
export function createProgress(scale: number, descriptor: SessionDescriptor): Panel {
  const sketch = createSketch('progress', scale);
  const { rungs } = descriptor.task.presentation;
  return {
    box: box.progress,
    root: sketch.root,
    texts: sketch.texts,
    update({ snapshot }, nowMs) {
      sketch.begin(nowMs);
      drawFrame(sketch, box.progress.width, box.progress.height);
      sketch.text('label-rung', text.label, RAIL_TEXT_X, LABEL_TOP, 'RUNG', colour.secondInk);
      sketch.text('label-here', text.label, HERE_X, LABEL_TOP, 'HERE FOR', colour.secondInk);
      sketch.text('label-brain', text.label, RIGHT, LABEL_TOP, 'BRAIN', colour.secondInk, 'right');
      if (snapshot !== null) {
        drawRungLine(sketch, rungs, snapshot, nowMs);
        drawHereFor(sketch, snapshot.rungSeconds);
        drawRate(sketch, snapshot.agents[0]?.populationRateHz);
        drawSpine(sketch, rungs.length, snapshot.progress);
        drawFooter(sketch, snapshot);
      }
      return sketch.end();
    },
  };
}

function drawRungLine(sketch: Sketch, rungs: readonly string[], snapshot: Snapshot, nowMs: number): void {
  const { rank, earned } = snapshot.progress;
  const top = rungs.length - 1;
  const name = rungs[rank] ?? 'no rung yet';
  if (rungs.length === 0) {
    sketch.text('rung', text.hero, RAIL_TEXT_X, LINE_TOP, 'no ladder', colour.secondInk);
    return;
  }
  const current = `${rank < 0 ? '-' : rank}/${top} ${name}`;
  // the lowest unearned rung, not rank + 1 (show.md 26); at the top there is neither arrow nor next (show.md 25)
  const next = rank >= top ? undefined : rungs.find((_, rung) => earned[rung] !== true);
  const room = next === undefined ? LINE_CHARACTERS : Math.min(LINE_CHARACTERS - 6, current.length);
  const shown = marquee(current, room, nowMs);
  sketch.text('rung', text.hero, RAIL_TEXT_X, LINE_TOP, shown, colour.ink);
  if (next === undefined) return;
  const nextX = RAIL_TEXT_X + (Math.min(current.length, room) + 1) * text.hero.sizePx;
  sketch.text('arrow', text.hero, nextX, LINE_TOP, '>', colour.secondInk);
  const nextRoom = LINE_CHARACTERS - Math.min(current.length, room) - 3;
  const nextWords = marquee(next, nextRoom, nowMs);
  sketch.text('next', text.hero, nextX + 2 * text.hero.sizePx, LINE_TOP, nextWords, colour.secondInk);
}

/** Calm, then underlined at 1 h, warm at 3 h, a warm plate at 6 h (show.md 27, states sheet). */
function drawHereFor(sketch: Sketch, seconds: number): void {
  const words = compactDuration(seconds);
  const width = words.length * text.hero.sizePx;
  const hours = seconds / 3_600;
  if (hours >= 6) sketch.rect(HERE_X - 6, LINE_TOP - 5, width + 9, 33, colour.warm);
  else if (hours >= 1) sketch.rect(HERE_X, LINE_TOP + 27, width - 3, 3, colour.warm);
  sketch.text(
    'here',
    text.hero,
    HERE_X,
    LINE_TOP,
    words,
    hours >= 6 ? colour.background : hours >= 3 ? colour.warm : colour.ink,
  );
}

function drawRate(sketch: Sketch, rateHz: number | undefined): void {
  sketch.text('hz-unit', text.body, RIGHT, LINE_TOP + 6, 'Hz', colour.secondInk, 'right');
  const words = rateHz === undefined ? '--' : rateHz.toFixed(1);
  sketch.text('hz', text.hero, RIGHT - 34, LINE_TOP, words, colour.ink, 'right');
}

/** One cell a rung: reached 12 px green, current 16 px ink, future an 8 px line, skipped hollow (show.md 29, 66). */
function drawSpine(sketch: Sketch, rungs: number, progress: Snapshot['progress']): void {
  const gap = rungs > 24 ? 1.25 : 2;
  const width = (RIGHT - RAIL_TEXT_X - gap * (rungs - 1)) / rungs;
  for (let rung = 0; rung < rungs; rung++) {
    const x = RAIL_TEXT_X + rung * (width + gap);
    if (rung === progress.rank) sketch.rect(x, SPINE_BOTTOM - 16, width, 16, colour.ink);
    else if (progress.earned[rung] === true) sketch.rect(x, SPINE_BOTTOM - 12, width, 12, colour.ok);
    else if (rung < progress.rank) {
      sketch.rect(x, SPINE_BOTTOM - 12, width, 12, colour.ok);
      sketch.rect(x + 2, SPINE_BOTTOM - 10, width - 4, 8, colour.background);
    } else {
      sketch.rect(x, SPINE_BOTTOM - 8, width, 8, colour.panel);
      sketch.rect(x, SPINE_BOTTOM - 2, width, 2, colour.bezel);
    }
  }
}

function drawFooter(sketch: Sketch, { progress, runSeconds, sugar }: Snapshot): void {
  let x = RAIL_TEXT_X;
  const say = (id: string, words: string): void => {
    sketch.text(id, text.body, x, FOOTER_TOP, words, colour.ink);
    x += Math.ceil(textWidth(text.body, words)) + FACT_GAP;
  };
  const facts =
    progress.facts.length > 0 ? progress.facts : [{ text: `${grouped(progress.uniquePlaces)} places`, glyph: null }];
  facts.slice(0, 4).forEach((fact, index) => {
    if (fact.glyph !== null && drawGlyph(sketch, fact.glyph, x, FOOTER_TOP - 4, colour.ink)) x += GLYPH_SIZE + 8;
    say(`fact-${index}`, fit(text.body, fact.text, 190));
  });
  say('try', `try ${progress.attempts + 1}`);
  say('clock', runClock(runSeconds));
  say('day', `day ${runDay(runSeconds)}`);
  drawSugar(sketch, sugar, RIGHT - x);
}

/** Green ready, pink while the pulse runs, grey ring for the real window (show.md 32, 33, states sheet). */
function drawSugar(sketch: Sketch, sugar: SugarState, room: number): void {
  const waiting = !sugar.active && sugar.cooldownMs > 0;
  const ink = sugar.active ? colour.dopamine : waiting ? colour.secondInk : colour.ok;
  const long = sugar.active
    ? `SUGAR by ${sugar.lastBy ?? 'operator'}`
    : waiting
      ? `SUGAR in ${Math.ceil(sugar.cooldownMs / 1_000)} s`
      : 'SUGAR READY';
  const words = fit(text.body, long, room - 36);
  sketch.text('sugar', text.body, RIGHT, FOOTER_TOP, words, ink, 'right');
  const ringX = RIGHT - Math.ceil(textWidth(text.body, words)) - 22;
  const left = waiting ? Math.min(1, sugar.cooldownMs / Math.max(1, sugar.windowMs)) : 0;
  const ringY = FOOTER_TOP + 9;
  if (left > 0) sketch.ring(ringX, ringY, 10, 3, 1 - Math.round(left * 64) / 64, 1, colour.bezel);
  if (left < 1) sketch.ring(ringX, ringY, 10, 3, 0, 1 - Math.round(left * 64) / 64, ink);
}
