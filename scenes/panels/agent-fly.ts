import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import { createFlyPane } from '../fly/fly-pane.ts';
import type { Facing } from '../fly/rig.ts';
import { FRAME_LINE, FRAME_OUTER } from '../layout.ts';
import type { Box } from '../layout.ts';
import type { Panel } from '../panel.ts';
import { createSketch } from '../sketch.ts';
import { drawFrame } from './frame.ts';

/** One fly's body in its own frame, looking at the match. No text on it (spec: show.md 111, 168). */
export function createAgentFly(
  scale: number,
  descriptor: SessionDescriptor,
  agentIndex: number,
  at: Box,
  facing: Facing,
): Panel {
  const sketch = createSketch(`fly-${agentIndex}`, scale);
  const inner = FRAME_OUTER + FRAME_LINE;
  const inside = { x: at.x + inner, y: at.y + inner, width: at.width - 2 * inner, height: at.height - 2 * inner };
  const fly = createFlyPane(scale, descriptor, agentIndex, inside, facing);
  return {
    box: at,
    root: sketch.root,
    texts: sketch.texts,
    update(_, nowMs) {
      sketch.begin(nowMs);
      drawFrame(sketch, at.width, at.height);
      return sketch.end();
    },
    paint: (frame, replica, nowMs) => fly.paint(frame, replica, nowMs),
  };
}
