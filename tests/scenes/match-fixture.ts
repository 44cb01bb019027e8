import type { PortDescriptor } from '../../engine/contract/environment.ts';
import type { MatchPlayer, MatchProgress } from '../../engine/contract/task.ts';
import type { AgentDescriptor, SessionDescriptor } from '../../engine/replica/descriptor.ts';
import { applyMessage } from '../../engine/replica/replica.ts';
import type { Replica } from '../../engine/replica/replica.ts';
import type { AgentSnapshot, ShownEvent, Snapshot } from '../../engine/replica/snapshot.ts';
import type { StageGeometry } from '../../scenes/geometry.ts';
import { BUTTONS, fakeDescriptor, fakeEvent, fakeSnapshot, fakeSpikes, gamePicture } from './fixture.ts';

/** An invented match of rounds, numbers as in the approved picture. */

/** A console pad with everything: two sticks, two triggers, eight buttons. */
export const CONSOLE_PORT: Omit<PortDescriptor, 'portId'> = {
  buttons: ['a', 'b', 'x', 'y', 'z', 'l', 'r', 'start'],
  axes: [
    { id: 'main-x', range: 'bipolar', neutral: 0 },
    { id: 'main-y', range: 'bipolar', neutral: 0 },
    { id: 'c-x', range: 'bipolar', neutral: 0 },
    { id: 'c-y', range: 'bipolar', neutral: 0 },
    { id: 'l-trigger', range: 'unit', neutral: 0 },
    { id: 'r-trigger', range: 'unit', neutral: 0 },
  ],
};

export type MatchChanges = {
  readonly agents?: number;
  readonly chat?: boolean;
  readonly revision?: number;
  readonly wordmark?: string;
  readonly port?: Omit<PortDescriptor, 'portId'>;
  readonly view?: { readonly widthPx: number; readonly heightPx: number };
  /** Fields of single agents, agent order. */
  readonly each?: readonly Partial<AgentDescriptor>[];
};

const PAD: Omit<PortDescriptor, 'portId'> = { buttons: BUTTONS, axes: [] };

export function matchDescriptor(changes: MatchChanges = {}): SessionDescriptor {
  const { agents = 2, chat = true, revision = 1, wordmark = 'TWO FLY BRAINS ONE ORCHARD', port = PAD } = changes;
  const single = fakeDescriptor({ chat, revision });
  const first = single.agents[0]!;
  const view = { ...single.environment.views[0]!, ...changes.view };
  return {
    ...single,
    showId: 'orchard-match',
    environment: {
      ...single.environment,
      kind: 'arena',
      ports: Array.from({ length: agents }, (_, index) => ({ portId: `player-${index + 1}`, ...port })),
      views: [view],
    },
    task: {
      taskId: 'rounds',
      presentation: {
        ...single.task.presentation,
        wordmark,
        rungs: [],
        disclosures: ['Losing a round costs nothing.'],
      },
    },
    agents: Array.from({ length: agents }, (_, index) => ({
      ...first,
      agentId: `fly-${'abcd'[index]}`,
      portId: `player-${index + 1}`,
      connectome: {
        ...first.connectome,
        name: `Grown twin, seed ${1 + 6 * index}`,
        identity: `${index + 1}f3a9c1d20`.repeat(6),
      },
      ...changes.each?.[index],
    })),
  };
}

const SIDES = ['left', 'right', 'top', 'bottom'];

export function fakeMatch(changes: Partial<MatchProgress> = {}, agents: number = 2): MatchProgress {
  const players: MatchPlayer[] = Array.from({ length: agents }, (_, index) => ({
    agentIndex: index,
    portId: `player-${index + 1}`,
    letter: 'ABCD'[index]!,
    side: SIDES[index]!,
    score: index === 0 ? 2 : 1,
    roundsWon: index === 0 ? 2 : index === 1 ? 1 : 0,
    doing: index === 0 ? 'carrying' : 'chasing',
  }));
  return {
    schema: 'match.progress.v1',
    rank: 2,
    earned: [],
    mode: 'round 4',
    playing: true,
    facts: [{ text: 'round 4', glyph: null }],
    attempts: 0,
    rewardTotal: 3,
    uniquePlaces: 0,
    matchId: 'match-0192',
    matchNumber: 192,
    seed: '1234',
    roundId: 'match-0192-r4',
    roundNumber: 4,
    roundCount: 5,
    roundsToWin: 3,
    scoreToWin: 5,
    phase: 'play',
    secondsLeft: 41,
    sidesSwapNext: true,
    roundWinner: null,
    matchWinner: null,
    players,
    rounds: [],
    matchesWon: [7, 5, 0, 0].slice(0, agents),
    matchesDrawn: 0,
    ...changes,
  };
}

/** Agents of one boundary; each has rates of its own. `each` changes single agents. */
export function matchAgents(
  sequence: number,
  agents: number = 2,
  each: readonly Partial<AgentSnapshot>[] = [],
): AgentSnapshot[] {
  return Array.from({ length: agents }, (_, index) => {
    const own = fakeSnapshot(sequence + index * 977).agents[0]!;
    const decision = index === 0 ? ['right', 'a'] : ['left', 'up'];
    return {
      ...own,
      brainMs: fakeSnapshot(sequence).agents[0]!.brainMs,
      populationRateHz: index === 0 ? 5.1 : 3.7,
      decision,
      appliedButtons: BUTTONS.map((button) => decision.includes(button)),
      ...each[index],
    };
  });
}

export function matchSnapshot(sequence: number, changes: Partial<Snapshot> = {}): Snapshot {
  return fakeSnapshot(sequence, { agents: matchAgents(sequence), progress: fakeMatch(), ...changes });
}

export const MATCH_EVENTS: readonly ShownEvent[] = [
  fakeEvent(1, { label: 'round 2 to B, 38 s', value: 1, agentIndex: 1 }),
  fakeEvent(2, { label: 'round 3 to A, 44 s, sides were swapped', value: 1, agentIndex: 0 }),
  fakeEvent(3, { label: 'A reached the plum first', value: 0.5, agentIndex: 0 }),
];

/** Feeds one boundary with the shared picture and a bitset of each agent. `spikeSteps` may let one agent stand still. */
export function feedMatch(
  replica: Replica,
  snapshot: Snapshot,
  nowMs: number,
  geometries: readonly StageGeometry[] = [],
  spikeSteps: readonly number[] = [],
): void {
  const { agents, environment } = replica.descriptor!;
  const spikes = geometries.map((geometry, index) => ({
    kind: 'spikes' as const,
    index,
    bytes: ofLength(
      Math.ceil(agents[index]!.connectome.neurons / 8),
      fakeSpikes(geometry, spikeSteps[index] ?? snapshot.sequence + index * 977),
    ),
  }));
  const { widthPx, heightPx } = environment.views[0]!;
  const picture = ofLength(widthPx * heightPx * 4, gamePicture(snapshot.sequence));
  const view = { kind: 'view' as const, index: 0, bytes: picture };
  const header = { ...snapshot, agents: asDescribed(replica.descriptor!, snapshot.agents) };
  applyMessage(replica, { header, attachments: [view, ...spikes] }, nowMs);
}

function ofLength(byteLength: number, bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength === byteLength) return bytes;
  const fitted = new Uint8Array(byteLength);
  fitted.set(bytes.subarray(0, byteLength));
  return fitted;
}

/** With the controls that their ports have: a replica takes nothing else. */
function asDescribed({ agents, environment }: SessionDescriptor, given: readonly AgentSnapshot[]): AgentSnapshot[] {
  return given.map((own, index) => {
    const { buttons, axes } = environment.ports.find(({ portId }) => portId === agents[index]!.portId)!;
    return {
      ...own,
      appliedButtons: own.appliedButtons && buttons.map((_, button) => own.appliedButtons![button] ?? false),
      appliedAxes: own.appliedAxes && axes.map(({ neutral }, axis) => own.appliedAxes![axis] ?? neutral),
    };
  });
}
