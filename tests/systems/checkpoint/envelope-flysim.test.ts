import { expect, test } from 'vitest';
import { decodeContainer } from '../../../systems/checkpoint/envelope-container.ts';
import { decodeEnvelope, encodeEnvelope } from '../../../systems/checkpoint/envelope.ts';
import {
  decodeFlysimEnvelope,
  encodeFlysimEnvelope,
  flysimClocks,
  flysimMismatch,
} from '../../../systems/checkpoint/envelope-flysim.ts';
import type { FlysimSave } from '../../../systems/checkpoint/envelope-flysim.ts';
import { SAVE } from './example-agent.ts';

const RUN: FlysimSave = {
  remainderMs: SAVE.remainderMs,
  warmedUp: SAVE.warmedUp,
  brain: SAVE.brain,
  readout: SAVE.readout,
  generation: 12,
  wallMs: 1_700_000_000_000,
  romHash: 'c'.repeat(64),
  emulatorFrame: 2,
  compatibility: 'kernel/pokered-unique8-v8/fingerprint',
  speed: 1,
  buttons: 17,
  rankSinceMs: 900,
  lastEventId: 3,
  reward: { total: 4 },
  ratchet: { rank: 1 },
  reinforcements: 9,
  emulator: Uint8Array.of(1, 2, 3),
  framebuffer: new Uint8Array(160 * 144 * 4).fill(7),
  ratchetGame: new Uint8Array(0),
  ratchetFrame: new Uint8Array(0),
};

test('a run that was saved is read back, slots and picture included (session.md 17.4)', () => {
  expect(decodeFlysimEnvelope(encodeFlysimEnvelope(RUN))).toEqual(RUN);
});

test('reinforcements are optional, for older files count only the updates (brain.md 10.2)', () => {
  const old = { ...RUN, reinforcements: null };
  expect(decodeFlysimEnvelope(encodeFlysimEnvelope(old))).toEqual(old);
  expect(flysimClocks(old).learningUpdates).toBe(7);
  expect(flysimClocks(RUN).learningUpdates).toBe(9);
});

test('the chunks stand in the published order (session.md 17.4)', () => {
  const { chunks } = decodeEnvelope('FLYSIM01', encodeFlysimEnvelope(RUN));
  expect([...chunks.keys()]).toEqual([
    'membrane',
    'refractory',
    'lastSpikeMs',
    'visualDrive',
    'plasticGains',
    'plasticTraces',
    'plasticTouched',
    'emulator',
    'framebuffer',
    'ratchetGame',
    'ratchetFrame',
  ]);
});

test('the group reader refuses a FLYSIM01 file at its magic (session.md 17.3)', () => {
  expect(() => decodeContainer(encodeFlysimEnvelope(RUN))).toThrow(
    expect.objectContaining({ code: 'CONTAINER_HEADER' }),
  );
});

test.each(['emulator', 'framebuffer', 'ratchetGame', 'ratchetFrame', 'membrane'])(
  'a run without %s is refused',
  (name) => {
    const { manifest, chunks } = decodeEnvelope('FLYSIM01', encodeFlysimEnvelope(RUN));
    const rest = new Map([...chunks].filter(([other]) => other !== name));
    expect(() => decodeFlysimEnvelope(encodeEnvelope('FLYSIM01', manifest, rest))).toThrow(`chunk ${name} is missing`);
  },
);

test.each([
  'generation',
  'wallMs',
  'romHash',
  'emulatorFrame',
  'compatibility',
  'speed',
  'buttons',
  'rankSinceMs',
  'lastEventId',
])('a run whose %s is missing is refused (session.md 17.4)', (field) => {
  const { manifest, chunks } = decodeEnvelope('FLYSIM01', encodeFlysimEnvelope(RUN));
  const bytes = encodeEnvelope('FLYSIM01', { ...manifest, [field]: undefined }, chunks);
  expect(() => decodeFlysimEnvelope(bytes)).toThrow(expect.objectContaining({ code: 'MANIFEST_FIELD' }));
});

test('emulator frame 2 is boundary 1, one frame of world time and the first published remainder (session.md 4, 17.4)', () => {
  expect(flysimClocks(RUN)).toEqual({
    step: 1n,
    worldTime: { numerator: 8_572_265_625n, denominator: 512n },
    remainder: { numerator: 380_265_625n, denominator: 512n },
    executedTicks: 2_516n,
    warmupTicks: 2_500n,
    learningUpdates: 9,
  });
});

test('a run that was never warmed up owes no warm-up (session.md 17.4)', () => {
  expect(flysimClocks({ ...RUN, warmedUp: false }).warmupTicks).toBe(0n);
});

test('a remainder that no Game Boy clock can leave is refused (session.md 17.4)', () => {
  expect(() => flysimClocks({ ...RUN, remainderMs: 0.1 })).toThrow(expect.objectContaining({ code: 'FLYSIM' }));
});

test('only the adapter may differ, only from a listed one, and only when it is named (session.md 17.4)', () => {
  const saved = 'lif/pokered-unique8-v7/fp/rstdp';
  const here = 'lif/pokered-unique8-v8/fp/rstdp';
  const migratable = ['pokered-unique8-v7'];
  expect(flysimMismatch(here, here, { migratable: [], allowed: null })).toBeNull();
  expect(flysimMismatch(saved, here, { migratable, allowed: 'pokered-unique8-v7' })).toBeNull();
  expect(flysimMismatch(saved, here, { migratable, allowed: null })).toMatch(/name it/);
  expect(flysimMismatch(saved, here, { migratable: [], allowed: 'pokered-unique8-v7' })).toMatch(/cannot be migrated/);
  expect(flysimMismatch(`${saved}/x`, here, { migratable, allowed: 'pokered-unique8-v7' })).toMatch(/saved with x/);
  expect(flysimMismatch(saved.replace('fp', 'fq'), here, { migratable, allowed: 'pokered-unique8-v7' })).toMatch(/fq/);
});
