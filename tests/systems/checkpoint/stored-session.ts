import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { BehaviourRecord } from '../../../engine/identity/behaviour-digest.ts';
import { sha256Hex } from '../../../engine/identity/digest.ts';
import type { GroupCapture } from '../../../engine/group-capture.ts';
import type { Observation } from '../../../engine/contract/environment.ts';
import type { TaskEvent } from '../../../engine/contract/task.ts';
import type { Snapshot } from '../../../engine/replica/snapshot.ts';
import type { SessionWorld } from '../../../engine/world.ts';
import { storedCandidates } from '../../../systems/checkpoint/candidates.ts';
import type { Candidate } from '../../../systems/checkpoint/candidates.ts';
import { captureGroup } from '../../../systems/checkpoint/capture-group.ts';
import { createCheckpointQueue } from '../../../systems/checkpoint/checkpoint-queue.ts';
import type { CheckpointQueue, CheckpointWriter } from '../../../systems/checkpoint/checkpoint-queue.ts';
import { highestGeneration, saveCheckpoint } from '../../../systems/checkpoint/checkpoint-store.ts';
import { decodeGroup, encodeGroup } from '../../../systems/checkpoint/envelope-group.ts';
import type { GroupIdentity } from '../../../systems/checkpoint/envelope-group.ts';
import { decodeSessionEnvelope } from '../../../systems/checkpoint/envelope-session.ts';
import { diskFileSystem } from '../../../systems/checkpoint/file-system.ts';
import { storeFolders } from '../../../systems/checkpoint/store-folders.ts';
import type { StoreFolders } from '../../../systems/checkpoint/store-folders.ts';
import { recordOf } from '../../../systems/checkpoint/store-record.ts';
import { writeCheckpoint } from '../../../systems/checkpoint/write-checkpoint.ts';
import { resumeSession } from '../../../systems/session/recover-session.ts';
import { closedAfterEach } from '../../fixture/closed-after-each.ts';
import { identifyGroup } from '../../fixture/identify-group.ts';
import { openTestSession } from '../../fixture/test-session.ts';
import type { TestSession, TestSessionOptions } from '../../fixture/test-session.ts';

export type ResumedSession = TestSession & { readonly lines: string[] };

export type StoredSessions = {
  open(options?: TestSessionOptions): Promise<TestSession>;
  /** A store on the disk alone, so that nothing stays in memory. */
  newStore(): StoreFolders;
  /** A session that begins from the first of these that can be continued. */
  resume(
    candidates: (world: SessionWorld) => readonly Candidate[],
    options?: TestSessionOptions,
  ): Promise<ResumedSession>;
};

/** Sessions and stores of one test file; all of them are gone after each test. */
export function storedSessions(): StoredSessions {
  let stores: StoreFolders[] = [];
  afterEach(() => {
    for (const { root } of stores) rmSync(root, { recursive: true, force: true });
    stores = [];
  });
  const open = closedAfterEach(openTestSession); // after the stores' hook: hooks run last first
  return {
    open,
    newStore() {
      const folders = storeFolders(mkdtempSync(join(tmpdir(), 'fly-restore-')), 'test', '/nowhere');
      stores.push(folders);
      return folders;
    },
    async resume(candidates, options = {}) {
      const lines: string[] = [];
      const session = await open({
        ...options,
        begin: (world) => resumeSession(world, candidates(world), (line) => lines.push(line)),
      });
      return { ...session, lines };
    },
  };
}

export const identify = (world: SessionWorld): GroupIdentity => identifyGroup(world, 'null', 'counting');

/** Writes captures of this session into the store, here and now. */
export function saveInto(folders: StoreFolders, { world }: TestSession): CheckpointQueue {
  return saveThrough(
    {
      save(job, giveBack, reply) {
        reply(writeCheckpoint(diskFileSystem, folders, identify(world), job, () => giveBack(job.capture)));
      },
      lookUp: () => Promise.resolve(false),
      close: () => Promise.resolve(),
    },
    world,
    highestGeneration(diskFileSystem, folders),
  );
}

/** Hands captures of this session to a writer of the test's own. */
export function saveThrough(writer: CheckpointWriter, world: SessionWorld, lastGeneration = 0): CheckpointQueue {
  const queue = createCheckpointQueue({
    writer,
    clock: world.clock,
    lastGeneration,
    archivedRank: world.slotRank,
    onEvent: () => undefined,
    onTrouble: () => undefined,
  });
  world.captures = queue;
  return queue;
}

export async function captureNow({ world }: TestSession, reason: string): Promise<void> {
  world.captureRequested = reason;
  await captureGroup(world);
}

export const stored =
  (folders: StoreFolders) =>
  (world: SessionWorld): readonly Candidate[] =>
    storedCandidates(diskFileSystem, folders, identify(world));

/** What the store's archive holds, highest rung first. */
export function archivesOf(folders: StoreFolders, { world }: TestSession): GroupCapture[] {
  return stored(folders)(world)
    .filter(({ name }) => name.startsWith('archive'))
    .map((candidate) => candidate.load());
}

/** Replaces a stored state in every tier by a changed one whose digests all fit. */
export function rewrite(
  folders: StoreFolders,
  checkpointId: string,
  change: (capture: GroupCapture) => GroupCapture,
  identity: GroupIdentity,
): void {
  const capture = decodeGroup(new Uint8Array(readFileSync(join(folders.hot, `${checkpointId}.flysess`))), identity);
  const bytes = encodeGroup(change(capture), checkpointId, identity);
  const row = recordOf(decodeSessionEnvelope(bytes).manifest, bytes);
  saveCheckpoint(diskFileSystem, folders, { kind: 'durable', archiveRank: 0, bytes, row });
}

/** One digest per transition from here on: what the behaviour digest of the session is fed, rebased by its step. */
export function traceOf({ devices }: TestSession): string[] {
  const steps: string[] = [];
  const { trace } = devices as { trace: { update(record: BehaviourRecord): void } };
  const update = trace.update.bind(trace);
  trace.update = (record) => {
    const plain = { ...record, step: String(record.step), inspection: sha256Hex(record.inspection) };
    steps.push(
      JSON.stringify({
        ...plain,
        agents: record.agents.map((agent) => ({ ...agent, spikeBits: sha256Hex(agent.spikeBits) })),
      }),
    );
    update(record);
  };
  return steps;
}

export function stateOf({ world }: TestSession): unknown {
  const [agent] = world.agents;
  return {
    steps: [world.runSteps, world.episodeSteps, world.phase.step, world.rungSinceStep, world.bestRank, world.slotRank],
    brain: world.handles.brains[0]!.exportState(),
    readout: world.handles.readouts[0]!.exportState(),
    entropy: world.handles.readouts[0]!.entropy(),
    ledger: world.handles.task.capture(),
    clock: [world.stores.AgentClock.ticks[agent!], world.stores.AgentClock.owed[agent!]],
    tally: [
      world.stores.Tally.presses[agent!],
      world.stores.Tally.reinforcements[agent!],
      world.stores.Tally.spikesTotal[agent!],
      world.stores.Tally.rewardTotal[agent!],
    ],
    contexts: world.transition.contexts,
    memory: Buffer.from(world.transition.after!.inspection).toString('base64'),
    audio: world.audio.positions(),
  };
}

/** One event a task may tell. */
export const BERRY: TaskEvent = {
  kind: 'reward',
  tier: 'notable',
  label: 'a berry',
  value: 0.25,
  agentIndex: 0,
  dedupeKey: 'berry',
  dedupeMs: 0,
};

/** Every snapshot this session publishes from here on. */
export function publishedBy({ devices: { publisher } }: TestSession): Snapshot[] {
  const shown: Snapshot[] = [];
  const publish = publisher.publish.bind(publisher);
  publisher.publish = (snapshot, attachments) => {
    shown.push(structuredClone(snapshot));
    publish(snapshot, attachments);
  };
  return shown;
}

/** World steps the null environment shows. */
export function stepOf({ inspection }: Observation): number {
  return new DataView(inspection.buffer, inspection.byteOffset).getUint32(0xc000, true);
}
