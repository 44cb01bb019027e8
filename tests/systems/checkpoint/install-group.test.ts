import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AgentCapture, GroupCapture } from '../../../engine/group-capture.ts';
import { enterPhase } from '../../../engine/phase.ts';
import type { SessionWorld } from '../../../engine/world.ts';
import type { Candidate } from '../../../systems/checkpoint/candidates.ts';
import { captureGroup } from '../../../systems/checkpoint/capture-group.ts';
import { saveCheckpoint } from '../../../systems/checkpoint/checkpoint-store.ts';
import { decodeGroup, encodeGroup } from '../../../systems/checkpoint/envelope-group.ts';
import type { GroupIdentity } from '../../../systems/checkpoint/envelope-group.ts';
import { decodeSessionEnvelope } from '../../../systems/checkpoint/envelope-session.ts';
import { diskFileSystem } from '../../../systems/checkpoint/file-system.ts';
import { installFirst } from '../../../systems/checkpoint/install-group.ts';
import { recordOf } from '../../../systems/checkpoint/store-record.ts';
import { closedAfterEach } from '../../fixture/closed-after-each.ts';
import { identifyGroup } from '../../fixture/identify-group.ts';
import { openTestMatch } from '../../fixture/test-match.ts';
import { identify, saveInto, stored, storedSessions } from './stored-session.ts';

const { open, newStore, resume } = storedSessions();
const openMatch = closedAfterEach(openTestMatch);

const identifyMatch = (world: SessionWorld): GroupIdentity =>
  identifyGroup(world, 'counter', world.handles.task.taskId);

/** The present boundary as a file. */
async function saved(world: SessionWorld, checkpointId: string): Promise<Uint8Array> {
  world.captureRequested = 'asked';
  await captureGroup(world);
  return encodeGroup((await world.captures.latest())!, checkpointId, identifyMatch(world));
}

const candidate = (name: string, bytes: Uint8Array, here: GroupIdentity): Candidate => ({
  name,
  savedAtUnixMs: null,
  load: () => decodeGroup(bytes, here),
});

test.each<[part: string, change: (agent: AgentCapture) => AgentCapture, code: string]>([
  [
    'brain',
    (agent) => ({ ...agent, brain: { ...agent.brain, membrane: agent.brain.membrane.map(() => NaN) } }),
    'BRAIN_STATE',
  ],
  ['readout', (agent) => ({ ...agent, readout: { version: 4 } }), 'DECODER_STATE'],
  ['context', (agent) => ({ ...agent, context: { ...agent.context, boot: true } }), 'RESTORE_CONTEXT'],
])(
  'PER-02 a group whose second fly has a damaged %s, every digest fitting, is refused as a whole; the next one is taken',
  async (_part, change, code) => {
    const first = await openMatch({ flies: 3 });
    const here = identifyMatch(first.world);
    await first.run(5);
    const older = await saved(first.world, 'ckpt-1');
    await first.run(15);
    const newer = decodeGroup(await saved(first.world, 'ckpt-2'), here);
    const damaged: GroupCapture = {
      ...newer,
      agents: newer.agents.map((agent) => (agent.agentId === 'fly-b' ? change(agent) : agent)),
    };

    const second = await openMatch({ flies: 3 });
    const { environment, world } = second;
    await second.run(9);
    const { advances } = environment.tally;
    enterPhase(world.phase, 'failed');
    enterPhase(world.phase, 'restoring');
    const refused: string[] = [];
    const { capture } = await installFirst(
      world,
      [candidate('newer', encodeGroup(damaged, 'ckpt-2', here), here), candidate('older', older, here)],
      (line) => void refused.push(line),
    );
    expect(refused).toHaveLength(1);
    expect(refused[0]).toContain(`newer: ${code}`);
    expect(capture.step).toBe(5n);
    expect(environment.tally.advances).toBe(advances); // nothing runs
    enterPhase(world.phase, 'paused');
    enterPhase(world.phase, 'ready');
    const restored = decodeGroup(await saved(world, 'ckpt-3'), here);
    const wanted = decodeGroup(older, here);
    expect(restored.agents).toEqual(wanted.agents);
    expect([restored.step, restored.taskLedger, restored.audio]).toEqual([
      wanted.step,
      wanted.taskLedger,
      wanted.audio,
    ]);
    expect(Buffer.from(restored.environment).toString()).toBe(Buffer.from(wanted.environment).toString());
  },
);

const D = 'f'.repeat(64);
const COMPATIBILITY = [
  'stateFormatId',
  'backendDigest',
  'contentDigest',
  'patchDigest',
  'controllerDigest',
  'parserDigest',
] as const;
const FLY = ['profileDigest', 'datasetDigest', 'indexDigest', 'modelVersion', 'plasticityVersion', 'seed'] as const;

test.each<[what: string, change: (identity: GroupIdentity) => GroupIdentity]>([
  ['the session is', (own) => ({ ...own, sessionId: 'other' })],
  ["its ledger is task other's", (own) => ({ ...own, taskId: 'other' })],
  ['the environment is', (own) => ({ ...own, environmentId: 'gameboy' })],
  ['the port map is', (own) => ({ ...own, portMap: [{ portId: 'p9', agentId: 'fly-a' }] })],
  ...COMPATIBILITY.map((field): [string, (own: GroupIdentity) => GroupIdentity] => [
    `the world's ${field} is`,
    (own) => ({ ...own, compatibility: { ...own.compatibility, [field]: D } }),
  ]),
  ...FLY.map((field): [string, (own: GroupIdentity) => GroupIdentity] => [
    `fly-a's ${field} is`,
    (own) => ({ ...own, agents: [{ ...own.agents[0]!, [field]: field === 'seed' ? 5 : D }] }),
  ]),
])(
  'PER-02 a newest state of which "%s" another is passed over by name, the one before it is taken',
  async (what, change) => {
    const folders = newStore();
    const first = await open();
    saveInto(folders, first);
    await first.run(1);
    const identity = identify(first.world);
    const capture = decodeGroup(new Uint8Array(readFileSync(join(folders.hot, 'ckpt-1.flysess'))), identity);
    const bytes = encodeGroup({ ...capture, step: 9n, episodeSteps: 9n, runSteps: 9n }, 'ckpt-2', change(identity));
    const row = recordOf(decodeSessionEnvelope(bytes).manifest, bytes);
    saveCheckpoint(diskFileSystem, folders, { kind: 'hot', archiveRank: null, bytes, row });

    const { lines, world } = await resume(stored(folders));
    expect(lines[0]).toContain('refused hot checkpoint ckpt-2: ');
    expect(lines[0]).toContain(what);
    expect(lines[1]).toMatch(/^resumed from hot checkpoint ckpt-1: boundary 1,/);
    expect(world.phase.step).toBe(1n);
  },
);
