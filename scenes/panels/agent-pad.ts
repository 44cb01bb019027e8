import { RAIL_TEXT_X } from '../layout.ts';
import type { Panel } from '../panel.ts';
import { createSketch } from '../sketch.ts';
import { drawNoMap, padTop } from './agent-card.ts';
import type { AgentCardOptions } from './agent-card.ts';
import { createControls } from './agent-controls.ts';
import { drawFrame } from './frame.ts';

/**
 * The foot of an agent's card: the controls its port was given. A panel is drawn whole when anything in it changes, and
 * these change with every press, so they are one of their own.
 * @param options the card's own; `at` is the whole card
 */
export function createAgentPad({ scale, descriptor, agentIndex, at, plan, map }: AgentCardOptions): Panel {
  const sketch = createSketch(`pad-${agentIndex}`, scale);
  const controls = createControls(descriptor, agentIndex, plan.padWords);
  const top = padTop(plan);
  const x = plan.padWords ? RAIL_TEXT_X : plan.map.x + plan.map.width + 12;
  return {
    box: { ...at, y: at.y + top, height: at.height - top },
    root: sketch.root,
    texts: sketch.texts,
    update(replica, nowMs) {
      controls.step(replica.snapshot?.agents[agentIndex], nowMs);
      sketch.begin(nowMs);
      drawFrame(sketch, at.width, at.height, -top);
      if (map === null && plan.map.y >= top) drawNoMap(sketch, plan, -top);
      controls.drawPad(sketch, x, plan.padTop - top, at.width - RAIL_TEXT_X, nowMs);
      return sketch.end();
    },
  };
}
