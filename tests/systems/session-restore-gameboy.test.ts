import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { createFakeClock, systemClock } from '../../engine/clock.ts';
import type { BehaviourRecord } from '../../engine/identity/behaviour-digest.ts';
import { sha256Hex } from '../../engine/identity/digest.ts';
import { runLoop } from '../../engine/loop.ts';
import { createSessionWorld } from '../../engine/world.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { storedCandidates } from '../../systems/checkpoint/candidates.ts';
import { captureGroup } from '../../systems/checkpoint/capture-group.ts';
import { createCheckpointQueue } from '../../systems/checkpoint/checkpoint-queue.ts';
import type { CheckpointQueue } from '../../systems/checkpoint/checkpoint-queue.ts';
import { highestGeneration } from '../../systems/checkpoint/checkpoint-store.ts';
import { openCheckpointThread } from '../../systems/checkpoint/checkpoint-thread.ts';
import type { GroupIdentity } from '../../systems/checkpoint/envelope-group.ts';
import { diskFileSystem } from '../../systems/checkpoint/file-system.ts';
import { storeFolders } from '../../systems/checkpoint/store-folders.ts';
import type { StoreFolders } from '../../systems/checkpoint/store-folders.ts';
import { environmentModule } from '../../systems/environment/gameboy/environment.ts';
import { identityExecutor } from '../../systems/executor/identity-executor.ts';
import { createBrainHost } from '../../systems/kernel/brain-host.ts';
import { decoderPreset } from '../../systems/readout/presets.ts';
import { createReadout } from '../../systems/readout/readout.ts';
import { bootSession } from '../../systems/session/boot-session.ts';
import { resumeSession } from '../../systems/session/recover-session.ts';
import { taskModule } from '../../systems/task/windfall/task.ts';
import { identifyGroup } from '../fixture/identify-group.ts';
import { testDevices, testSchedule } from '../fixture/test-schedule.ts';
import { TEST_CORES_FOLDER, provideTestCore, titleWithCore } from './environment/provide-test-core.ts';
import { syntheticConnectome } from './kernel/test-graphs.ts';

const core = await provideTestCore();
const contentPath = fileURLToPath(new URL('../../assets/games/windfall/windfall.gb', import.meta.url));
const connectome = syntheticConnectome();

type Session = {
  readonly world: SessionWorld;
  readonly trace: string[];
  run(transitions: number): Promise<void>;
  close(): Promise<void>;
};
const opened: Session[] = [];
const stores: StoreFolders[] = [];

afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
  for (const { root } of stores.splice(0)) rmSync(root, { recursive: true, force: true });
});

function newStore(): StoreFolders {
  const folders = storeFolders(mkdtempSync(join(tmpdir(), 'fly-restore-')), 'windfall', '/nowhere');
  stores.push(folders);
  return folders;
}

/** Windfall on the real core, played by a small brain; resumed from `folders` when they are given. */
async function open(folders: StoreFolders | null): Promise<Session> {
  const environment = await environmentModule.open({
    environmentId: 'gameboy',
    contentPath,
    slotIds: taskModule.slotIds,
    coresFolder: TEST_CORES_FOLDER,
    report: () => undefined,
  });
  const clock = createFakeClock();
  const world = createSessionWorld({
    sessionId: 'windfall',
    agents: [{ agentId: 'fly-a', portId: environment.descriptor.ports[0]!.portId }],
    environment,
    environmentId: 'gameboy',
    task: taskModule.create({ agentCount: 1, contentDigest: environment.descriptor.contentDigest }),
    slotIds: taskModule.slotIds,
    clock,
  });
  const host = createBrainHost(connectome, { flies: 1 });
  const brain = await host.openBrain({ agentId: 'fly-a', seed: 11, thread: 'inline' });
  world.handles.brains.push(brain);
  world.handles.readouts.push(createReadout(decoderPreset('gameboy'), brain.rateRoles));
  world.handles.executors.push(identityExecutor);
  if (folders === null) await bootSession(world, () => undefined);
  else await resumeSession(world, storedCandidates(diskFileSystem, folders, identify(world)), () => undefined);
  const trace: string[] = [];
  const devices = testDevices(clock);
  const schedule = testSchedule({
    ...devices,
    trace: { ...devices.trace, update: (record) => void trace.push(lineOf(record)) },
  });
  const session: Session = {
    world,
    trace,
    async run(transitions) {
      const recover = (_: SessionWorld, failure: unknown): Promise<void> =>
        Promise.reject(failure instanceof Error ? failure : new Error(String(failure)));
      await runLoop({ world, schedule, recover, maxTransitions: BigInt(transitions) });
    },
    async close() {
      await host.close();
      await environment.close();
    },
  };
  opened.push(session);
  return session;
}

function lineOf({ step, agents, ports, inspection }: BehaviourRecord): string {
  const flies = agents.map(({ brainTicks, spikeBits, rewards }) => [brainTicks, sha256Hex(spikeBits), rewards]);
  return JSON.stringify([String(step), flies, ports, sha256Hex(inspection)]);
}

const identify = (world: SessionWorld): GroupIdentity => identifyGroup(world, 'gameboy', world.handles.task.taskId);

/** The product's queue and thread over this store. */
function saveInto(folders: StoreFolders, { world }: Session): CheckpointQueue {
  const queue = createCheckpointQueue({
    writer: openCheckpointThread({ folders }).writerFor(identify(world)),
    clock: systemClock,
    lastGeneration: highestGeneration(diskFileSystem, folders),
    archivedRank: world.slotRank,
    onEvent: () => undefined,
    onTrouble: () => undefined,
  });
  world.captures = queue;
  return queue;
}

/** What must be equal; the core's own bytes hold its sound resampler's phase, which no core restores (session.md 12.2). */
function stateOf({ world }: Session): unknown {
  const [agent] = world.agents;
  return {
    steps: [world.runSteps, world.phase.step, world.rungSinceStep, world.bestRank, [...world.filledSlots]],
    brain: world.handles.brains[0]!.exportState(),
    readout: world.handles.readouts[0]!.exportState(),
    ledger: world.handles.task.capture(),
    presses: world.stores.Tally.presses[agent!],
    memory: sha256Hex(world.transition.after!.inspection),
    picture: sha256Hex(world.transition.after!.views[0]!),
  };
}

describe.skipIf(core.missing !== null)(titleWithCore('a saved session on the real core', core), () => {
  test('PER-01 Windfall resumed through the store repeats the uninterrupted run: brain, game, memory, ledger', async () => {
    const whole = await open(null);
    await whole.run(700);

    const folders = newStore();
    let session = await open(null);
    const trace: string[] = [];
    for (const steps of [37, 150, 124, 188, 201]) {
      const queue = saveInto(folders, session);
      await session.run(steps);
      await queue.settle(5_000);
      session.world.captureRequested = 'shutdown';
      await captureGroup(session.world);
      expect(await queue.settle(5_000)).toBe(true);
      await queue.close(false);
      trace.push(...session.trace);
      session = await open(folders);
    }
    expect(trace).toEqual(whole.trace);
    expect(stateOf(session)).toEqual(stateOf(whole));
    expect(session.world.phase.epoch).toBe('e6');
  });

  test('a capture changes nothing: with one at every boundary the run is the same', async () => {
    const plain = await open(null);
    await plain.run(150);
    const busy = await open(null);
    for (let i = 0; i < 150; i++) {
      busy.world.captureRequested = 'asked by a test';
      await busy.run(1);
    }
    expect(busy.trace).toEqual(plain.trace);
    expect(stateOf(busy)).toEqual(stateOf(plain));
  });
});
