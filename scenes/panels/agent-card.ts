import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import type { AgentSnapshot, Snapshot } from '../../engine/replica/snapshot.ts';
import type { BrainMap } from '../brain-map/brain-map.ts';
import type { Circuit } from '../direction/circuits.ts';
import { createCircuits } from '../direction/circuits.ts';
import { choicesOf } from '../format/choices.ts';
import { placeOf } from '../format/fly-letter.ts';
import { brainWords } from '../format/honesty.ts';
import { matchOf, playerOf } from '../format/match.ts';
import { grouped } from '../format/number.ts';
import { RAIL_TEXT_X } from '../layout.ts';
import type { Box } from '../layout.ts';
import type { Panel } from '../panel.ts';
import { fillRect } from '../raster/frame.ts';
import type { Frame } from '../raster/frame.ts';
import { createSketch, fit, textWidth } from '../sketch.ts';
import type { Sketch } from '../sketch.ts';
import { colour, text } from '../theme.ts';
import { cardCircuits, learningWords, rateName } from './agent-rates.ts';
import { createControls } from './agent-controls.ts';
import { STALE_AFTER_MS } from './feed-state.ts';
import { drawBadge } from './fly-badge.ts';
import { drawFrame } from './frame.ts';
import { drawDashed, drawHatch } from './value-states.ts';

/** Heights inside a card, design px from its top. `map` is its brain, `pad` the controls that were applied, below all else. */
export type CardPlan = {
  readonly map: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly rateTop: number;
  readonly barTop: number;
  readonly barRows: number;
  readonly factTop: number;
  readonly ruleTop: number;
  readonly choseTop: number;
  readonly padTop: number;
  /** The pad has words; without them it may stand where no text is allowed. */
  readonly padWords: boolean;
};

export const CARD_PLAN: CardPlan = {
  map: { x: 18, y: 99, width: 384, height: 172 },
  rateTop: 274,
  barTop: 307,
  barRows: 7,
  factTop: 457,
  ruleTop: 543,
  choseTop: 554,
  padTop: 613,
  padWords: true,
};

/** Read down to 334 px: what is lower may lie in the no-content zone, so there are only pictures (show.md 13). */
export const SMALL_CARD_PLAN: CardPlan = {
  map: { x: 18, y: 342, width: 272, height: 112 },
  rateTop: 106,
  barTop: 139,
  barRows: 3,
  factTop: 208,
  ruleTop: 276,
  choseTop: 285,
  padTop: 342,
  padWords: false,
};

const NAME_X = 66;
const VALUE_X = 124;
const TRACK = { x: VALUE_X, width: 208, height: 13 } as const;
const BAR_STEP = 8;
const ROW_PITCH = 21;
const CHOSE_PITCH = 29;
const INK: Readonly<Record<Circuit['kind'], number>> = {
  motor: colour.motor,
  dopamine: colour.dopamine,
  taste: colour.sensory,
};

/** Where the card ends and its pad begins, design px from the top of both. */
export const padTop = (plan: CardPlan): number => plan.padTop - 6;

export type AgentCardOptions = {
  readonly scale: number;
  readonly descriptor: SessionDescriptor;
  readonly agentIndex: number;
  /** The card with its pad. */
  readonly at: Box;
  readonly plan: CardPlan;
  readonly map: BrainMap | null;
};

/**
 * One fly of several: who, which brain, how active, what it chose, what was applied (spec: show.md 152 to 155). All its
 * state is its own: scalers and density grid. Its pad is a panel of its own.
 */
export function createAgentCard(options: AgentCardOptions): Panel {
  const { scale, descriptor, agentIndex, at, plan, map } = options;
  const sketch = createSketch(`card-${agentIndex}`, scale);
  const all = createCircuits(descriptor, agentIndex);
  const circuits = cardCircuits(all, plan.barRows);
  const controls = createControls(descriptor, agentIndex, plan.padWords);
  const height = padTop(plan);
  let stale = false;

  return {
    box: { ...at, height },
    root: sketch.root,
    texts: sketch.texts,
    update(replica, nowMs) {
      const { snapshot } = replica;
      const own = snapshot?.agents[agentIndex];
      const ageMs = nowMs - replica.appliedAtMs;
      stale = ageMs >= STALE_AFTER_MS;
      map?.step(replica, nowMs);
      for (const circuit of circuits) circuit.step(replica, nowMs);
      controls.step(own, nowMs);

      sketch.begin(nowMs);
      drawFrame(sketch, at.width, at.height);
      const right = at.width - RAIL_TEXT_X;
      drawIdentity(sketch, descriptor, agentIndex, snapshot, right);
      if (map === null && plan.map.y < height) drawNoMap(sketch, plan, 0);
      drawRate(sketch, plan, own, right, stale);
      const age = `${Math.floor(ageMs / 1_000)}s old`;
      circuits.forEach((circuit, row) =>
        drawBar(sketch, plan.barTop + row * ROW_PITCH, row, circuit, right, stale, age),
      );
      if (circuits.length === 0) drawNoRates(sketch, plan.barTop);
      drawFacts(sketch, plan, descriptor, agentIndex, snapshot, right);
      sketch.rect(6, plan.ruleTop, at.width - 12, 2, colour.bezel);
      controls.drawWords(sketch, RAIL_TEXT_X, VALUE_X, plan.choseTop, CHOSE_PITCH, right);
      return sketch.end();
    },
    paint(frame, _replica, nowMs) {
      map?.paint(frame, nowMs);
      circuits.forEach((circuit, row) => {
        if (circuit.rateHz() !== null) paintBar(frame, at, plan.barTop + row * ROW_PITCH, circuit, stale);
      });
    },
  };
}

/** Shape and letter, side and port, then which brain it is and where its wiring comes from. */
function drawIdentity(
  sketch: Sketch,
  descriptor: SessionDescriptor,
  agentIndex: number,
  snapshot: Snapshot | null,
  right: number,
): void {
  const agent = descriptor.agents[agentIndex];
  if (agent === undefined) return;
  const port = descriptor.environment.ports.findIndex(({ portId }) => portId === agent.portId) + 1;
  const side = playerOf(matchOf(snapshot?.progress), agentIndex)?.side ?? '';
  const place = side === '' ? `port ${port}` : `${side}, port ${port}`;
  drawBadge(sketch, placeOf(descriptor, agentIndex), RAIL_TEXT_X - 4, 12, 40);
  const name = agent.agentId.replaceAll(/[-_]/g, ' ').toUpperCase();
  const shown = fit(text.hero, name, 190);
  sketch.text('name', text.hero, NAME_X, 20, shown, colour.ink);
  const room = right - NAME_X - textWidth(text.hero, shown) - 8;
  const placed = textWidth(text.body, place) <= room ? place : `port ${port}`;
  sketch.text('place', text.body, right, 24, placed, colour.secondInk, 'right');
  const { connectome } = agent;
  const brain = brainWords(connectome, Math.floor((right - RAIL_TEXT_X) / (text.fine.sizePx * 0.4)));
  sketch.text('brain', text.fine, RAIL_TEXT_X, 61, brain, colour.secondInk);
  const identity = `id ${connectome.identity.replace(/^[a-z0-9]+:/, '').slice(0, 8)}`;
  sketch.text('identity', text.fine, RAIL_TEXT_X, 82, identity, colour.secondInk);
  const neurons = `${grouped(connectome.neurons)} neurons`;
  sketch.text('neurons', text.fine, right, 82, neurons, colour.secondInk, 'right');
}

/** @param shift from the top of the card to that of the sketch, design px */
export function drawNoMap(sketch: Sketch, { map, padWords }: CardPlan, shift: number): void {
  const y = map.y + shift;
  drawDashed(sketch, map.x, y, map.width, map.height, colour.bezel);
  if (!padWords) return;
  const words = 'brain geometry not loaded';
  sketch.text('no-map', text.fine, map.x + map.width / 2, y + map.height / 2, words, colour.secondInk, 'centre');
}

function drawRate(sketch: Sketch, plan: CardPlan, own: AgentSnapshot | undefined, right: number, stale: boolean): void {
  sketch.text('rate-label', text.label, RAIL_TEXT_X, plan.rateTop + 2, 'BRAIN', colour.secondInk);
  sketch.text('rate-unit', text.body, right, plan.rateTop + 6, 'Hz', colour.secondInk, 'right');
  const words = own === undefined ? '--' : own.populationRateHz.toFixed(1);
  const ink = own === undefined || stale ? colour.secondInk : colour.ink;
  sketch.text('rate', text.hero, right - 34, plan.rateTop, words, ink, 'right');
}

/** Track and value; the fill is painted. Measured, zero, unknown and stale differ in shape (show.md 163). */
function drawBar(
  sketch: Sketch,
  y: number,
  row: number,
  circuit: Circuit,
  right: number,
  stale: boolean,
  age: string,
): void {
  const rate = circuit.rateHz();
  sketch.text(`bar-${row}`, text.fine, RAIL_TEXT_X, y, rateName(circuit), colour.ink);
  if (rate === null || stale) drawDashed(sketch, TRACK.x, y, TRACK.width, TRACK.height, colour.bezel);
  else sketch.rect(TRACK.x, y, TRACK.width, TRACK.height, colour.panel);
  const whole = Math.round(rate ?? 0);
  const words = rate === null ? '--' : stale ? age : String(whole);
  const ink = stale && rate !== null ? colour.warn : rate === null || whole === 0 ? colour.secondInk : colour.ink;
  sketch.text(`bar-value-${row}`, text.fine, right, y, words, ink, 'right');
}

function drawNoRates(sketch: Sketch, y: number): void {
  drawHatch(sketch, TRACK.x, y, TRACK.width, TRACK.height + ROW_PITCH);
  sketch.text('no-rates', text.fine, RAIL_TEXT_X, y, 'rates', colour.ink);
  sketch.text('no-rates-word', text.fine, TRACK.x + TRACK.width + 12, y, 'none', colour.secondInk);
}

/** Fill in 8 px steps, 4 px peak, 2 px threshold tick (mockups, "Bars"); grey and without a peak when stale. */
function paintBar(frame: Frame, at: Box, y: number, circuit: Circuit, stale: boolean): void {
  const fill = Math.round((circuit.fill() * TRACK.width) / BAR_STEP) * BAR_STEP;
  block(frame, at, TRACK.x, y, fill, TRACK.height, stale ? colour.bezel : INK[circuit.kind]);
  if (stale) return;
  const peak = Math.round((circuit.peak() * TRACK.width) / BAR_STEP) * BAR_STEP;
  if (peak > fill) block(frame, at, TRACK.x + Math.min(peak, TRACK.width - 4), y, 4, TRACK.height, colour.ink);
  const tick = circuit.tick();
  if (tick === null) return;
  block(frame, at, TRACK.x + Math.round((tick * (TRACK.width - 2)) / 4) * 4, y - 3, 2, TRACK.height + 6, colour.ink);
}

function block(frame: Frame, at: Box, x: number, y: number, width: number, height: number, rgb: number): void {
  if (width <= 0) return;
  const left = Math.round((at.x + x) * frame.scale);
  const top = Math.round((at.y + y) * frame.scale);
  const right = Math.max(left + 1, Math.round((at.x + x + width) * frame.scale));
  const bottom = Math.max(top + 1, Math.round((at.y + y + height) * frame.scale));
  fillRect(frame, left, top, right - left, bottom - top, rgb);
}

type Fact = { readonly id: string; readonly label: string; readonly words: string; readonly ink: number };

function drawFacts(
  sketch: Sketch,
  plan: CardPlan,
  descriptor: SessionDescriptor,
  agentIndex: number,
  snapshot: Snapshot | null,
  right: number,
): void {
  const own = snapshot?.agents[agentIndex];
  const facts = own === undefined ? UNKNOWN : factsOf(descriptor, agentIndex, own, snapshot);
  const shown = plan.padWords ? facts : facts.filter(({ id }) => id !== 'gains');
  shown.forEach(({ id, label, words, ink }, row) => {
    const y = plan.factTop + row * ROW_PITCH;
    sketch.text(`fact-label-${id}`, text.fine, RAIL_TEXT_X, y, label, colour.secondInk);
    sketch.text(`fact-${id}`, text.fine, VALUE_X, y, fit(text.fine, words, right - VALUE_X), ink);
  });
}

const UNKNOWN: readonly Fact[] = ['learning', 'gains', 'choices', 'pulse'].map((id) => ({
  id,
  label: id,
  words: '--',
  ink: colour.secondInk,
}));

function factsOf(
  descriptor: SessionDescriptor,
  agentIndex: number,
  own: AgentSnapshot,
  snapshot: Snapshot | null,
): Fact[] {
  const { learning, stimulusRemainingMs } = own;
  const choices = choicesOf(own);
  const gains = `${grouped(learning.synapsesMoved)} of ${grouped(learning.synapses)} moved`;
  const spread =
    choices === null ? '--' : choices.frozen ? 'frozen in one order' : `${choices.entropyBits.toFixed(2)} bits`;
  const pulse =
    stimulusRemainingMs <= 0
      ? 'none now'
      : snapshot?.sugar.active === true
        ? `sugar by ${snapshot.sugar.lastBy ?? 'operator'}`
        : `reward, ${Math.ceil(stimulusRemainingMs)} ms left`;
  return [
    {
      id: 'learning',
      label: 'learning',
      words: learningWords(descriptor.agents[agentIndex], learning),
      ink: colour.ink,
    },
    { id: 'gains', label: 'gains', words: gains, ink: learning.synapsesMoved === 0 ? colour.secondInk : colour.ink },
    {
      id: 'choices',
      label: 'choices',
      words: spread,
      ink: choices === null ? colour.secondInk : choices.frozen ? colour.warn : colour.ink,
    },
    {
      id: 'pulse',
      label: 'pulse',
      words: pulse,
      ink: stimulusRemainingMs > 0 ? colour.dopamine : colour.secondInk,
    },
  ];
}
