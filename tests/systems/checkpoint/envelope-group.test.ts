import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { GroupCapture } from '../../../engine/group-capture.ts';
import { decodeContainer, encodeContainer } from '../../../systems/checkpoint/envelope-container.ts';
import { decodeGroup, encodeGroup } from '../../../systems/checkpoint/envelope-group.ts';
import type { GroupIdentity } from '../../../systems/checkpoint/envelope-group.ts';
import { canonicalJsonBytes } from '../../../engine/identity/canonical-json.ts';
import { sha256Hex } from '../../../engine/identity/digest.ts';
import { BRAIN, IDENTITY, SAVE } from './example-agent.ts';
import { HERE as ARENA } from './example-group.ts';

const D = (digit: string): string => digit.repeat(64);
const HERE: GroupIdentity = { ...ARENA, compatibility: { ...ARENA.compatibility, stateFormatId: 'arena-v1' } };
const FLY_B = HERE.agents[1]!;

const AGENT = {
  brain: BRAIN,
  readout: SAVE.readout,
  ticks: 2_516n,
  owed: 2_000_000n,
  warmupTicks: 2_500n,
  context: { boot: true, bound: ['macro_talk'], location: { area: 1, x: 2, y: 4_294_967_295 } },
  tally: { spikesTotal: 628_864, rewardTotal: -0.5, rewards: 3, reinforcements: 641, presses: 9 },
};
const CAPTURE: GroupCapture = {
  reason: 'milestone',
  epoch: 'e2.rb1',
  step: 41n,
  runSteps: 1_041n,
  episodeSteps: 41n,
  episode: 2,
  environment: Uint8Array.of(9, 8, 7),
  taskLedger: { rank: 3, earned: [true, false], total: 1.25, note: null },
  agents: [
    { ...AGENT, agentId: 'fly-a' },
    { ...AGENT, agentId: 'fly-b', context: { boot: false, bound: [], location: null }, owed: 0n },
  ],
  nextEventId: 13,
  lastSourceStep: 40n,
  bestRank: -1,
  slotRank: -1,
  rungSinceStep: 7n,
  rollbacks: 1,
  filledSlots: ['best'],
  epochs: 3,
  nextInteraction: 5,
  lastControls: [{ portId: 'p1', buttons: [true, false], axes: [-0.5] }],
  audio: [{ streamId: 'arena', nextSample: 32_800 }],
};

test('a captured group is read back value for value', () => {
  expect(decodeGroup(encodeGroup(CAPTURE, 'ckpt-1', HERE), HERE)).toEqual(CAPTURE);
});

test('saving what was restored gives the same bytes', () => {
  const bytes = encodeGroup(CAPTURE, 'ckpt-1', HERE);
  expect(encodeGroup(decodeGroup(bytes, HERE), 'ckpt-1', HERE)).toEqual(bytes);
});

test('the payloads carry the published names (session.md 17.2)', () => {
  expect([...decodeContainer(encodeGroup(CAPTURE, 'c', HERE)).payloads.keys()]).toEqual([
    'agent-fly-a',
    'agent-fly-b',
    'world',
    'task-ledger',
    'prior-inspection',
    'coordinator-admission',
  ]);
});

test('two thirds of a millisecond owed are saved exactly (session.md 4)', () => {
  const { manifest } = decodeContainer(encodeGroup(CAPTURE, 'c', HERE));
  const { agents, worldTime } = manifest as unknown as { agents: { remainder: unknown }[]; worldTime: unknown };
  expect(agents[0]!.remainder).toEqual({ numerator: '2000000', denominator: '3' });
  expect(worldTime).toEqual({ numerator: '2050000000', denominator: '3' });
});

test('every clock and counter survives, however large', () => {
  const count = fc.bigInt({ min: 0n, max: 2n ** 40n });
  fc.assert(
    fc.property(count, count, fc.bigInt({ min: 0n, max: 2_999_999n }), fc.nat(), (step, rung, owed, events) => {
      const agents = CAPTURE.agents.map((agent) => ({ ...agent, owed }));
      const capture = { ...CAPTURE, step, runSteps: step + rung, rungSinceStep: rung, nextEventId: events + 1, agents };
      expect(decodeGroup(encodeGroup(capture, 'c', HERE), HERE)).toEqual(capture);
    }),
    { numRuns: 25 },
  );
});

test('PER-02 another world or another fly is refused by name and nothing is returned (session.md 17.2)', () => {
  const bytes = encodeGroup(CAPTURE, 'ckpt-1', HERE);
  const cartridge = { ...HERE, compatibility: { ...HERE.compatibility, contentDigest: D('0') } };
  const fly = { ...HERE, agents: [IDENTITY, { ...FLY_B, modelVersion: 'lif-1ms-f64-v2' }] };
  for (const [here, reason] of [
    [cartridge, /ckpt-1: the world's contentDigest is 6+/],
    [fly, /ckpt-1: fly-b's modelVersion is/],
  ] as const) {
    expect(() => decodeGroup(bytes, here)).toThrow(expect.objectContaining({ code: 'GROUP_MISMATCH' }));
    expect(() => decodeGroup(bytes, here)).toThrow(reason);
  }
});

test('the composition digest may differ, for every epoch has its own (session.md 2.4)', () => {
  const bytes = encodeGroup(CAPTURE, 'ckpt-1', HERE);
  expect(decodeGroup(bytes, { ...HERE, compositionDigest: D('f') })).toEqual(CAPTURE);
});

/** The file with one payload or the manifest rewritten and everything listed afresh. */
function tampered(payload: string, bytes: Uint8Array, change: (manifest: Loose) => void = () => undefined): Uint8Array {
  const { manifest, payloads } = decodeContainer(encodeGroup(CAPTURE, 'c', HERE));
  const next = new Map(payloads).set(payload, bytes);
  const loose = JSON.parse(JSON.stringify(manifest)) as Loose;
  change(loose);
  loose.payloads = [...next].map(([name, data]) => ({
    name,
    byteLength: String(data.byteLength),
    digest: sha256Hex(data),
  }));
  return encodeContainer(loose, next);
}
type Loose = {
  payloads: unknown;
  agents: { brainTicks: string; remainder: { numerator: string; denominator: string } }[];
  sourceScope: { step: string };
};
const WORLD = CAPTURE.environment;
const payloadOf = (name: string): Uint8Array => decodeContainer(encodeGroup(CAPTURE, 'c', HERE)).payloads.get(name)!;

test.each<[what: string, bytes: Uint8Array, code: string]>([
  ['flies that changed places', tampered('agent-fly-a', payloadOf('agent-fly-b')), 'AGENT_IDENTITY'],
  [
    'a fly with other ticks than its row',
    tampered('world', WORLD, (m) => (m.agents[1]!.brainTicks = '2517')),
    'GROUP_STATE',
  ],
  ['a coordinator at another boundary', tampered('world', WORLD, (m) => (m.sourceScope.step = '42')), 'GROUP_STATE'],
  [
    'a remainder of a whole tick',
    tampered('world', WORLD, (m) => (m.agents[0]!.remainder = { numerator: '1000000', denominator: '1' })),
    'GROUP_STATE',
  ],
  [
    'a remainder this world cannot leave',
    tampered('world', WORLD, (m) => (m.agents[0]!.remainder = { numerator: '1', denominator: '7' })),
    'GROUP_STATE',
  ],
  [
    'a fly that warmed up longer than it ran',
    tampered(
      'coordinator-admission',
      Buffer.from(Buffer.from(payloadOf('coordinator-admission')).toString().replace('"2500"', '"2517"')),
    ),
    'GROUP_STATE',
  ],
  ['a ledger that is not canonical', tampered('task-ledger', Buffer.from('{ }')), 'NOT_CANONICAL'],
  [
    'a coordinator record that lacks everything',
    tampered('coordinator-admission', Buffer.from('{}')),
    'MANIFEST_FIELD',
  ],
])('PER-02 %s is refused', (_what, bytes, code) => {
  expect(() => decodeGroup(bytes, HERE)).toThrow(expect.objectContaining({ code }));
});

type Row = Record<string, unknown>;
const RECORD = JSON.parse(Buffer.from(payloadOf('coordinator-admission')).toString()) as Row & { agents: Row[] };

/** The file with its coordinator record changed, canonical and sealed. */
function withRecord(change: (record: Row & { agents: Row[] }) => void): Uint8Array {
  const record = structuredClone(RECORD);
  change(record);
  return tampered('coordinator-admission', canonicalJsonBytes(record));
}

test('the coordinator record and each fly in it say where they stand (session.md 17.2)', () => {
  expect(RECORD).toMatchObject({
    committedStep: '41',
    admission: 'none',
    eventWatermarks: { lastSourceStep: '40', issued: '12' },
    audioPositions: [{ streamId: 'arena', nextSample: 32_800 }],
  });
  expect(RECORD.agents[1]).toMatchObject({
    agentId: 'fly-b',
    portId: 'p2',
    profile: FLY_B.profileDigest,
    seed: 535504990,
    workerThreads: 1,
    committedStep: '41',
    brainTicks: '2516',
    remainder: { numerator: '0', denominator: '1' },
    context: { boot: false, bound: [], location: null },
  });
});

test('event watermarks are of the newest event, and of none before the first (session.md 17.2)', () => {
  const first = { ...CAPTURE, nextEventId: 1, lastSourceStep: null };
  const bytes = encodeGroup(first, 'c', HERE);
  const { coordinator } = decodeContainer(bytes).manifest as unknown as { coordinator: Row };
  expect(coordinator['eventWatermarks']).toEqual({ lastSourceStep: null, issued: '0' });
  expect(decodeGroup(bytes, HERE)).toEqual(first);
});

const withAgent = (change: (agent: Row) => void): Uint8Array => withRecord(({ agents }) => change(agents[1]!));
const RECORD_FIELDS = Object.keys(RECORD);
const AGENT_FIELDS = Object.keys(RECORD.agents[1]!);

test.each(RECORD_FIELDS)('PER-14 a coordinator record without %s is refused (session.md 17.2)', (field) => {
  const bytes = withRecord((record) => Reflect.deleteProperty(record, field));
  expect(() => decodeGroup(bytes, HERE)).toThrow(new RegExp(field));
});

test.each(AGENT_FIELDS)("PER-14 a fly's record without %s is refused (session.md 17.2)", (field) => {
  const bytes = withAgent((agent) => Reflect.deleteProperty(agent, field));
  expect(() => decodeGroup(bytes, HERE)).toThrow(new RegExp(field));
});

test.each(['context', 'tally'])("PER-14 a fly's %s without any one of its fields is refused", (part) => {
  for (const field of Object.keys(RECORD.agents[1]![part] as Row)) {
    const bytes = withAgent((agent) => Reflect.deleteProperty(agent[part] as Row, field));
    expect(() => decodeGroup(bytes, HERE)).toThrow(new RegExp(`${part}.*${field}`));
  }
});

test.each<[field: string, value: unknown]>([
  ['portId', 'p1'],
  ['profile', D('f')],
  ['seed', 7],
  ['workerThreads', 2],
  ['committedStep', '40'],
  ['brainTicks', '2515'],
  ['remainder', { numerator: '1', denominator: '3' }],
])("PER-14 a fly whose record has another %s than the group's is refused by name", (field, value) => {
  const bytes = withAgent((agent) => (agent[field] = value));
  expect(() => decodeGroup(bytes, HERE)).toThrow(expect.objectContaining({ code: 'GROUP_STATE' }));
  expect(() => decodeGroup(bytes, HERE)).toThrow(
    field === 'workerThreads' ? /fly-b ran on 2 threads/ : `fly-b's ${field}`,
  );
});

test.each<[what: string, change: (record: Row) => void]>([
  ['other event watermarks than its manifest', (r) => (r['eventWatermarks'] = { lastSourceStep: '40', issued: '13' })],
  ['admissions, which this program does not save', (r) => (r['admission'] = 'pending')],
  ['another boundary', (r) => (r['committedStep'] = '40')],
  ['a fly less', (r) => (r['agents'] as Row[]).pop()],
])('a coordinator record with %s is refused', (_what, change) => {
  expect(() => decodeGroup(withRecord(change), HERE)).toThrow(expect.objectContaining({ code: 'GROUP_STATE' }));
});

test('a ledger that is no plain JSON is refused when it is saved, not when it is needed', () => {
  expect(() => encodeGroup({ ...CAPTURE, taskLedger: { at: undefined } }, 'c', HERE)).toThrow(
    expect.objectContaining({ code: 'CANONICAL_JSON' }),
  );
});
