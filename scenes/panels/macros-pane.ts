import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import { RAIL_TEXT_X, box } from '../layout.ts';
import { fit } from '../sketch.ts';
import { PANE_TOP } from '../tabs.ts';
import type { TabPane } from '../tabs.ts';
import { colour, text } from '../theme.ts';
import { macroChannels } from './macro-channels.ts';

const COLUMNS = 3;
const ROWS = 11;
const CELL_HEIGHT = 31;
const TAG_WIDTH = 120;

/** Macro types in their fixed order, or the plain fact that there are none (spec: show.md 69 to 71). */
export function createMacrosPane(descriptor: SessionDescriptor): TabPane {
  const macros = macroChannels(descriptor);
  const cellWidth = (box.tabSlot.width - 2 * RAIL_TEXT_X) / COLUMNS;
  return {
    step: () => undefined,
    draw(sketch, { snapshot }) {
      if (macros.length === 0) {
        sketch.text('macros-none', text.body, RAIL_TEXT_X, PANE_TOP + 24, 'this show has no macros', colour.ink);
        const raw = 'raw mode: motor neurons press the buttons themselves';
        sketch.text('macros-raw', text.body, RAIL_TEXT_X, PANE_TOP + 57, raw, colour.secondInk);
        return;
      }
      const running = new Set(snapshot?.agents[0]?.decision ?? []);
      macros.slice(0, COLUMNS * ROWS).forEach((macro, slot) => {
        const x = RAIL_TEXT_X + Math.floor(slot / ROWS) * cellWidth;
        const y = PANE_TOP + 14 + (slot % ROWS) * CELL_HEIGHT;
        const bright = running.has(macro.channel);
        if (bright) sketch.rect(x, y, cellWidth - 4, CELL_HEIGHT - 3, colour.motor);
        const tagInk = bright ? colour.background : colour.secondInk;
        sketch.text(`macros-tag-${slot}`, text.fine, x + 8, y + 7, macro.tag, tagInk);
        const name = fit(text.fine, macro.name, cellWidth - TAG_WIDTH - 12);
        sketch.text(
          `macros-name-${slot}`,
          text.fine,
          x + TAG_WIDTH,
          y + 7,
          name,
          bright ? colour.background : colour.ink,
        );
      });
    },
  };
}
