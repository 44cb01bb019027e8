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
import { choicesOf } from '../format/choices.ts';
import { matchClock, matchOf, playersByPlace } from '../format/match.ts';
import { macroChannels } from './macro-channels.ts';

/** `yields`: when the strip is too narrow, chips give way in this order (1 first), to `short` if they have one. */
export type Chip = {
  readonly id: string;
  readonly words: string;
  readonly colour: number;
  readonly yields?: number;
  readonly short?: string;
};

/** Below this simulated-per-wall factor, or above this lag, the strip says that the host is slow (show.md 160). */
const SLOW_FACTOR = 0.98;
const SLOW_LAG_MS = 250;
const CHIP_HEIGHT = 36;
const CHIP_PADDING = 14;
const CHIP_GAP = 10;
const CAP_TOP_HERO = 8;
const WORDMARK_X = 14;
const RIGHT_MARGIN = 12;
/** 30 characters of the wordmark face (show.md 19). */
const WORDMARK_ROOM = 820;
/** Between the wordmark and the first chip. */
const WORDMARK_GAP = 24;

/**
 * Wordmark left; truth chips and the release right (spec: show.md 18 to 24). A notice covers all of it (84).
 * @param score adds the score of a match, for a layout without another place for it (show.md 168)
 */
export function createTitleStrip(scale: number, descriptor: SessionDescriptor, score: boolean = false): Panel {
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
      else drawStrip(sketch, wordmark, descriptor.release, chipsOf(descriptor, replica.snapshot, score));
      return sketch.end();
    },
  };
}

/** The plate alone, for the scenes between worlds. A chip never reaches the wordmark: the least important gives way. */
export function drawStrip(sketch: Sketch, wordmark: string, release: string, chips: readonly Chip[]): void {
  const { width, height } = box.title;
  sketch.rect(0, 0, width, height, colour.panel);
  const mark = fit(text.hero, wordmark, WORDMARK_ROOM);
  sketch.text('wordmark', text.hero, WORDMARK_X, CAP_TOP_HERO, mark, colour.motor);
  const room = width - WORDMARK_X - Math.ceil(textWidth(text.hero, mark)) - WORDMARK_GAP - RIGHT_MARGIN;
  const releaseWords = release.startsWith('v') || release === '' ? release : `v${release}`;
  const fitted = fitChips(chips, releaseWords, room);
  let right = width - RIGHT_MARGIN;
  if (fitted.release !== '') {
    sketch.text('release', text.body, right, 12, fitted.release, colour.secondInk, 'right');
    right -= releaseWidth(fitted.release);
  }
  for (const chip of fitted.chips.toReversed()) {
    const ownWidth = chipWidth(chip.words);
    right -= ownWidth;
    drawOutline(sketch, right, 2, ownWidth, CHIP_HEIGHT, colour.bezel, colour.background);
    sketch.text(chip.id, text.label, right + CHIP_PADDING, 10, chip.words, chip.colour);
    right -= CHIP_GAP;
  }
}

/** What stands in `room` design px: first the release goes, then the chips that yield, in their order. */
function fitChips(
  chips: readonly Chip[],
  release: string,
  room: number,
): { readonly chips: readonly Chip[]; readonly release: string } {
  const width = (kept: readonly Chip[]): number =>
    kept.reduce((sum, chip) => sum + chipWidth(chip.words) + CHIP_GAP, -CHIP_GAP);
  if (width(chips) + releaseWidth(release) <= room) return { chips, release };
  let kept = chips;
  for (const { id, short } of chips.filter(hasYield).toSorted((a, b) => a.yields - b.yields)) {
    if (width(kept) <= room) break;
    kept =
      short === undefined
        ? kept.filter((chip) => chip.id !== id)
        : kept.map((chip) => (chip.id === id ? { ...chip, words: short } : chip));
  }
  return { chips: kept, release: '' };
}

function hasYield(chip: Chip): chip is Chip & { readonly yields: number } {
  return chip.yields !== undefined;
}

function chipWidth(words: string): number {
  return Math.ceil(textWidth(text.label, words)) + 2 * CHIP_PADDING;
}

function releaseWidth(release: string): number {
  return release === '' ? 0 : Math.ceil(textWidth(text.body, release)) + CHIP_GAP;
}

function chipsOf(descriptor: SessionDescriptor, snapshot: Snapshot | null, score: boolean): Chip[] {
  const chips: Chip[] = [];
  const match = score ? matchOf(snapshot?.progress) : null;
  if (match !== null) {
    const points = playersByPlace(match)
      .map((player) => `${player.letter} ${player.score}`)
      .join(' ');
    chips.push({ id: 'score', words: `${points} ${matchClock(match.secondsLeft)}`, colour: colour.ink });
  }
  if (snapshot !== null && (snapshot.realTimeFactor < SLOW_FACTOR || snapshot.lagMs > SLOW_LAG_MS)) {
    const factor = `${snapshot.realTimeFactor.toFixed(2)}x`;
    chips.push({ id: 'slow', words: `SLOW HOST ${factor}`, short: factor, colour: colour.warn, yields: 2 });
  }
  const origin = originChip(descriptor);
  if (origin !== null) chips.push({ id: 'origin', words: origin, colour: colour.secondInk });
  // with several flies their cards say which one
  if (snapshot?.agents.length === 1 && choicesOf(snapshot.agents[0])?.frozen === true) {
    chips.push({ id: 'frozen', words: 'CHOICES FROZEN', short: 'FROZEN', colour: colour.warn, yields: 3 });
  }
  const mode = (snapshot?.progress.mode ?? '').toUpperCase();
  if (mode !== '') chips.push({ id: 'mode', words: fit(text.label, mode, 400), colour: colour.ink, yields: 4 });
  const macros = descriptor.agents.some((_, agent) => macroChannels(descriptor, agent).length > 0);
  const control = macros ? 'MACROS' : 'RAW';
  chips.push({ id: 'control', words: control, colour: macros ? colour.motor : colour.ink, yields: 1 });
  return chips;
}

/** Which brains on stage are not measured, null when all are (mockups, proposal 1). */
function originChip({ agents }: SessionDescriptor): string | null {
  const origins = agents.map(({ connectome }) => connectome.origin);
  const grown = origins.filter((origin) => origin === 'grown').length;
  const rewired = origins.filter((origin) => origin === 'rewired').length;
  if (grown === 0 && rewired === 0) return null;
  if (agents.length === 1) return grown === 1 ? 'GROWN TWIN' : 'REWIRED';
  if (rewired === 0) return grown === agents.length ? 'GROWN TWINS' : `${grown} GROWN TWIN${grown > 1 ? 'S' : ''}`;
  return grown === 0 ? `${rewired} REWIRED` : 'TWINS AND REWIRED';
}

/** What is wrong, on a plate over the whole strip. */
export function drawNotice(sketch: Sketch, notice: FeedNotice): void {
  const { width, height } = box.title;
  sketch.rect(0, 0, width, height, notice.colour);
  sketch.text('notice', text.hero, WORDMARK_X, CAP_TOP_HERO, notice.headline, colour.background);
  const detail = fit(text.body, notice.detail, 1_200);
  sketch.text('notice-detail', text.body, width - 14, 11, detail, colour.background, 'right');
}
