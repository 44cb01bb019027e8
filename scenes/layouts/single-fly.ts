import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import type { BrainMap } from '../brain-map/brain-map.ts';
import { createCircuits } from '../direction/circuits.ts';
import { createEventQueue } from '../direction/event-queue.ts';
import { createParticles } from '../direction/particles.ts';
import { TABS, createTabDirector } from '../direction/tab-director.ts';
import { createFlyPane } from '../fly/fly-pane.ts';
import type { StageGeometry } from '../geometry.ts';
import { RAIL_TEXT_X, box } from '../layout.ts';
import type { Layout } from '../panel.ts';
import { colour } from '../theme.ts';
import { createChat } from '../panels/chat.ts';
import { createConnectomePane } from '../panels/connectome.ts';
import { createDescribe } from '../panels/describe.ts';
import { createEvents } from '../panels/events.ts';
import { createFlyStrip } from '../panels/fly-strip.ts';
import { createGameView } from '../panels/game-view.ts';
import { createHonesty } from '../panels/honesty.ts';
import { createLadder } from '../panels/ladder.ts';
import { macroChannels } from '../panels/macro-channels.ts';
import { createMacrosPane } from '../panels/macros-pane.ts';
import { createProgress } from '../panels/progress.ts';
import { createSenses } from '../panels/senses.ts';
import { createTabSlot } from '../panels/tab-slot.ts';
import { createTitleStrip } from '../panels/title-strip.ts';

/** Rows of EVENTS while chat is on, and with the room of a chat that is off. */
const EVENT_ROWS = 3;
const QUIET_EVENT_ROWS = 5;
const REWARD_SPARKS = 20;
const REWARD_SPARK_SPEED = 0.12;
const MILESTONE_SPARKS = 28;
const SPARK_SPEED = 0.16;
const SUGAR_GRAINS = 24;
/** The head in the fly canvas, and the sugar chip: design px on the canvas (spec: show.md 96a). */
const HEAD = { x: box.fly.x + 252, y: box.fly.y + 62 };
const SUGAR_CHIP = { x: box.progress.x + box.progress.width - 180, y: box.progress.y + 118 };

/** One fly, one world: the main layout (spec: show.md 1). Bound to the descriptor's first agent, view and port. */
export function createSingleFly(
  scale: number,
  descriptor: SessionDescriptor,
  geometry: StageGeometry | null,
  map: BrainMap | null,
): Layout {
  const circuits = createCircuits(descriptor, 0);
  const rotation = TABS.filter((tab) => tab !== 'MACROS' || macroChannels(descriptor).length > 0);
  const queue = createEventQueue(descriptor.chat ? EVENT_ROWS : QUIET_EVENT_ROWS);
  const eventsBox = descriptor.chat ? box.events : box.quietEvents;
  const particles = createParticles([box.rail, box.strip], [eventsBox]);
  const tabSlot = createTabSlot({
    scale,
    director: createTabDirector(rotation),
    circuits,
    panes: {
      SENSES: createSenses(scale, descriptor, geometry, circuits),
      CONNECTOME: createConnectomePane(descriptor, map),
      LADDER: createLadder(descriptor),
      DESCRIBE: createDescribe(descriptor),
      MACROS: createMacrosPane(descriptor),
    },
  });
  const belowEvents = descriptor.chat ? createChat(scale) : createHonesty(scale, descriptor);
  let sparkedId = -1;
  return {
    id: 'single-fly',
    panels: [
      createTitleStrip(scale, descriptor),
      createGameView(scale, descriptor),
      createProgress(scale, descriptor),
      tabSlot,
      createEvents(scale, eventsBox, queue, descriptor),
      belowEvents,
      createFlyStrip(scale, descriptor, createFlyPane(scale, descriptor, 0, box.fly)),
    ],
    overlay(frame, replica, nowMs) {
      const top = queue.rows[0];
      if (top !== undefined && top.id !== sparkedId) {
        sparkedId = top.id;
        const fresh = nowMs - queue.arrivedAtMs < 100;
        const fromX = eventsBox.x + eventsBox.width - RAIL_TEXT_X - 30;
        if (fresh && top.kind === 'reward') {
          particles.sparks(
            Math.round(REWARD_SPARKS * intensity(top.value)),
            fromX,
            eventsBox.y - 16,
            REWARD_SPARK_SPEED,
            colour.dopamine,
          );
        } else if (fresh && top.kind === 'sugar') {
          particles.drift(SUGAR_GRAINS, HEAD, SUGAR_CHIP, colour.dopamine);
        } else if (fresh && top.kind === 'milestone') {
          const { rank } = replica.snapshot?.progress ?? { rank: 0 };
          const rungs = Math.max(1, descriptor.task.presentation.rungs.length);
          const cellX = box.progress.x + RAIL_TEXT_X + ((rank + 0.5) / rungs) * (box.progress.width - 2 * RAIL_TEXT_X);
          particles.sparks(MILESTONE_SPARKS, cellX, box.progress.y + 80, SPARK_SPEED, colour.ok);
        }
      }
      particles.paint(frame, nowMs);
    },
  };
}

/** Spec: show.md 94. */
function intensity(value: number | null): number {
  const size = Math.abs(value ?? 0);
  return size < 0.1 ? 0.35 : size < 0.3 ? 0.65 : 1;
}
