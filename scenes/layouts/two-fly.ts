import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import type { BrainMap } from '../brain-map/brain-map.ts';
import { createEventQueue } from '../direction/event-queue.ts';
import { agentsByPlace } from '../format/fly-letter.ts';
import type { Box } from '../layout.ts';
import type { Layout, Panel } from '../panel.ts';
import { CARD_PLAN, SMALL_CARD_PLAN, createAgentCard } from '../panels/agent-card.ts';
import type { CardPlan } from '../panels/agent-card.ts';
import { createAgentFly } from '../panels/agent-fly.ts';
import { createAgentPad } from '../panels/agent-pad.ts';
import { createChat } from '../panels/chat.ts';
import { createEvents } from '../panels/events.ts';
import { createHonesty } from '../panels/honesty.ts';
import { createMatchView } from '../panels/match-view.ts';
import { createTitleStrip } from '../panels/title-strip.ts';
import { cardBoxes, flyBoxes, matchBox, smallCardBoxes } from './match-boxes.ts';

const EVENT_ROWS = 3;
const CHAT_ROWS = 3;

/** The brain of one agent drawn in a box; null while its geometry is not loaded. */
export type MapOf = (agentIndex: number, at: Box) => BrainMap | null;

/** Two flies, one world: a card each, the shared picture between them (spec: show.md 13, 168). */
export function createTwoFly(scale: number, descriptor: SessionDescriptor, mapOf: MapOf): Layout {
  const agents = agentsByPlace(descriptor);
  const cards = cardBoxes.flatMap((at, place) => createCard(scale, descriptor, agents[place]!, at, CARD_PLAN, mapOf));
  const flies = flyBoxes.map((at, place) =>
    createAgentFly(scale, descriptor, agents[place]!, at, place === 0 ? 'right' : 'left'),
  );
  return { id: 'two-fly', panels: [...createShared(scale, descriptor), ...cards, ...flies] };
}

/** Three or four flies: small cards in two columns; several avatars wait for a measured budget (show.md 166). */
export function createFourFly(scale: number, descriptor: SessionDescriptor, mapOf: MapOf): Layout {
  const agents = agentsByPlace(descriptor);
  const cards = smallCardBoxes
    .slice(0, agents.length)
    .flatMap((at, place) => createCard(scale, descriptor, agents[place]!, at, SMALL_CARD_PLAN, mapOf));
  return { id: 'four-fly', panels: [...createShared(scale, descriptor), ...cards] };
}

function createShared(scale: number, descriptor: SessionDescriptor): Panel[] {
  const view = createMatchView(scale, descriptor, matchBox.view);
  const queue = createEventQueue(EVENT_ROWS);
  return [
    createTitleStrip(scale, descriptor, view.full),
    view,
    createEvents(scale, matchBox.events, queue, descriptor),
    descriptor.chat ? createChat(scale, matchBox.chat, CHAT_ROWS) : createHonesty(scale, descriptor, matchBox.chat),
  ];
}

function createCard(
  scale: number,
  descriptor: SessionDescriptor,
  agentIndex: number,
  at: Box,
  plan: CardPlan,
  mapOf: MapOf,
): Panel[] {
  const map = mapOf(agentIndex, mapBox(at, plan));
  const options = { scale, descriptor, agentIndex, at, plan, map };
  return [createAgentCard(options), createAgentPad(options)];
}

/** Where a card draws its brain, design px on the canvas. */
export function mapBox(card: Box, { map }: CardPlan): Box {
  return { ...map, x: card.x + map.x, y: card.y + map.y };
}
