import { Container, Graphics, ImageSource, Sprite, Texture } from 'pixi.js';
import { newCanvas } from './renderer/canvas/adapter.ts';
import type { Canvas, SKRSContext2D } from './renderer/canvas/adapter.ts';
import { capAscent, capHeight, face } from './theme.ts';
import type { TextStyle } from './theme.ts';

/** A value may change as often as it likes; its text changes at most 4 times a second (spec: show.md 102). */
export const TEXT_INTERVAL_MS = 250;
/** Words that stood still this long change at once; livelier ones change together, so a panel is drawn once for all. */
const STILL_MS = 1_000;

/**
 * A panel's drawing surface: the panel states its whole picture every frame, in box-local design px, and the sketch
 * touches Pixi only where something differs. Shapes lie below texts. Integer device positions, no ligatures.
 */
export type Sketch = {
  readonly root: Container;
  /** Starts a statement. `nowMs` is the observer's clock. */
  begin(nowMs: number): void;
  rect(x: number, y: number, width: number, height: number, colour: number): void;
  /** A ring segment, `from` and `to` in turns clockwise from the top. */
  ring(x: number, y: number, radius: number, stroke: number, from: number, to: number, colour: number): void;
  /**
   * One line of text. `y` is the top of its capitals. `id` names the line between frames: under one id the words change
   * at most 4 times a second, with their colour; place changes at once. Words that change often do so on a beat that all
   * lines share.
   */
  text(id: string, style: TextStyle, x: number, y: number, words: string, colour: number, align?: TextAlign): void;
  /** True when the picture differs from the one before. */
  end(): boolean;
};

export type TextAlign = 'left' | 'right' | 'centre';

/** What a test may know about the words on screen. */
export type ShownText = {
  readonly id: string;
  readonly words: string;
  readonly style: TextStyle;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

type Line = {
  readonly id: string;
  readonly canvas: { surface: Canvas; context: SKRSContext2D; source: ImageSource | null };
  readonly sprite: Sprite;
  words: string;
  colour: number;
  style: TextStyle | null;
  widthPx: number;
  x: number;
  y: number;
  align: TextAlign;
  changedAtMs: number;
  seen: boolean;
};

const SHAPE_FIELDS = 8;
/** Shapes drawn by one Pixi object. */
const RUN = 16;

/** @param scale device px per design px, the same as the stage's */
export function createSketch(label: string, scale: number): Sketch & { texts(): ShownText[] } {
  const root = new Container({ label });
  /** In painter's order, `RUN` shapes each, below every text: only what changed is built anew. */
  const runs: Graphics[] = [];
  const lines = new Map<string, Line>();
  let shapes = new Float64Array(64 * SHAPE_FIELDS);
  let before = new Float64Array(64 * SHAPE_FIELDS);
  let used = 0;
  let usedBefore = 0;
  let textChanged = false;
  let now = 0;
  let beat = false;
  let beatAtMs = -Infinity;

  function shape(a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number): void {
    if ((used + 1) * SHAPE_FIELDS > shapes.length) shapes = grown(shapes);
    shapes.set([a, b, c, d, e, f, g, h], used * SHAPE_FIELDS);
    used++;
  }

  function line(id: string): Line {
    let found = lines.get(id);
    if (found === undefined) {
      const surface = newCanvas(1, 1);
      const sprite = root.addChild(new Sprite(Texture.EMPTY));
      sprite.scale.set(1 / scale);
      found = {
        id,
        sprite,
        canvas: { surface, context: surface.getContext('2d'), source: null },
        words: '',
        colour: -1,
        style: null,
        widthPx: 0,
        x: NaN,
        y: NaN,
        align: 'left',
        changedAtMs: -Infinity,
        seen: false,
      };
      lines.set(id, found);
    }
    return found;
  }

  return {
    root,
    begin(nowMs) {
      now = nowMs;
      beat = nowMs - beatAtMs >= TEXT_INTERVAL_MS || nowMs < beatAtMs;
      if (beat) beatAtMs = nowMs;
      used = 0;
      textChanged = false;
      for (const each of lines.values()) each.seen = false;
    },
    rect(x, y, width, height, colour) {
      // both edges in whole device px, never thinner than one: a 2 px line stays a line at 720
      const left = Math.round(x * scale);
      const top = Math.round(y * scale);
      const right = Math.max(left + 1, Math.round((x + width) * scale));
      const bottom = Math.max(top + 1, Math.round((y + height) * scale));
      shape(0, left / scale, top / scale, (right - left) / scale, (bottom - top) / scale, colour, 0, 0);
    },
    ring: (x, y, radius, stroke, from, to, colour) => shape(1, x, y, radius, stroke, from, to, colour),
    text(id, style, x, y, words, colour, align = 'left') {
      const it = line(id);
      it.seen = true;
      if (!it.sprite.visible) {
        it.sprite.visible = true;
        textChanged = true;
      }
      const stillMs = now - it.changedAtMs;
      const due = stillMs < 0 || stillMs >= STILL_MS || (beat && stillMs >= TEXT_INTERVAL_MS) || it.words === '';
      const waits = words !== it.words && !due;
      if (!waits && (words !== it.words || colour !== it.colour || style !== it.style)) {
        if (words !== it.words) {
          it.words = words;
          it.changedAtMs = now;
        }
        it.colour = colour;
        it.style = style;
        rasterise(it, scale);
        it.x = NaN;
      }
      if (it.x === x && it.y === y && it.align === align) return;
      it.x = x;
      it.y = y;
      it.align = align;
      placeLine(it, scale);
      textChanged = true;
    },
    end() {
      for (const each of lines.values()) {
        if (!each.seen && each.sprite.visible) {
          each.sprite.visible = false;
          textChanged = true;
        }
      }
      let shapeChanged = false;
      for (let first = 0; first < Math.max(used, usedBefore); first += RUN) {
        const end = Math.min(used, first + RUN);
        const endBefore = Math.min(usedBefore, first + RUN);
        if (end === endBefore && equalPart(shapes, before, first * SHAPE_FIELDS, end * SHAPE_FIELDS)) continue;
        const index = first / RUN;
        runs[index] ??= root.addChildAt(new Graphics(), index);
        drawShapes(runs[index], shapes, first, end);
        shapeChanged = true;
      }
      if (!shapeChanged) return textChanged;
      [shapes, before] = [before, shapes];
      usedBefore = used;
      if (shapes.length < before.length) shapes = new Float64Array(before.length);
      return true;
    },
    texts: () =>
      [...lines.values()]
        .filter((each) => each.sprite.visible && each.words !== '')
        .map(({ id, words, style, x, y, align, widthPx }) => {
          const width = widthPx / scale;
          const left = align === 'left' ? x : align === 'right' ? x - width : x - width / 2;
          return { id, words, style: style!, x: left, y, width, height: style!.sizePx * capHeight[style!.face] };
        }),
  };
}

const measureContext = newCanvas(1, 1).getContext('2d');
const advances = new Map<string, number>();

/** Width of one line, design px. */
export function textWidth(style: TextStyle, words: string): number {
  let width = 0;
  for (const character of words) width += advance(style, style.sizePx, character);
  return width;
}

/** Cuts running text into lines no wider than `width`, at spaces. */
export function wrap(style: TextStyle, words: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of words.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (current !== '' && textWidth(style, longer) > width) {
      lines.push(current);
      current = word;
    } else current = longer;
  }
  if (current !== '') lines.push(current);
  return lines;
}

/** The longest start of `words` that fits `width`; a cut end shows as two dots. */
export function fit(style: TextStyle, words: string, width: number): string {
  if (textWidth(style, words) <= width) return words;
  let kept = words;
  while (kept !== '' && textWidth(style, `${kept}..`) > width) kept = kept.slice(0, -1);
  return `${kept.trimEnd()}..`;
}

function advance(style: TextStyle, sizePx: number, character: string): number {
  const key = `${style.face}${sizePx}${character}`;
  let known = advances.get(key);
  if (known === undefined) {
    measureContext.font = `${sizePx}px "${face[style.face]}"`;
    known = measureContext.measureText(character).width;
    advances.set(key, known);
  }
  return known;
}

/** Draws a line glyph by glyph at whole px, so no ligature forms and every stem stays sharp. */
function rasterise(line: Line, scale: number): void {
  const style = line.style!;
  const sizePx = style.sizePx * scale;
  const capPx = Math.round(sizePx * capAscent[style.face]);
  const padPx = Math.ceil(sizePx / 4);
  let widthPx = 0;
  for (const character of line.words) widthPx += advance(style, sizePx, character);
  line.widthPx = Math.round(widthPx);
  const { canvas } = line;
  const needWidth = Math.ceil(widthPx) + 2;
  const needHeight = capPx + 2 * padPx;
  if (canvas.source === null || canvas.surface.width < needWidth || canvas.surface.height !== needHeight) {
    canvas.source?.destroy();
    canvas.surface = newCanvas(Math.max(needWidth, Math.ceil(canvas.surface.width * 1.25)), needHeight);
    canvas.context = canvas.surface.getContext('2d');
    canvas.source = new ImageSource({ resource: canvas.surface, scaleMode: 'nearest' });
    line.sprite.texture = new Texture({ source: canvas.source });
  }
  const { context } = canvas;
  context.clearRect(0, 0, canvas.surface.width, canvas.surface.height);
  context.font = `${sizePx}px "${face[style.face]}"`;
  context.fillStyle = `#${line.colour.toString(16).padStart(6, '0')}`;
  let x = 0;
  for (const character of line.words) {
    if (character !== ' ') context.fillText(character, Math.round(x), capPx + padPx);
    x += advance(style, sizePx, character);
  }
}

function placeLine(line: Line, scale: number): void {
  const style = line.style!;
  const padPx = Math.ceil((style.sizePx * scale) / 4);
  const shift = line.align === 'left' ? 0 : line.align === 'right' ? line.widthPx : line.widthPx >> 1;
  line.sprite.position.set((Math.round(line.x * scale) - shift) / scale, (Math.round(line.y * scale) - padPx) / scale);
}

function drawShapes(graphics: Graphics, shapes: Float64Array, first: number, end: number): void {
  graphics.clear();
  for (let i = first; i < end; i++) {
    const at = i * SHAPE_FIELDS;
    const [kind, x, y, a, b, c, d, e] = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => shapes[at + k]!) as EightNumbers;
    if (kind === 0) graphics.rect(x, y, a, b).fill(c);
    else {
      const from = (c - 0.25) * 2 * Math.PI;
      const to = (d - 0.25) * 2 * Math.PI;
      graphics.moveTo(x + a * Math.cos(from), y + a * Math.sin(from));
      graphics.arc(x, y, a, from, to).stroke({ width: b, color: e });
    }
  }
}

type EightNumbers = [number, number, number, number, number, number, number, number];

function grown(old: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const bigger = new Float64Array(old.length * 2);
  bigger.set(old);
  return bigger;
}

function equalPart(a: Float64Array, b: Float64Array, first: number, end: number): boolean {
  for (let i = first; i < end; i++) if (a[i] !== b[i]) return false;
  return true;
}
