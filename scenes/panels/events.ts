import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import type { ShownEvent } from '../../engine/replica/snapshot.ts';
import { RAIL_TEXT_X } from '../layout.ts';
import type { Box } from '../layout.ts';
import type { Panel } from '../panel.ts';
import type { EventQueue } from '../direction/event-queue.ts';
import { createSketch, fit, textWidth } from '../sketch.ts';
import { colour, text } from '../theme.ts';
import { letterOf } from '../format/fly-letter.ts';
import { signedValue } from '../format/number.ts';
import { drawFrame } from './frame.ts';

export const EVENT_ROW_PITCH = 29;
const FIRST_TOP = 13;

/** Newest first, older rows a step darker; the value stands in its own column (spec: show.md 73 to 77). */
export function createEvents(scale: number, at: Box, queue: EventQueue, descriptor: SessionDescriptor): Panel {
  const several = descriptor.agents.length > 1;
  const sketch = createSketch('events', scale);
  const right = at.width - RAIL_TEXT_X;
  return {
    box: at,
    root: sketch.root,
    texts: sketch.texts,
    update(replica, nowMs) {
      queue.step(replica.events, nowMs);
      sketch.begin(nowMs);
      drawFrame(sketch, at.width, at.height);
      if (queue.rows.length === 0) {
        sketch.text('empty', text.body, RAIL_TEXT_X, FIRST_TOP, 'no events yet', colour.secondInk);
      }
      queue.rows.forEach((event, row) => {
        const top = FIRST_TOP + row * EVENT_ROW_PITCH;
        const ink = inkOf(event);
        const value = several ? whose(descriptor, event) : valueOf(event);
        if (row === 0) sketch.rect(RAIL_TEXT_X, top - 2, 12, 20, ink);
        else sketch.rect(RAIL_TEXT_X, top + 3, 12, 12, ink);
        const words = fit(text.body, event.label, right - 60 - RAIL_TEXT_X - textWidth(text.body, value));
        sketch.text(`label-${row}`, text.body, 44, top, words, row === 0 ? ink : colour.secondInk);
        sketch.text(`value-${row}`, text.body, right, top, value, ink, 'right');
      });
      return sketch.end();
    },
  };
}

function inkOf(event: ShownEvent): number {
  switch (event.kind) {
    case 'reward':
    case 'sugar':
      return colour.dopamine;
    case 'milestone':
      return colour.ok;
    case 'recovery':
    case 'operator':
      return colour.warn;
    case 'system':
    case 'checkpoint':
      return colour.ink;
    default:
      return event.kind satisfies never;
  }
}

/** With several flies the value says whose it is (mockups, two-fly). */
function whose(descriptor: SessionDescriptor, event: ShownEvent): string {
  const value = valueOf(event);
  return event.agentIndex === null ? value : `${letterOf(descriptor, event.agentIndex)} ${value}`.trimEnd();
}

function valueOf(event: ShownEvent): string {
  if (event.kind === 'sugar') return 'no button';
  return event.value === null ? '' : signedValue(event.value);
}
