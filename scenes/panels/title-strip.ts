import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import type { Snapshot } from '../../engine/replica/snapshot.ts';
import { box } from '../layout.ts';
import type { Panel } from '../panel.ts';
import { createSketch, fit, textWidth } from '../sketch.ts';
import type { Sketch } from '../sketch.ts';
import { colour, text } from '../theme.ts';
import { drawOutline } from './frame.ts';
import { feedNotice } from './feed-state.ts';
import type { FeedNotice } from './feed-state.ts';
import { macroChannels } from './macro-channels.ts';

type Chip = { readonly id: string; readonly words: string; readonly colour: number };

/** Below this simulated-per-wall factor, or above this lag, the strip says that the host is slow (show.md 160). */
const SLOW_FACTOR = 0.98;
const SLOW_LAG_MS = 250;
const CHIP_HEIGHT = 36;
const CHIP_PADDING = 14;
const CHIP_GAP = 10;
const CAP_TOP_HERO = 8;
/** 30 characters of the wordmark face (show.md 19). */
const WORDMARK_ROOM = 820;

/** Wordmark left; truth chips and the release right (spec: show.md 18 to 24). A notice covers all of it (84). */
export function createTitleStrip(scale: number, descriptor: SessionDescriptor): Panel {
  const sketch = createSketch('title-strip', scale);
  const { wordmark } = descriptor.task.presentation;
  return {
    box: box.title,
    root: sketch.root,
    texts: sketch.texts,
    update(replica, nowMs) {
      sketch.begin(nowMs);
      const notice = feedNotice(replica, nowMs);
      if (notice !== null) drawNotice(sketch, notice);
      else drawStrip(sketch, wordmark, descriptor.release, chipsOf(descriptor, replica.snapshot));
      return sketch.end();
    },
  };
}

/** The plate alone, for the scenes between worlds. */
export function drawStrip(sketch: Sketch, wordmark: string, release: string, chips: readonly Chip[]): void {
  const { width, height } = box.title;
  sketch.rect(0, 0, width, height, colour.panel);
  sketch.text('wordmark', text.hero, 14, CAP_TOP_HERO, fit(text.hero, wordmark, WORDMARK_ROOM), colour.motor);
  const releaseWords = release.startsWith('v') || release === '' ? release : `v${release}`;
  sketch.text('release', text.body, width - 12, 12, releaseWords, colour.secondInk, 'right');
  let right = width - 12 - Math.ceil(textWidth(text.body, releaseWords)) - CHIP_GAP;
  for (const chip of chips.toReversed()) {
    const chipWidth = Math.ceil(textWidth(text.label, chip.words)) + 2 * CHIP_PADDING;
    right -= chipWidth;
    drawOutline(sketch, right, 2, chipWidth, CHIP_HEIGHT, colour.bezel, colour.background);
    sketch.text(chip.id, text.label, right + CHIP_PADDING, 10, chip.words, chip.colour);
    right -= CHIP_GAP;
  }
}

function chipsOf(descriptor: SessionDescriptor, snapshot: Snapshot | null): Chip[] {
  const chips: Chip[] = [];
  const origin = descriptor.agents[0]?.connectome.origin;
  if (snapshot !== null && (snapshot.realTimeFactor < SLOW_FACTOR || snapshot.lagMs > SLOW_LAG_MS)) {
    chips.push({ id: 'slow', words: `SLOW HOST ${snapshot.realTimeFactor.toFixed(2)}x`, colour: colour.warn });
  }
  if (origin === 'grown') chips.push({ id: 'origin', words: 'GROWN TWIN', colour: colour.secondInk });
  if (origin === 'rewired') chips.push({ id: 'origin', words: 'REWIRED', colour: colour.secondInk });
  const mode = (snapshot?.progress.mode ?? '').toUpperCase();
  if (mode !== '') chips.push({ id: 'mode', words: fit(text.label, mode, 400), colour: colour.ink });
  const macros = macroChannels(descriptor).length > 0;
  chips.push({ id: 'control', words: macros ? 'MACROS' : 'RAW', colour: macros ? colour.motor : colour.ink });
  return chips;
}

/** What is wrong, on a plate over the whole strip. */
export function drawNotice(sketch: Sketch, notice: FeedNotice): void {
  const { width, height } = box.title;
  sketch.rect(0, 0, width, height, notice.colour);
  sketch.text('notice', text.hero, 14, CAP_TOP_HERO, notice.headline, colour.background);
  const detail = fit(text.body, notice.detail, 1_200);
  sketch.text('notice-detail', text.body, width - 14, 11, detail, colour.background, 'right');
}
