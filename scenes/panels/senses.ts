import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import type { Replica } from '../../engine/replica/replica.ts';
import type { Circuit } from '../direction/circuits.ts';
import type { StageGeometry } from '../geometry.ts';
import { RAIL_TEXT_X, box } from '../layout.ts';
import type { Sketch } from '../sketch.ts';
import { PANE_TOP } from '../tabs.ts';
import type { TabPane } from '../tabs.ts';
import { colour, text } from '../theme.ts';
import { grouped } from '../format/number.ts';
import { createEyes } from './eyes.ts';

const EYES_LEFT = 16;
const EYES_TOP = 14;
const EYES_WIDTH = 548;
const EYES_HEIGHT = 300;
const BAR_NAME_X = 590;
const BAR_X = 772;
const BAR_WIDTH = 168;
const BAR_HEIGHT = 13;
const BAR_STEP = 8;
const BAR_PITCH = 23.5;
const GROUP_GAP = 5;
const FIRST_BAR = 13;

const INK: Readonly<Record<Circuit['kind'], number>> = {
  motor: colour.motor,
  dopamine: colour.dopamine,
  taste: colour.sensory,
};

/** Left what the eyes are shown, right what the circuits do (spec: show.md 44 to 50). */
export function createSenses(
  scale: number,
  descriptor: SessionDescriptor,
  geometry: StageGeometry | null,
  circuits: readonly Circuit[],
): TabPane {
  const view = descriptor.environment.views[0];
  const eyesBox = {
    x: box.tabSlot.x + EYES_LEFT,
    y: box.tabSlot.y + PANE_TOP + EYES_TOP,
    width: EYES_WIDTH,
    height: EYES_HEIGHT,
  };
  const eyes = geometry === null || view === undefined ? null : createEyes(geometry.retina, eyesBox, view, scale);
  const columns = descriptor.agents[0]?.connectome.retinaColumns ?? 0;
  const top = PANE_TOP;
  return {
    step: () => undefined,
    draw(sketch) {
      sketch.text('senses-left', text.smallLabel, RAIL_TEXT_X, top + 14, 'L', colour.secondInk);
      sketch.text('senses-right', text.smallLabel, EYES_LEFT + EYES_WIDTH, top + 14, 'R', colour.secondInk, 'right');
      const note = eyes === null ? 'retina not loaded' : `${grouped(columns)} eye columns, one sample each`;
      sketch.text('senses-note', text.body, RAIL_TEXT_X, top + 336, note, colour.secondInk);
      let y = top + FIRST_BAR;
      circuits.forEach((circuit, index) => {
        if (index > 0 && circuit.group !== circuits[index - 1]!.group) y += GROUP_GAP;
        drawBar(sketch, circuit, index, y);
        y += BAR_PITCH;
      });
    },
    paint(frame, replica: Replica) {
      const rgba = replica.views[0];
      if (eyes === null || rgba === undefined || view === undefined) return;
      if (rgba.byteLength >= view.widthPx * view.heightPx * 4) eyes.paint(frame, rgba);
    },
  };
}

/** Visible track, fill in 8 px steps, 4 px peak, 2 px threshold that overhangs by 3 px (mockups "Bars"). */
function drawBar(sketch: Sketch, circuit: Circuit, index: number, y: number): void {
  const rate = circuit.rateHz();
  sketch.text(`senses-name-${index}`, text.fine, BAR_NAME_X, y, circuit.name, colour.ink);
  if (rate === null) {
    for (let x = 0; x < BAR_WIDTH; x += 12) sketch.rect(BAR_X + x, y + 5, 6, 2, colour.bezel);
    sketch.text(`senses-rate-${index}`, text.fine, box.tabSlot.width - RAIL_TEXT_X, y, '--', colour.secondInk, 'right');
    return;
  }
  sketch.rect(BAR_X, y, BAR_WIDTH, BAR_HEIGHT, colour.panel);
  const fill = Math.round((circuit.fill() * BAR_WIDTH) / BAR_STEP) * BAR_STEP;
  if (fill > 0) sketch.rect(BAR_X, y, fill, BAR_HEIGHT, INK[circuit.kind]);
  const peak = Math.round((circuit.peak() * BAR_WIDTH) / BAR_STEP) * BAR_STEP;
  if (peak > fill) sketch.rect(BAR_X + Math.min(peak, BAR_WIDTH - 4), y, 4, BAR_HEIGHT, colour.ink);
  const tick = circuit.tick();
  if (tick !== null)
    sketch.rect(BAR_X + Math.round((tick * (BAR_WIDTH - 2)) / 4) * 4, y - 3, 2, BAR_HEIGHT + 6, colour.ink);
  const whole = Math.round(rate);
  const ink = whole === 0 ? colour.bezel : colour.ink;
  sketch.text(`senses-rate-${index}`, text.fine, box.tabSlot.width - RAIL_TEXT_X, y, String(whole), ink, 'right');
}
