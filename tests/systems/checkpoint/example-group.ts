import type { GroupCapture } from '../../../engine/group-capture.ts';
import { rationalNs } from '../../../engine/rational.ts';
import type { GroupIdentity } from '../../../systems/checkpoint/envelope-group.ts';
import { BRAIN, IDENTITY, SAVE } from './example-agent.ts';

const D = (digit: string): string => digit.repeat(64);

/** A composition of two flies in a world that nobody runs. */
export const HERE: GroupIdentity = {
  sessionId: 'arena',
  environmentId: 'world',
  taskId: 'arena-v1',
  stepDuration: rationalNs(50_000_000n, 3n),
  compositionDigest: D('4'),
  portMap: [
    { portId: 'p1', agentId: 'fly-a' },
    { portId: 'p2', agentId: 'fly-b' },
  ],
  compatibility: {
    backendDigest: D('5'),
    contentDigest: D('6'),
    patchDigest: D('7'),
    controllerDigest: D('8'),
    parserDigest: D('9'),
    stateFormatId: 'flysess-1',
  },
  agents: [IDENTITY, { ...IDENTITY, agentId: 'fly-b', seed: 535504990 }],
};

const AGENT = {
  readout: SAVE.readout,
  ticks: 2_516n,
  owed: 2_000_000n,
  warmupTicks: 2_500n,
  context: { boot: true, bound: [], location: null },
  tally: { spikesTotal: 628_864, rewardTotal: 0.5, rewards: 3, reinforcements: 641, presses: 9 },
};

/** One capture of it; arrays are its own, so that it may be given away. */
export function exampleCapture(step: bigint, change: Partial<GroupCapture> = {}): GroupCapture {
  const agent = (agentId: string): GroupCapture['agents'][number] => ({
    ...structuredClone(AGENT),
    agentId,
    brain: structuredClone(BRAIN),
  });
  return {
    reason: 'interval',
    epoch: 'e1',
    step,
    runSteps: step,
    episodeSteps: step,
    episode: 1,
    environment: Uint8Array.of(9, 8, 7),
    taskLedger: { rank: 3 },
    agents: [agent('fly-a'), agent('fly-b')],
    nextEventId: 13,
    lastSourceStep: 1n,
    bestRank: 3,
    slotRank: 3,
    rungSinceStep: 0n,
    rollbacks: 0,
    filledSlots: ['best'],
    epochs: 1,
    nextInteraction: 1,
    lastControls: null,
    audio: [],
    ...change,
  };
}
