import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createFakeClock } from '../../engine/clock.ts';
import type { EnvironmentModule } from '../../engine/contract/environment.ts';
import type { TaskModule } from '../../engine/contract/task.ts';
import { decodeMessage, encodeMessage } from '../../engine/replica/wire.ts';
import type { WireMessage } from '../../engine/replica/wire.ts';
import { runLoop } from '../../engine/loop.ts';
import { createSessionWorld } from '../../engine/world.ts';
import type { SessionWorld } from '../../engine/world.ts';
import type { Candidate } from '../../systems/checkpoint/candidates.ts';
import { decodeGroup, encodeGroup } from '../../systems/checkpoint/envelope-group.ts';
import { identityExecutor } from '../../systems/executor/identity-executor.ts';
import { createBrainHost } from '../../systems/kernel/brain-host.ts';
import { createReadout } from '../../systems/readout/readout.ts';
import { bootSession } from '../../systems/session/boot-session.ts';
import { createRecovery, resumeSession } from '../../systems/session/recover-session.ts';
import { syntheticConnectome } from '../systems/kernel/test-graphs.ts';
import { COUNTER_DECODER, counterTaskModule, countersOf } from '../fixture/counter-task.ts';
import { counterWorldModule } from '../fixture/counter-world.ts';
import { identifyGroup } from '../fixture/identify-group.ts';
import { testDevices, testSchedule } from '../fixture/test-schedule.ts';

const PRODUCT = ['components', 'engine', 'systems', 'scenes', 'broadcast', 'bin', 'config'];

test('SCH-16 no file of the product knows the third world or its task', () => {
  const files = execFileSync('git', ['ls-files', ...PRODUCT], { encoding: 'utf8' })
    .trim()
    .split('\n');
  const names =
    /counter-world|counter-race|counter-task|CounterWorld|tests\/fixture|(?:kind|preset)\W+'counter'|case 'counter'/;
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => /\.(ts|toml)$/.test(file) && names.test(readFileSync(file, 'utf8')))).toEqual([]);
});

test('SCH-16 the third world plays through the product: schedule, feed, capture, recovery, all unchanged', async () => {
  const session = await openWith(counterWorldModule, counterTaskModule);
  const received: WireMessage[] = [];
  session.devices.publisher.addReader({
    send: (message) => void received.push(decodeMessage(encodeMessage(message))),
    pendingBytes: () => 0,
    close: () => undefined,
  });
  await session.run(320);
  expect(received).toHaveLength(320);
  const { header, attachments } = received.at(-1);
  expect(header).toMatchObject({ type: 'snapshot', step: '320', sessionId: 'third' });
  expect(attachments.map(({ kind, index }) => `${kind} ${index}`)).toEqual(['view 0', 'audio 0', 'spikes 0']);
  expect(countersOf(session.world.transition.after!)[0]).not.toBe(0);

  const undisturbed = session.state();
  await session.world.handles.environment.close(); // what a crash looks like
  await session.run(30);
  expect(session.lifecycle).toContain('restored');
  await session.run(320 + 30 - Number(session.world.runSteps));
  const plain = await openWith(counterWorldModule, counterTaskModule);
  await plain.run(320);
  expect(plain.state()).toEqual(undisturbed);
  await plain.run(30);
  expect(session.state()).toEqual(plain.state());
  await session.close();
  await plain.close();
});

test('SCH-16 a saved file of the third world is read back by another process of it and goes on alike', async () => {
  const session = await openWith(counterWorldModule, counterTaskModule);
  const identity = identifyGroup(session.world, 'third', 'counter-race');
  await session.run(150);
  session.world.captureRequested = 'test';
  await session.run(1);
  const bytes = encodeGroup((await session.world.captures.latest())!, 'ckpt-1', identity);
  await session.run(60);

  const other = await openWith(counterWorldModule, counterTaskModule, (world) => ({
    name: 'ckpt-1',
    savedAtUnixMs: null,
    load: () => decodeGroup(bytes, identifyGroup(world, 'third', 'counter-race')),
  }));
  expect(other.world.phase).toMatchObject({ name: 'ready', step: 151n, epoch: 'e2' });
  await other.run(60);
  expect(other.state()).toEqual(session.state());
  await session.close();
  await other.close();
});

type Opened = {
  readonly world: SessionWorld;
  readonly devices: ReturnType<typeof testDevices>;
  readonly lifecycle: string[];
  run(transitions: number): Promise<void>;
  state(): unknown;
  close(): Promise<void>;
};

/** What composing a show does, with modules handed over instead of found by name. */
async function openWith(
  environmentModule: EnvironmentModule,
  taskModule: TaskModule,
  from?: (world: SessionWorld) => Candidate,
): Promise<Opened> {
  const clock = createFakeClock();
  const environment = await environmentModule.open({
    environmentId: 'third',
    contentPath: null,
    slotIds: taskModule.slotIds,
    coresFolder: '',
    report: () => undefined,
  });
  expect(environment.descriptor.kind).toBe(taskModule.environmentKind);
  const world = createSessionWorld({
    sessionId: 'third',
    agents: [{ agentId: 'fly-a', portId: environment.descriptor.ports[0]!.portId }],
    environment,
    environmentId: 'third',
    task: taskModule.create({ agentCount: 1, contentDigest: environment.descriptor.contentDigest }),
    slotIds: taskModule.slotIds,
    clock,
  });
  const host = createBrainHost(syntheticConnectome(), { flies: 1 });
  const openBrain = (): ReturnType<typeof host.openBrain> =>
    host.openBrain({ agentId: 'fly-a', seed: 7, thread: 'inline' });
  const brain = await openBrain();
  world.handles.brains.push(brain);
  world.handles.readouts.push(createReadout(COUNTER_DECODER, brain.rateRoles));
  world.handles.executors.push(identityExecutor);
  const devices = testDevices(clock);
  const schedule = testSchedule(devices);
  const lifecycle: string[] = [];
  world.lifecycle.on(({ kind }) => void lifecycle.push(kind));
  const recover = createRecovery({ reopenBrain: openBrain, reanchor: () => undefined, report: () => undefined });
  if (from === undefined) await bootSession(world, () => undefined);
  else await resumeSession(world, [from(world)], () => undefined);
  return {
    world,
    devices,
    lifecycle,
    async run(transitions) {
      await runLoop({ world, schedule, recover, maxTransitions: BigInt(transitions) });
    },
    state: () => [
      world.runSteps,
      countersOf(world.transition.after!),
      world.handles.brains[0]!.exportState(),
      world.handles.task.capture(),
      world.audio.positions(),
    ],
    close: async () => {
      await host.close();
      await environment.close();
    },
  };
}
