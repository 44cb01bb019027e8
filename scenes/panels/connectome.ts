import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import type { BrainMap } from '../brain-map/brain-map.ts';
import { RAIL_TEXT_X, box } from '../layout.ts';
import { PANE_HEIGHT, PANE_TOP } from '../tabs.ts';
import type { TabPane } from '../tabs.ts';
import { colour, text } from '../theme.ts';
import { originLine } from '../format/honesty.ts';
import { grouped } from '../format/number.ts';

const KEY: readonly { readonly word: string; readonly ink: number }[] = [
  { word: 'eyes', ink: colour.sensory },
  { word: 'reward', ink: colour.dopamine },
  { word: 'motor', ink: colour.motor },
];

/** The living brain with its key, bare spike count, neuron total and origin (spec: show.md 53 to 59; mockups). */
export function createConnectomePane(descriptor: SessionDescriptor, map: BrainMap | null): TabPane {
  const right = box.tabSlot.width - RAIL_TEXT_X;
  const connectome = descriptor.agents[0]?.connectome;
  return {
    step: (replica, nowMs) => map?.step(replica, nowMs),
    draw(sketch, { snapshot }) {
      KEY.forEach(({ word, ink }, row) => {
        const y = PANE_TOP + 22 + row * 34;
        sketch.rect(RAIL_TEXT_X, y, 16, 16, ink);
        sketch.text(`map-key-${row}`, text.body, RAIL_TEXT_X + 28, y - 1, word, ink);
      });
      const spikes = snapshot?.agents[0]?.spikeCount;
      const count = spikes === undefined ? '--' : grouped(spikes);
      sketch.text('map-count', text.hero, right, PANE_TOP + 18, count, colour.ink, 'right');
      const total = `of ${grouped(connectome?.neurons ?? 0)}`;
      sketch.text('map-total', text.body, right, PANE_TOP + 56, total, colour.secondInk, 'right');
      sketch.text('map-unit', text.body, right, PANE_TOP + 89, 'spiking now', colour.secondInk, 'right');
      sketch.text(
        'map-origin',
        text.body,
        RAIL_TEXT_X,
        PANE_TOP + PANE_HEIGHT - 28,
        originLine(descriptor),
        colour.secondInk,
      );
      if (map === null) {
        sketch.text('map-none', text.body, RAIL_TEXT_X, PANE_TOP + 170, 'brain geometry not loaded', colour.secondInk);
      }
    },
    ...(map === null ? {} : { paint: (frame, _replica, nowMs) => map.paint(frame, nowMs) }),
  };
}
