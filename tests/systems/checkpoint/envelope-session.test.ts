import { expect, test } from 'vitest';
import { decodeAgentEnvelope, encodeAgentEnvelope } from '../../../systems/checkpoint/agent-envelope.ts';
import { decodeContainer, encodeContainer } from '../../../systems/checkpoint/envelope-container.ts';
import {
  decodeSessionEnvelope,
  encodeSessionEnvelope,
  sessionMismatch,
} from '../../../systems/checkpoint/envelope-session.ts';
import type { SessionManifest } from '../../../systems/checkpoint/envelope-session.ts';
import { IDENTITY, SAVE } from './example-agent.ts';

const D = (digit: string): string => digit.repeat(64);
const FLY_B = { ...IDENTITY, agentId: 'fly-b', seed: 535504990 };

const MANIFEST: SessionManifest = {
  checkpointId: 'ckpt-7',
  sourceScope: { sessionId: 'arena', epoch: 'e1.rb2', step: '41' },
  episodeId: 'episode-1',
  worldTime: { numerator: '2050000000', denominator: '3' },
  schedulerId: 'lockstep-v1',
  compositionDigest: D('4'),
  portMap: [
    { portId: 'p1', agentId: 'fly-b' },
    { portId: 'p2', agentId: 'fly-a' },
  ],
  compatibility: {
    backendDigest: D('5'),
    contentDigest: D('6'),
    patchDigest: D('7'),
    controllerDigest: D('8'),
    parserDigest: D('9'),
    stateFormatId: 'arena-v1',
  },
  agents: [
    { ...IDENTITY, brainTicks: '3183', remainder: { numerator: '1000000', denominator: '3' }, payload: 'agent-fly-a' },
    { ...FLY_B, brainTicks: '3183', remainder: { numerator: '1000000', denominator: '3' }, payload: 'agent-fly-b' },
  ],
  environment: { workerId: 'world', payload: 'world' },
  coordinator: {
    taskLedger: 'task-ledger',
    priorInspection: 'prior-inspection',
    executorState: [{ agentId: 'fly-a', payload: 'executor-fly-a' }],
    admissionState: 'coordinator-admission',
    eventWatermarks: { lastSourceStep: '40', issued: '12' },
  },
  helperState: [],
};

const PAYLOADS = new Map<string, Uint8Array>([
  ['agent-fly-a', encodeAgentEnvelope(SAVE)],
  ['agent-fly-b', encodeAgentEnvelope({ ...SAVE, identity: FLY_B })],
  ['executor-fly-a', new Uint8Array(0)],
  ['world', Uint8Array.of(1, 2, 3, 4, 5)],
  ['task-ledger', Buffer.from('{"rank":3}')],
  ['prior-inspection', new Uint8Array(64)],
  ['coordinator-admission', Buffer.from('{}')],
]);
const FILE = encodeSessionEnvelope({ manifest: MANIFEST, payloads: PAYLOADS });

test('a group that was saved is read back whole, every fly in it', () => {
  const { manifest, payloads } = decodeSessionEnvelope(FILE);
  expect(manifest).toEqual(MANIFEST);
  expect([...payloads.keys()]).toEqual([...PAYLOADS.keys()]);
  expect(decodeAgentEnvelope(payloads.get('agent-fly-b')!, FLY_B).brain).toEqual(SAVE.brain);
});

test('a group before its first event has no last source step', () => {
  const manifest = {
    ...MANIFEST,
    coordinator: { ...MANIFEST.coordinator, eventWatermarks: { lastSourceStep: null, issued: '0' } },
  };
  expect(decodeSessionEnvelope(encodeSessionEnvelope({ manifest, payloads: PAYLOADS })).manifest).toEqual(manifest);
});

type Mutable<T> = { -readonly [K in keyof T]: Mutable<T[K]> };
type Loose = Mutable<SessionManifest> & {
  envelopeVersion: number;
  payloads: { name: string; byteLength: string; digest: string }[];
};

/** The file with its manifest changed, sealed properly. */
function changed(change: (manifest: Loose) => void): Uint8Array {
  const { manifest, payloads } = decodeContainer(FILE);
  const next = JSON.parse(JSON.stringify(manifest)) as Loose;
  change(next);
  return encodeContainer(next, payloads);
}

const REQUIRED = [
  'envelopeVersion',
  'checkpointId',
  'sourceScope',
  'episodeId',
  'worldTime',
  'schedulerId',
  'compositionDigest',
  'portMap',
  'compatibility',
  'agents',
  'environment',
  'coordinator',
  'helperState',
  'payloads',
];

test('the required fields are the whole manifest (session.md 17.2)', () => {
  expect(Object.keys(decodeContainer(FILE).manifest as object).sort()).toEqual([...REQUIRED].sort());
});

test.each(REQUIRED)('PER-14 a manifest without %s is refused (session.md 17.2)', (field) => {
  expect(() => decodeSessionEnvelope(changed((manifest) => void Reflect.deleteProperty(manifest, field)))).toThrow(
    /manifest/,
  );
});

/** Every field of every object inside the manifest, as a path; of lists the first row stands for all. */
function pathsIn(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = [...path, name];
    if (Array.isArray(value) && name !== '0') return [];
    return [...(Array.isArray(value) ? [] : [own]), ...pathsIn(inner, own)];
  });
}

const NESTED = pathsIn(decodeContainer(FILE).manifest).filter((path) => path.length > 1);

test('the nested fields are those of the specification (session.md 17.2)', () => {
  const fieldsOf = (...parts: string[]): string[] =>
    NESTED.filter((path) => path.length === parts.length + 1 && parts.every((part, i) => path[i] === part)).map(
      (path) => path.at(-1),
    );
  expect(fieldsOf('sourceScope').sort()).toEqual(['epoch', 'sessionId', 'step']);
  expect(fieldsOf('portMap', '0').sort()).toEqual(['agentId', 'portId']);
  expect(fieldsOf('compatibility').sort()).toEqual(
    ['backendDigest', 'contentDigest', 'controllerDigest', 'parserDigest', 'patchDigest', 'stateFormatId'].sort(),
  );
  expect(fieldsOf('agents', '0').sort()).toEqual(
    [
      ...['agentId', 'profileDigest', 'datasetDigest', 'indexDigest', 'modelVersion', 'plasticityVersion', 'seed'],
      ...['brainTicks', 'remainder', 'payload'],
    ].sort(),
  );
  expect(fieldsOf('environment').sort()).toEqual(['payload', 'workerId']);
  expect(fieldsOf('coordinator').sort()).toEqual(
    ['admissionState', 'eventWatermarks', 'executorState', 'priorInspection', 'taskLedger'].sort(),
  );
  expect(fieldsOf('coordinator', 'eventWatermarks').sort()).toEqual(['issued', 'lastSourceStep']);
  expect(fieldsOf('payloads', '0').sort()).toEqual(['byteLength', 'digest', 'name']);
});

test.each(NESTED.map((path) => [path.join('.'), path] as const))(
  'PER-14 a manifest without %s is refused (session.md 17.2)',
  (_name, path) => {
    const drop = (manifest: Loose): void => {
      let parent: object = manifest;
      for (const part of path.slice(0, -1)) parent = (parent as Record<string, object>)[part]!;
      Reflect.deleteProperty(parent, path.at(-1));
    };
    expect(() => decodeSessionEnvelope(changed(drop))).toThrow(new RegExp(path.at(-1)));
  },
);

test.each<[what: string, change: (manifest: Loose) => void]>([
  ['another envelope version', (m) => (m.envelopeVersion = 2)],
  ['a payload list in another order', (m) => m.payloads.reverse()],
  ['a payload list with another digest', (m) => (m.payloads[0]!.digest = D('0'))],
  ['a payload list with one entry less', (m) => m.payloads.pop()],
  ['a payload list with one entry more', (m) => m.payloads.push({ name: 'x', byteLength: '0', digest: D('0') })],
  ['an agent whose payload is not in the file', (m) => (m.agents[0]!.payload = 'agent-fly-c')],
  ['the same agent twice', (m) => (m.agents[1]!.agentId = 'fly-a')],
  ['an agent that no port belongs to', (m) => m.portMap.pop()],
  ['two agents on one port', (m) => (m.portMap[1]!.portId = 'p1')],
  ['executor state of a stranger', (m) => (m.coordinator.executorState[0]!.agentId = 'fly-z')],
  ['a seed of zero', (m) => (m.agents[0]!.seed = 0)],
  ['a seed beyond 32 bits', (m) => (m.agents[0]!.seed = 2 ** 31)],
])('%s is refused (session.md 17.2)', (_what, change) => {
  expect(() => decodeSessionEnvelope(changed(change))).toThrow(expect.objectContaining({ code: 'SESSION_MANIFEST' }));
});

test('a world time that is not in lowest terms is refused (session.md 2.1)', () => {
  const double = (manifest: Loose): void => {
    manifest.worldTime = { numerator: '4100000000', denominator: '6' };
  };
  expect(() => decodeSessionEnvelope(changed(double))).toThrow(expect.objectContaining({ code: 'SCALAR' }));
});

test('a group with a missing payload is not written', () => {
  const payloads = new Map([...PAYLOADS].filter(([name]) => name !== 'world'));
  expect(() => encodeSessionEnvelope({ manifest: MANIFEST, payloads })).toThrow(/environment.payload names world/);
});

test('PER-02 every flipped byte of a group is refused, whichever payload it hits', () => {
  for (let at = 0; at < FILE.byteLength; at += 7) {
    const bad = FILE.slice();
    bad[at]! ^= 0x10;
    expect(() => decodeSessionEnvelope(bad)).toThrow(/^group checkpoint/);
  }
});

const HERE = { compatibility: MANIFEST.compatibility, agents: [IDENTITY, FLY_B] };

test('a group may be installed where world and flies are the same', () => {
  expect(sessionMismatch(MANIFEST, HERE)).toBeNull();
});

test.each<[what: string, here: typeof HERE, reason: RegExp]>([
  [
    'another cartridge',
    { ...HERE, compatibility: { ...HERE.compatibility, contentDigest: D('0') } },
    /^the world's contentDigest is 6+ in the checkpoint, 0+ here$/,
  ],
  ['one fly less', { ...HERE, agents: [IDENTITY] }, /^agents are fly-a,fly-b in the checkpoint, fly-a here$/],
  ['another seed', { ...HERE, agents: [IDENTITY, { ...FLY_B, seed: 1 }] }, /^fly-b's seed is 535504990 .*, 1 here$/],
  [
    'another index of neurons',
    { ...HERE, agents: [{ ...IDENTITY, indexDigest: D('0') }, FLY_B] },
    /^fly-a's indexDigest is/,
  ],
])('PER-02 %s is named as the reason not to install (session.md 17.2)', (_what, here, reason) => {
  expect(sessionMismatch(MANIFEST, here)).toMatch(reason);
});
