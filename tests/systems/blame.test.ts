import { expect, test } from 'vitest';
import type { Brain } from '../../engine/contract/brain.ts';
import type { Environment } from '../../engine/contract/environment.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { closedAfterEach } from '../fixture/closed-after-each.ts';
import { openTestMatch } from '../fixture/test-match.ts';
import type { TestMatch } from '../fixture/test-match.ts';

const open = closedAfterEach(openTestMatch);

/** What a part of fly-b does wrong; fly-a is fine. */
const AGENT_FAULTS: readonly [string, (match: TestMatch, fail: () => never) => void][] = [
  ['pulse before the step', (match, fail) => (sugar(match), breakBrain(match.world, { stimulate: fail }))],
  ['neural ticks', ({ world }, fail) => breakBrain(world, { advance: () => Promise.resolve().then(fail) })],
  ['readout', ({ world }, fail) => void Object.assign(world.handles.readouts[1]!, { decide: fail })],
  ['executor', ({ world }, fail) => void (world.handles.executors[1] = { apply: fail })],
  ['retina', ({ world }, fail) => breakBrain(world, { installFrame: fail })],
  ['reinforcement', ({ world }, fail) => breakBrain(world, { reinforce: fail })],
  ['state', ({ world }, fail) => ((world.captureRequested = 'test'), breakBrain(world, { exportState: fail }))],
  ['next context', ({ world }, fail) => void Object.assign(world.handles.readouts[1]!, { retain: fail })],
];

test.each(AGENT_FAULTS)(
  'a fly whose %s fails is blamed by its own name, and its own error is kept (session.md 7)',
  async (_, breakIt) => {
    const match = await open();
    await match.run(3);
    breakIt(match, () => fail('the fault'));
    await expect(match.run(1)).rejects.toThrow('the fault');
    expect(match.world.blamed).toEqual({ kind: 'agent', id: 'fly-b' });
  },
);

test('a fly that sends controls its port does not have is blamed', async () => {
  const match = await open();
  await match.run(1);
  match.world.handles.executors[1] = { apply: () => ({ portId: 'p02', buttons: [], axes: [] }) };
  await expect(match.run(1)).rejects.toMatchObject({ code: 'CONTROL_BATCH' });
  expect(match.world.blamed).toEqual({ kind: 'agent', id: 'fly-b' });
});

const WORLD_FAULTS: readonly [string, (environment: Environment, fail: () => Promise<never>) => void][] = [
  ['step', (environment, fail) => void (environment.advance = fail)],
  ['slot save', (environment, fail) => void (environment.saveSlot = fail)],
  ['return to a slot', (environment, fail) => void (environment.restoreSlot = fail)],
  ['capture', (environment, fail) => void (environment.capture = fail)],
  ['next episode', (environment, fail) => void (environment.boot = fail)],
];

test.each(WORLD_FAULTS)('a world whose %s fails is blamed by its own name', async (what, breakIt) => {
  const match = await open({
    flies: 1, // a shared world has no slots
    outcome: (_, plain) => ({
      ...plain,
      saveSlot: match.world.phase.step < 3n || what === 'slot save' ? 'best' : null,
      rollback: match.world.phase.step === 4n ? { slotId: 'best', trigger: 'stall' } : null,
      terminal: match.world.phase.step === 5n ? 'time' : null,
    }),
  });
  await match.run(4);
  if (what === 'capture') match.world.captureRequested = 'test';
  breakIt(match.world.handles.environment, () => Promise.reject(new Error('the fault')));
  await expect(match.run(3)).rejects.toThrow('the fault');
  expect(match.world.blamed).toEqual({ kind: 'environment', id: 'counter' });
});

test('a world whose observation cannot be used is blamed', async () => {
  const match = await open({
    spoil: (observation, boundary) => (boundary === 3 ? { ...observation, views: [] } : observation),
  });
  await expect(match.run(5)).rejects.toMatchObject({ code: 'OBSERVATION' });
  expect(match.world.blamed).toEqual({ kind: 'environment', id: 'counter' });
});

test('a failure of the task after one of a fly does not fall on that fly', async () => {
  let isBroken = false;
  const match = await open({
    recovery: {},
    outcome: (_, plain) => {
      if (isBroken) throw new Error('the task');
      return plain;
    },
  });
  await match.run(2);
  const failed = failures(match);
  breakBrain(match.world, { reinforce: () => fail('the fly') });
  match.world.lifecycle.on((event) => void (isBroken = event.kind === 'restored' && failed.length === 1));
  await match.run(1);
  expect(failed.map(({ blamed, message }) => [message, blamed])).toEqual([
    ['the fly', 'fly-b'],
    ['the task', null],
  ]);
  expect(match.world.blamed).toBeNull(); // a later transition succeeded
});

function fail(what: string): never {
  throw new Error(what);
}

function breakBrain({ handles }: SessionWorld, broken: Partial<Brain>): void {
  handles.brains[1] = { ...handles.brains[1]!, ...broken };
}

function sugar({ world }: TestMatch): void {
  world.handles.brains[1] = { ...world.handles.brains[1]!, stimulusRemainingMs: () => 0 };
  const request = { by: 'a', source: 'operator' as const, durationMs: 9, agentId: 'fly-b' };
  world.commands.push({ kind: 'sugar', request, answer: () => undefined });
}

type Failed = { readonly blamed: string | null; readonly message: string };

function failures({ world }: TestMatch): Failed[] {
  const failed: Failed[] = [];
  world.lifecycle.on((event) => {
    if (event.kind === 'failed') failed.push(event);
  });
  return failed;
}
