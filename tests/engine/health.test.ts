import { expect, test } from 'vitest';
import { judgeWorld, readHealthFacts } from '../../engine/health.ts';
import type { Health, HealthFacts } from '../../engine/health.ts';
import { DeviceError } from '../../engine/errors.ts';
import { enterPhase } from '../../engine/phase.ts';
import { closedAfterEach } from '../fixture/closed-after-each.ts';
import { openTestMatch } from '../fixture/test-match.ts';

const RUNNING: HealthFacts = {
  phase: 'ready',
  step: 7n,
  hasBegun: true,
  stillMs: 10,
  waitingFor: null,
  waitingMs: 0,
  lateAgents: [],
  environmentId: 'gameboy',
  blamed: null,
  realTimeFactor: 1,
  lagMs: 0,
  stopRequested: null,
};

const open = closedAfterEach(openTestMatch);

test.each<[string, Partial<HealthFacts>, Partial<Health>]>([
  ['all is well', {}, { state: 'running', alive: true, reason: '' }],
  ['it starts', { phase: 'starting', stillMs: 60_000 }, { state: 'booting', alive: true }],
  ['it saves its start', { hasBegun: false, stillMs: 60_000 }, { state: 'booting', alive: true }],
  ['it resumes', { phase: 'restoring', hasBegun: false }, { state: 'booting', alive: true }],
  ['it was paused an hour ago', { phase: 'paused', stillMs: 3_600_000 }, { state: 'paused', alive: true }],
  [
    'it is slow',
    { realTimeFactor: 0.9, lagMs: 1_500 },
    { state: 'slow', alive: true, reason: 'Runs at 0.90x real time, 1.5 s lost.' },
  ],
  [
    'a fly is late',
    { phase: 'preparing', waitingFor: 'kernel', waitingMs: 2_500, stillMs: 2_600, lateAgents: ['fly-b'] },
    { state: 'waiting-at-barrier', alive: true, participants: ['fly-b'], reason: 'fly-b has not answered for 2.5 s.' },
  ],
  [
    'a fly has not answered for more than ten seconds',
    { phase: 'preparing', waitingFor: 'kernel', waitingMs: 10_001, stillMs: 10_100, lateAgents: ['fly-b'] },
    { state: 'dead-agent', alive: false, participants: ['fly-b'] },
  ],
  [
    'the world has not answered for more than ten seconds',
    { phase: 'applying', waitingFor: 'environment', waitingMs: 10_001, stillMs: 10_100 },
    { state: 'backend-disconnected', alive: false, participants: ['gameboy'] },
  ],
  [
    'a fly died',
    { phase: 'failed', blamed: { kind: 'agent', id: 'fly-a' } },
    { state: 'dead-agent', alive: false, participants: ['fly-a'] },
  ],
  [
    'the world died',
    { phase: 'failed', blamed: { kind: 'environment', id: 'gameboy' } },
    { state: 'backend-disconnected', alive: false, participants: ['gameboy'] },
  ],
  ['nobody is to blame', { phase: 'failed' }, { state: 'failed', alive: false, participants: [] }],
  [
    'a dead fly is being replaced',
    { phase: 'restoring', blamed: { kind: 'agent', id: 'fly-a' } },
    { state: 'recovering', alive: false, participants: ['fly-a'] },
  ],
  [
    'the loop stands still for no declared reason',
    { phase: 'committing', stillMs: 2_001 },
    { state: 'failed', alive: false },
  ],
  ['it ends', { stopRequested: 'Ctrl-C' }, { state: 'stopping', alive: true, reason: 'Stopping: Ctrl-C.' }],
])('PRO-11 when %s the health says so (session.md 20)', (_, facts, wanted) => {
  expect(judgeWorld({ ...RUNNING, ...facts })).toMatchObject(wanted);
});

test('PRO-11 exactly two seconds of waiting and 0.95x real time are still running', () => {
  const facts = { ...RUNNING, phase: 'preparing', waitingFor: 'kernel', waitingMs: 2_000, stillMs: 2_000 } as const;
  expect(judgeWorld({ ...facts, realTimeFactor: 0.95 }).state).toBe('running');
});

test('PRO-11 a paused match that is being saved is paused, however long it has stood still', async () => {
  const match = await open();
  await match.run(1);
  enterPhase(match.world.phase, 'paused');
  match.clock.advanceMs(3_600_000);
  enterPhase(match.world.phase, 'capturing');
  expect(judgeWorld(readHealthFacts(match.world))).toMatchObject({ state: 'paused', alive: true });
});

test('PRO-11 a running match tells a late fly from a lost one and from a dead one', async () => {
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  let trouble: 'none' | 'late' | 'dead' = 'none';
  const match = await open({
    wrapBrain: (brain, i) => ({
      ...brain,
      async advance(ticks) {
        if (i === 1 && trouble === 'late') await gate;
        if (i === 1 && trouble === 'dead') throw new DeviceError('BRAIN_DEAD', 'fly-b: the brain thread ended');
        return brain.advance(ticks);
      },
    }),
  });
  const state = (): string => {
    const { state: name, participants } = judgeWorld(readHealthFacts(match.world));
    return [name, ...participants].join(' ');
  };
  await match.run(2);
  expect(state()).toBe('running');
  trouble = 'late';
  const running = match.run(1);
  await new Promise((resolve) => setImmediate(resolve));
  match.clock.advanceMs(3_000);
  expect(state()).toBe('waiting-at-barrier fly-b');
  match.clock.advanceMs(8_000);
  expect(state()).toBe('dead-agent fly-b');
  release();
  await running;
  trouble = 'none';
  await match.run(1);
  expect(state()).toBe('slow'); // the last second of stepping took eleven
  trouble = 'dead';
  await expect(match.run(1)).rejects.toMatchObject({ code: 'BRAIN_DEAD' });
  enterPhase(match.world.phase, 'failed');
  expect(state()).toBe('dead-agent fly-b');
});

test('PRO-11 a lost backend and a bug of the task are told apart', async () => {
  const match = await open({
    outcome: (_, plain) => (match.world.phase.step === 3n ? { ...plain, agents: [] } : plain),
  });
  await expect(match.run(9)).rejects.toMatchObject({ code: 'TASK_OUTCOME' });
  enterPhase(match.world.phase, 'failed');
  expect(judgeWorld(readHealthFacts(match.world))).toMatchObject({ state: 'failed', participants: [] });
  const other = await open();
  await other.run(1);
  other.environment.die('signal SIGKILL');
  await expect(other.run(1)).rejects.toMatchObject({ code: 'ENVIRONMENT_DEAD' });
  enterPhase(other.world.phase, 'failed');
  const verdict = judgeWorld(readHealthFacts(other.world));
  expect(verdict).toMatchObject({ state: 'backend-disconnected', participants: ['counter'] });
});
