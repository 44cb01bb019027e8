import type { Replica } from '../../engine/replica/replica.ts';
import type { ShownEvent } from '../../engine/replica/snapshot.ts';
import type { Circuit } from '../direction/circuits.ts';
import { createNews } from '../direction/news.ts';
import { TABS } from '../direction/tab-director.ts';
import type { TabDirector, TabName, TabSignals } from '../direction/tab-director.ts';
import { FRAME_LINE, FRAME_OUTER, TAB_STRIP_HEIGHT, box } from '../layout.ts';
import type { Panel } from '../panel.ts';
import { deviceBox } from '../raster/frame.ts';
import type { Frame } from '../raster/frame.ts';
import { createSketch, fit, textWidth } from '../sketch.ts';
import type { Sketch } from '../sketch.ts';
import type { TabPane } from '../tabs.ts';
import { colour, text } from '../theme.ts';

const FADE_MS = 300;
const UNDERLINE = 6;
const UNDERLINE_STEP = 4;
const TAB_GAP = 2;
/** A badge or milestone holds the stage this long (spec: show.md 90). */
const MILESTONE_MS = 9_000;
const ROLLBACK_MS = 3_100;
/** Mean circuit fill from which SENSES is preferred (show.md 39). */
const BUSY_FILL = 0.72;

export type TabSlotOptions = {
  readonly scale: number;
  readonly director: TabDirector;
  readonly panes: Readonly<Record<TabName, TabPane>>;
  readonly circuits: readonly Circuit[];
};

/** Five pages, one shown; the strip above says which (spec: show.md 36 to 43). */
export function createTabSlot(options: TabSlotOptions): Panel {
  const { scale, director, panes, circuits } = options;
  const sketch = createSketch('tab-slot', scale);
  const signalsOf = createSignals(circuits);
  const pane = deviceBox(box.tabPane, scale);
  const old = new Uint32Array(pane.width * pane.height);
  const cells = tabCells();
  let shown = director.current();
  let underlineFrom = cells[TABS.indexOf(shown)]!.x;
  let fadeFromMs = -Infinity;
  let lastFrame: Frame | null = null;
  let caption: Caption = { word: '', label: '', ink: colour.ok, lengthMs: 0 };
  let captionAtMs = -Infinity;
  const captionOf = createCaptions();

  return {
    box: box.tabSlot,
    root: sketch.root,
    texts: sketch.texts,
    update(replica, nowMs) {
      for (const circuit of circuits) circuit.step(replica, nowMs);
      director.step(signalsOf(replica), nowMs);
      for (const tab of TABS) panes[tab].step(replica, nowMs);
      const current = director.current();
      if (current !== shown) {
        underlineFrom = cells[TABS.indexOf(shown)]!.x;
        shown = current;
        fadeFromMs = nowMs;
        if (lastFrame !== null) copyPane(lastFrame, pane.x, pane.y, pane.width, pane.height, old);
      }
      const progress = easeInOut(Math.min(1, Math.max(0, (nowMs - fadeFromMs) / FADE_MS)));
      sketch.begin(nowMs);
      drawSlot(sketch, cells, shown, underlineFrom, progress);
      const next = captionOf(replica);
      const isUp = nowMs - captionAtMs < caption.lengthMs;
      // a milestone is not cut short by a rollback (show.md 89)
      if (next !== null && !(isUp && caption.lengthMs > next.lengthMs)) {
        caption = next;
        captionAtMs = nowMs;
      }
      const covered = nowMs - captionAtMs < caption.lengthMs ? box.captionBand.height : 0;
      if (covered > 0) drawCaption(sketch, caption);
      panes[shown].draw(sketch, replica, nowMs, covered);
      return sketch.end();
    },
    paint(frame, replica, nowMs) {
      lastFrame = frame;
      panes[shown].paint?.(frame, replica, nowMs);
      const fadeMs = nowMs - fadeFromMs;
      if (fadeMs >= 0 && fadeMs < FADE_MS) {
        mixPane(
          frame,
          pane.x,
          pane.y,
          pane.width,
          pane.height,
          old,
          Math.round(256 * (1 - easeInOut(fadeMs / FADE_MS))),
        );
      }
    },
  };
}

type Cell = { readonly x: number; readonly width: number };

/** Tab widths follow their words; what is left is shared. */
function tabCells(): Cell[] {
  const widths = TABS.map((tab) => textWidth(text.label, tab));
  const room = box.tabSlot.width - TAB_GAP * (TABS.length - 1) - widths.reduce((sum, width) => sum + width, 0);
  const padding = Math.floor(room / TABS.length);
  let x = 0;
  return widths.map((width, index) => {
    const last = index === TABS.length - 1;
    const cell = { x, width: last ? box.tabSlot.width - x : Math.ceil(width) + padding };
    x += cell.width + TAB_GAP;
    return cell;
  });
}

function drawSlot(
  sketch: Sketch,
  cells: readonly Cell[],
  shown: TabName,
  underlineFrom: number,
  progress: number,
): void {
  const { width, height } = box.tabSlot;
  sketch.rect(0, 0, width, height, colour.background);
  sketch.rect(0, TAB_STRIP_HEIGHT, width, height - TAB_STRIP_HEIGHT - FRAME_OUTER, colour.panel);
  sketch.rect(FRAME_OUTER, height - FRAME_OUTER, width - 2 * FRAME_OUTER, FRAME_OUTER, colour.panel);
  sketch.rect(
    FRAME_OUTER,
    TAB_STRIP_HEIGHT,
    width - 2 * FRAME_OUTER,
    height - TAB_STRIP_HEIGHT - FRAME_OUTER,
    colour.bezel,
  );
  const inner = FRAME_OUTER + FRAME_LINE;
  sketch.rect(inner, TAB_STRIP_HEIGHT, width - 2 * inner, height - TAB_STRIP_HEIGHT - inner, colour.background);
  TABS.forEach((tab, index) => {
    const cell = cells[index]!;
    const active = tab === shown;
    if (!active) sketch.rect(cell.x, 0, cell.width, TAB_STRIP_HEIGHT, colour.panel);
    const left = cell.x + Math.floor((cell.width - textWidth(text.label, tab)) / 2);
    sketch.text(`tab-${tab}`, text.label, left, 13, tab, active ? colour.ink : colour.secondInk);
  });
  const cell = cells[TABS.indexOf(shown)]!;
  const x = Math.round((underlineFrom + (cell.x - underlineFrom) * progress) / UNDERLINE_STEP) * UNDERLINE_STEP;
  sketch.rect(progress >= 1 ? cell.x : x, TAB_STRIP_HEIGHT - UNDERLINE, cell.width, UNDERLINE, colour.motor);
}

/** One headline word and the label of what was reached, over the pane (show.md 14, 95). */
function drawCaption(sketch: Sketch, { word, label, ink }: Caption): void {
  const { x, y, width, height } = box.captionBand;
  const top = y - box.tabSlot.y;
  sketch.rect(x - box.tabSlot.x + FRAME_LINE, top, width - 2 * FRAME_LINE, height, ink);
  sketch.text('caption', text.caption, 20, top + 19, word, colour.background);
  const room = width - 40 - textWidth(text.caption, `${word} `);
  sketch.text(
    'caption-label',
    text.body,
    width - 14,
    top + 27,
    fit(text.body, label, room),
    colour.background,
    'right',
  );
}

type Caption = { readonly word: string; readonly label: string; readonly ink: number; readonly lengthMs: number };

/** What has just arrived and owns the caption band; a milestone before a rollback (show.md 89, 95). */
function createCaptions(): (replica: Replica) => Caption | null {
  const newsOf = createNews();
  return (replica) => {
    const news = newsOf(replica);
    const milestone = news.findLast(({ kind }) => kind === 'milestone');
    if (milestone !== undefined) {
      return { word: 'MILESTONE', label: milestone.label, ink: colour.ok, lengthMs: MILESTONE_MS };
    }
    const recovery = news.findLast(({ kind }) => kind === 'recovery');
    if (recovery === undefined) return null;
    const word = recovery.dedupeKey.startsWith('rollback') ? 'REWIND' : 'RECOVERY';
    return { word, label: recovery.label, ink: colour.warn, lengthMs: ROLLBACK_MS };
  };
}

/** What steers the director, from replica changes. The first snapshot emits nothing (show.md 93). */
function createSignals(circuits: readonly Circuit[]): (replica: Replica) => TabSignals {
  let lastRank: number | null = null;
  let lastEventId = -1;
  let primed = false;
  const chatters = new Set<string>();
  return (replica) => {
    const { snapshot } = replica;
    const fresh = replica.events.filter(({ id }) => id > lastEventId);
    lastEventId = fresh.at(-1)?.id ?? lastEventId;
    const news: readonly ShownEvent[] = primed ? fresh : [];
    const rank = snapshot?.progress.rank ?? lastRank;
    const rankRose = primed && lastRank !== null && rank !== null && rank > lastRank;
    lastRank = rank;
    let newChatter = false;
    for (const { by, bot } of snapshot?.chat ?? []) {
      const name = by.toLowerCase();
      if (bot || chatters.has(name)) continue; // every seen name is kept, bots never count (show.md 42)
      chatters.add(name);
      newChatter ||= primed;
    }
    const commands = circuits.filter(({ kind }) => kind === 'motor');
    const busy = commands.reduce((sum, circuit) => sum + circuit.fill(), 0) / Math.max(1, commands.length);
    primed ||= snapshot !== null;
    return {
      rankRose,
      newChatter,
      rewarded: news.some(({ kind }) => kind === 'reward'),
      sensesBusy: snapshot?.progress.playing === true && busy >= BUSY_FILL,
      moment: momentOf(news),
    };
  };
}

/** Both concern the ladder (show.md 40). */
function momentOf(news: readonly ShownEvent[]): TabSignals['moment'] {
  if (news.some(({ kind }) => kind === 'milestone')) return { tab: 'LADDER', lengthMs: MILESTONE_MS };
  return news.some(({ kind }) => kind === 'recovery') ? { tab: 'LADDER', lengthMs: ROLLBACK_MS } : null;
}

function copyPane(frame: Frame, x: number, y: number, width: number, height: number, out: Uint32Array): void {
  for (let row = 0; row < height; row++) {
    const from = (y + row) * frame.width + x;
    out.set(frame.pixels.subarray(from, from + width), row * width);
  }
}

/** Mixes `amount` (0..256) of the kept picture over the present one. */
function mixPane(
  frame: Frame,
  x: number,
  y: number,
  width: number,
  height: number,
  kept: Uint32Array,
  amount: number,
): void {
  const { pixels } = frame;
  const keep = 256 - amount;
  for (let row = 0; row < height; row++) {
    for (let column = 0, at = (y + row) * frame.width + x; column < width; column++, at++) {
      const now = pixels[at]!;
      const before = kept[row * width + column]!;
      if (now === before) continue;
      pixels[at] =
        0xff000000 |
        (((((now >> 16) & 255) * keep + ((before >> 16) & 255) * amount) >> 8) << 16) |
        (((((now >> 8) & 255) * keep + ((before >> 8) & 255) * amount) >> 8) << 8) |
        (((now & 255) * keep + (before & 255) * amount) >> 8);
    }
  }
}

function easeInOut(t: number): number {
  return t < 0.5 ? 4 * t * t * t : 1 - (-2 * t + 2) ** 3 / 2;
}
