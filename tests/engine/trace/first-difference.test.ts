import { expect, test } from 'vitest';
import { firstDifference } from '../../../engine/trace/first-difference.ts';
import type { AgentTrace, TraceStep } from '../../../engine/trace/trace-step.ts';

const AGENT: AgentTrace = {
  ticks: 17,
  brainTicks: 2_517,
  remainder: '0',
  spikes: 'a1',
  spikeCount: 3,
  rates: 'b1',
  decision: 'up',
  macro: '',
  controls: '00000001',
  rewards: '',
  drive: 'c1',
  stimulusMs: 0,
  learning: 'true 1 2',
  context: 'play',
};
const STEP: TraceStep = {
  step: 9,
  agents: [AGENT, AGENT],
  world: { engineFrame: '10', memory: 'd1', pictures: 'e1', sound: 'f1', rank: 0, events: '', actions: '' },
};
const IDS = ['fly-a', 'fly-b'];

test('equal steps do not differ', () => {
  expect(firstDifference(STEP, structuredClone(STEP), IDS)).toBeNull();
});

test.each<[keyof AgentTrace, string]>([
  ['ticks', 'planTicks'],
  ['spikes', 'advanceBrains'],
  ['rates', 'advanceBrains'],
  ['decision', 'readoutDecide'],
  ['controls', 'assembleBatch'],
  ['rewards', 'evaluateTask'],
  ['drive', 'installSensory'],
  ['stimulusMs', 'applyOutcomeStimuli'],
  ['learning', 'reinforce'],
  ['context', 'retainContext'],
])('a differing %s is blamed on %s and its agent', (field, system) => {
  const other = { ...STEP, agents: [AGENT, { ...AGENT, [field]: 'other' }] };
  expect(firstDifference(STEP, other, IDS)).toEqual({
    step: 9,
    system,
    agentId: 'fly-b',
    field,
    a: String(AGENT[field]),
    b: 'other',
    all: [`fly-b.${field}`],
  });
});

test('of several differences the one written first in a transition is named, the rest are listed after it', () => {
  const other: TraceStep = {
    ...STEP,
    agents: [
      { ...AGENT, rewards: 'coin=1' },
      { ...AGENT, decision: 'down' },
    ],
    world: { ...STEP.world, memory: 'd2' },
  };
  expect(firstDifference(STEP, other, IDS)).toMatchObject({
    system: 'readoutDecide',
    agentId: 'fly-b',
    field: 'decision',
    all: ['fly-b.decision', 'world.memory', 'fly-a.rewards'],
  });
});

test('a fly one run lacks differs in its first field', () => {
  expect(firstDifference(STEP, { ...STEP, agents: [AGENT] }, IDS)).toMatchObject({ agentId: 'fly-b', b: 'undefined' });
});
