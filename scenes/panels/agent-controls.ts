import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import type { AgentSnapshot } from '../../engine/replica/snapshot.ts';
import { createAfterglow } from '../direction/afterglow.ts';
import { fit } from '../sketch.ts';
import type { Sketch } from '../sketch.ts';
import { colour, text } from '../theme.ts';
import { drawOutline } from './frame.ts';
import { macroChannels } from './macro-channels.ts';
import { portControls } from './port-controls.ts';
import type { PortControls } from './port-controls.ts';
import { drawHatch } from './value-states.ts';

/** What one fly's readout chose and what its port was given: two lines and a pad (spec: show.md 153, 154). */
export type Controls = {
  step(own: AgentSnapshot | undefined, nowMs: number): void;
  drawWords(sketch: Sketch, labelX: number, valueX: number, top: number, pitch: number, right: number): void;
  drawPad(sketch: Sketch, x: number, top: number, right: number, nowMs: number): void;
};

const STICK = 94;
const KNOB = 14;
const KNOB_REACH = 36;
const ARM = 30;
const ARM_GAP = 2;
const CAP = { width: 36, height: 28, gap: 6 } as const;
const SMALL_CAP = 14;
const GAP = 12;
/** An axis this close to its rest is at rest. */
const AT_REST = 0.005;

/** @param words false draws the pad without any letter */
export function createControls(descriptor: SessionDescriptor, agentIndex: number, words: boolean): Controls {
  const portId = descriptor.agents[agentIndex]?.portId;
  const port = descriptor.environment.ports.find((each) => each.portId === portId);
  const controls = portControls(port);
  const glow = createAfterglow(port?.buttons.length ?? 0);
  const names = new Map(macroChannels(descriptor, agentIndex).map(({ channel, name }) => [channel, name]));
  let own: AgentSnapshot | undefined;

  const lit = (button: number, nowMs: number): boolean => glow.state(button, nowMs) !== 'up';
  const axis = (index: number): number => own?.appliedAxes?.[index] ?? port?.axes[index]?.neutral ?? 0;

  function chosen(): string {
    if (own === undefined || own.decision === null) return '--';
    if (own.decision.length === 0) return 'nothing';
    return own.decision.map((channel) => names.get(channel) ?? channel.replaceAll('_', ' ')).join(' + ');
  }

  function applied(): string {
    if (own === undefined || own.appliedButtons === null) return '--';
    const parts = (port?.buttons ?? [])
      .filter((_, button) => own?.appliedButtons?.[button] === true)
      .map((button) => (button.length === 1 ? button.toUpperCase() : button));
    const moved = (index: number): boolean => Math.abs(axis(index) - (port?.axes[index]?.neutral ?? 0)) > AT_REST;
    controls.sticks.forEach(({ x, y }, index) => {
      if (moved(x) || moved(y)) parts.push(index === 0 ? 'stick' : 'C stick');
    });
    for (const { axis: index, name } of controls.values) {
      if (moved(index)) parts.push(`${name} ${axis(index).toFixed(2)}`);
    }
    return parts.length === 0 ? 'neutral' : parts.join(' + ');
  }

  return {
    step(next, nowMs) {
      own = next;
      glow.step(next?.appliedButtons ?? null, nowMs);
    },
    drawWords(sketch, labelX, valueX, top, pitch, right) {
      const line = (id: string, y: number, said: string, ink: number): void => {
        sketch.text(`${id}-label`, text.body, labelX, y, id, colour.secondInk);
        const idle = said === '--' || said === 'nothing' || said === 'neutral';
        sketch.text(id, text.body, valueX, y, fit(text.body, said, right - valueX), idle ? colour.secondInk : ink);
      };
      line('chose', top, chosen(), colour.ink);
      line('applied', top + pitch, applied(), colour.motor);
    },
    drawPad(sketch, x, top, right, nowMs) {
      if (!words) {
        drawSilentPad(sketch, controls, x, top, right, (button) => lit(button, nowMs), axis);
        return;
      }
      const [main, second] = controls.sticks;
      if (main !== undefined) drawStick(sketch, x, top, axis(main.x), axis(main.y));
      else if (controls.directions !== null) {
        drawCross(sketch, x, top, ARM, controls.directions, (button) => lit(button, nowMs));
      } else drawNone(sketch, x, top, STICK, 'no', 'stick');
      const next = x + STICK + GAP;
      if (second !== undefined) drawStick(sketch, next, top, axis(second.x), axis(second.y));
      else drawNone(sketch, next, top, STICK, 'no', main === undefined ? 'stick' : 'C stick');
      const left = next + STICK + GAP + 4;
      const perRow = Math.floor((right - left + CAP.gap) / (CAP.width + CAP.gap));
      controls.buttons.slice(0, 2 * perRow).forEach(({ button, cap }, index) => {
        const cx = left + (index % perRow) * (CAP.width + CAP.gap);
        const cy = top + Math.floor(index / perRow) * (CAP.height + CAP.gap);
        const on = lit(button, nowMs);
        const edge = on ? colour.motor : colour.bezel;
        drawOutline(sketch, cx, cy, CAP.width, CAP.height, edge, on ? colour.motor : colour.panel);
        const ink = on ? colour.background : colour.secondInk;
        sketch.text(`cap-${button}`, text.fine, cx + CAP.width / 2, cy + 8, cap, ink, 'centre');
      });
      const rows = Math.min(2, Math.ceil(controls.buttons.length / perRow));
      drawValues(sketch, controls, left, top + rows * (CAP.height + CAP.gap), top + STICK, right, axis);
    },
  };
}

/** Centre knob in ink while neutral, off centre in motor colour; y points up. */
function drawStick(sketch: Sketch, x: number, y: number, alongX: number, alongY: number): void {
  drawOutline(sketch, x, y, STICK, STICK, colour.bezel, colour.panel);
  sketch.rect(x + STICK / 2 - 1, y + 2, 2, STICK - 4, colour.bezel);
  sketch.rect(x + 2, y + STICK / 2 - 1, STICK - 4, 2, colour.bezel);
  const neutral = Math.abs(alongX) < AT_REST && Math.abs(alongY) < AT_REST;
  const middle = (STICK - KNOB) / 2;
  const knobX = x + middle + Math.round((Math.max(-1, Math.min(1, alongX)) * KNOB_REACH) / 4) * 4;
  const knobY = y + middle - Math.round((Math.max(-1, Math.min(1, alongY)) * KNOB_REACH) / 4) * 4;
  sketch.rect(knobX, knobY, KNOB, KNOB, neutral ? colour.ink : colour.motor);
}

/** A direction cross: pressed arms are lit, the centre carries the knob while none is. */
function drawCross(
  sketch: Sketch,
  x: number,
  y: number,
  arm: number,
  directions: readonly [number, number, number, number],
  lit: (button: number) => boolean,
): void {
  const pitch = arm + ARM_GAP;
  const places = [
    [pitch, 0],
    [pitch, 2 * pitch],
    [0, pitch],
    [2 * pitch, pitch],
  ] as const;
  places.forEach(([dx, dy], way) => {
    const on = lit(directions[way]!);
    drawOutline(sketch, x + dx, y + dy, arm, arm, on ? colour.motor : colour.bezel, on ? colour.motor : colour.panel);
  });
  drawOutline(sketch, x + pitch, y + pitch, arm, arm, colour.panel, colour.panel);
  const knob = Math.round(arm / 2 / 2) * 2;
  const inset = (arm - knob) / 2;
  const ink = directions.some(lit) ? colour.panel : colour.ink;
  sketch.rect(x + pitch + inset, y + pitch + inset, knob, knob, ink);
}

function drawNone(sketch: Sketch, x: number, y: number, size: number, first: string, second: string): void {
  drawHatch(sketch, x, y, size, size);
  sketch.rect(x + 4, y + 24, size - 8, 48, colour.background);
  sketch.text(`none-${x}-1`, text.fine, x + size / 2, y + 30, first, colour.secondInk, 'centre');
  sketch.text(`none-${x}-2`, text.fine, x + size / 2, y + 52, second, colour.secondInk, 'centre');
}

/** Analogue triggers as values; a port without any says so. */
function drawValues(
  sketch: Sketch,
  controls: PortControls,
  x: number,
  top: number,
  bottom: number,
  right: number,
  axis: (index: number) => number,
): void {
  const { values } = controls;
  if (values.length === 0) {
    const height = bottom - top;
    drawHatch(sketch, x, top, right - x, height);
    const middle = top + Math.round((height - 14) / 2);
    sketch.rect(x + 8, middle - 6, right - x - 16, 26, colour.background);
    sketch.text('no-triggers', text.fine, (x + right) / 2, middle, 'no triggers', colour.secondInk, 'centre');
    return;
  }
  const wide = bottom - top >= 44;
  values.slice(0, 2).forEach(({ axis: index, name }, row) => {
    const value = axis(index);
    const words = value.toFixed(2);
    const zero = Math.abs(value) < AT_REST;
    const ink = zero ? colour.secondInk : colour.ink;
    if (!wide) {
      const half = x + row * ((right - x) / 2);
      sketch.text(`axis-${index}`, text.fine, half, bottom - 18, `${name.slice(0, 1)} ${words}`, ink);
      return;
    }
    const y = bottom - 44 + row * 24 + 4;
    sketch.text(`axis-name-${index}`, text.fine, x, y, name.slice(0, 2), colour.secondInk);
    const track = { x: x + 28, width: right - x - 28 - 52 };
    sketch.rect(track.x, y, track.width, 13, colour.panel);
    const fill = Math.round((Math.abs(value) * track.width) / 8) * 8;
    if (fill > 0) sketch.rect(track.x, y, fill, 13, colour.motor);
    sketch.text(`axis-${index}`, text.fine, right, y, words, ink, 'right');
  });
}

/** The pad of a small card: shapes only, because it may lie where no text is allowed. */
function drawSilentPad(
  sketch: Sketch,
  controls: PortControls,
  x: number,
  top: number,
  right: number,
  lit: (button: number) => boolean,
  axis: (index: number) => number,
): void {
  const [main] = controls.sticks;
  if (main !== undefined) drawStick(sketch, x, top, axis(main.x), axis(main.y));
  else if (controls.directions !== null) drawCross(sketch, x, top, 26, controls.directions, lit);
  const perRow = Math.max(1, Math.floor((right - x + 4) / (SMALL_CAP + 4)));
  controls.buttons.slice(0, perRow).forEach(({ button }, index) => {
    const on = lit(button);
    const edge = on ? colour.motor : colour.bezel;
    const cx = x + index * (SMALL_CAP + 4);
    drawOutline(sketch, cx, top + STICK + 4, SMALL_CAP, SMALL_CAP, edge, on ? colour.motor : colour.panel);
  });
}
