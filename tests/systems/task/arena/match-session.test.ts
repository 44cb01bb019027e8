import { expect, test } from 'vitest';
import { createFakeClock } from '../../../../engine/clock.ts';
import type { Environment } from '../../../../engine/contract/environment.ts';
import type { MatchProgress } from '../../../../engine/contract/task.ts';
import { runLoop } from '../../../../engine/loop.ts';
import { createSessionWorld } from '../../../../engine/world.ts';
import type { SessionWorld } from '../../../../engine/world.ts';
import { createMatch } from '../../../../systems/environment/arena/begin-match.ts';
import { encodeArena } from '../../../../systems/environment/arena/capture-format.ts';
import { FLY, PHASE, WORD, flyAt, readState } from '../../../../systems/environment/arena/state-map.ts';
import { identityExecutor } from '../../../../systems/executor/identity-executor.ts';
import { createBrainHost } from '../../../../systems/kernel/brain-host.ts';
import { decoderPreset } from '../../../../systems/readout/presets.ts';
import { createReadout } from '../../../../systems/readout/readout.ts';
import { bootSession } from '../../../../systems/session/boot-session.ts';
import { createRecovery } from '../../../../systems/session/recover-session.ts';
import { taskModule } from '../../../../systems/task/arena/task.ts';
import { testDevices, testSchedule } from '../../../fixture/test-schedule.ts';
import { syntheticConnectome } from '../../kernel/test-graphs.ts';
import { openTestArena } from '../../environment/arena/arena-controls.ts';

test('two flies play one world: the trace does not depend on the order they are named in, nor on threads', async () => {
  const traces: string[] = [];
  for (const [order, thread] of [
    [['fly-a', 'fly-b'], 'inline'],
    [['fly-b', 'fly-a'], 'inline'],
    [['fly-a', 'fly-b'], 'worker'],
  ] as const) {
    const session = await openMatchSession(order, thread);
    await session.run(240);
    traces.push(Buffer.from(session.world.transition.after!.inspection).toString('hex'));
    expect(session.world.runSteps).toBe(240n);
    await session.close();
  }
  expect(traces[1]).toBe(traces[0]);
  expect(traces[2]).toBe(traces[0]);
});

test('both ports are pressed by their own fly alone', async () => {
  const session = await openMatchSession(['fly-a', 'fly-b'], 'inline');
  await session.run(200);
  const { transition } = session.world;
  const state = readState(transition.after!.inspection);
  for (const index of [0, 1]) {
    const { buttons } = transition.batch!.ports[index]!;
    const mask = buttons.reduce((bits, isDown, bit) => (isDown ? bits | (1 << bit) : bits), 0);
    expect(state[flyAt(index) + FLY.buttons]).toBe(mask);
  }
  await session.close();
});

test('the end of a match begins the next one in a new epoch: gains and results stay, the step count starts again', async () => {
  const session = await openMatchSession(['fly-a', 'fly-b'], 'inline');
  const { world, environment } = session;
  await session.run(4);
  const ending = createMatch(2, 1);
  ending[WORD.phase] = PHASE.matchOver;
  ending[WORD.phaseLeft] = 3;
  ending[WORD.matchWinner] = 1;
  ending[flyAt(1) + FLY.roundsWon] = 3;
  const bytes = encodeArena(environment.descriptor, { engineFrame: '4', world: ending, slots: new Map() });
  world.transition.after = await environment.restore(bytes);
  const gains = world.handles.brains.map((brain) => brain.learning().updates);
  await session.run(3);
  const progress = world.transition.progress as MatchProgress;
  expect([world.episode, world.phase.step, world.phase.epoch]).toEqual([2, 0n, 'e2']);
  expect([progress.matchNumber, progress.roundNumber, progress.phase]).toEqual([2, 1, 'intro']);
  expect(progress.matchesWon).toEqual([0, 1]);
  expect(progress.players.map(({ side }) => side)).toEqual(['right', 'left']);
  expect(world.handles.brains.every((brain, i) => brain.learning().updates >= gains[i]!)).toBe(true);
  await session.run(2);
  expect(world.phase.step).toBe(2n);
  await session.close();
});

type MatchSession = {
  readonly world: SessionWorld;
  readonly environment: Environment;
  run(transitions: number): Promise<void>;
  close(): Promise<void>;
};

async function openMatchSession(order: readonly string[], thread: 'inline' | 'worker'): Promise<MatchSession> {
  const clock = createFakeClock();
  const environment = openTestArena();
  const portOf: Readonly<Record<string, string>> = { 'fly-a': 'player-1', 'fly-b': 'player-2' };
  const world = createSessionWorld({
    sessionId: 'arena-demo',
    agents: order.map((agentId) => ({ agentId, portId: portOf[agentId]! })),
    environment,
    environmentId: 'arena',
    task: taskModule.create({ agentCount: 2, contentDigest: environment.descriptor.contentDigest }),
    slotIds: [],
    clock,
  });
  const host = createBrainHost(syntheticConnectome(), { flies: 2 });
  for (const [agentId, seed] of [
    ['fly-a', 11],
    ['fly-b', 12],
  ] as const) {
    const brain = await host.openBrain({ agentId, seed, thread });
    world.handles.brains.push(brain);
    world.handles.readouts.push(createReadout(decoderPreset(taskModule.decoderPreset), brain.rateRoles));
    world.handles.executors.push(identityExecutor);
  }
  const schedule = testSchedule(testDevices(clock));
  const recover = createRecovery({
    reopenBrain: () => Promise.reject(new Error('nothing fails here')),
    reanchor: () => undefined,
    report: () => undefined,
  });
  await bootSession(world, () => undefined);
  return {
    world,
    environment,
    run: (transitions) =>
      runLoop({ world, schedule, recover, maxTransitions: BigInt(transitions) }).then(() => undefined),
    async close() {
      await Promise.all(world.handles.brains.map((brain) => brain.close()));
      await host.close();
      await environment.close();
    },
  };
}
