import { expect, test } from 'vitest';
import { decodeAgentEnvelope, encodeAgentEnvelope } from '../../../systems/checkpoint/agent-envelope.ts';
import { decodeEnvelope, encodeEnvelope } from '../../../systems/checkpoint/envelope.ts';
import type { AgentIdentity } from '../../../engine/identity/digest-recipes.ts';
import { createReadout } from '../../../systems/readout/readout.ts';
import { decoderPreset } from '../../../systems/readout/presets.ts';
import { IDENTITY, SAVE } from './example-agent.ts';

test('a fly that was saved is read back value for value, array for array', () => {
  expect(decodeAgentEnvelope(encodeAgentEnvelope(SAVE), IDENTITY)).toEqual(SAVE);
});

test('the arrays stand in the published order under the published names (brain.md 10.1)', () => {
  const { manifest, chunks } = decodeEnvelope('FLYAGT01', encodeAgentEnvelope(SAVE));
  expect([...chunks].map(([name, bytes]) => [name, bytes.byteLength])).toEqual([
    ['membrane', 12],
    ['refractory', 3],
    ['lastSpikeMs', 24],
    ['visualDrive', 8],
    ['plasticGains', 4],
    ['plasticTraces', 4],
    ['plasticTouched', 8],
  ]);
  expect(manifest).toMatchObject({
    agentVersion: 1,
    remainder: 0.742706298828125,
    warmedUp: true,
    network: { rng: -1881039799, ms: 2516, rates: { command_0: 5e-324 } },
    plasticity: { topology: 1346561649, updates: 7 },
  });
  expect(chunks.get('membrane')).toEqual(new Uint8Array(Float32Array.of(0.25, -2, 0.20000000298023224).buffer));
});

test('a FAFB fly has 2,078,747 bytes of arrays (brain.md 10.1)', () => {
  const { plasticity } = SAVE.brain;
  const brain = {
    ...SAVE.brain,
    membrane: new Float32Array(139_255),
    refractory: new Uint8Array(139_255),
    lastSpikeMs: new Float64Array(139_255),
    visualDrive: new Float32Array(1_572),
    plasticity: {
      ...plasticity,
      gains: new Float32Array(16_384),
      traces: new Float32Array(16_384),
      touched: new Float64Array(16_384),
    },
  };
  const { chunks } = decodeEnvelope('FLYAGT01', encodeAgentEnvelope({ ...SAVE, brain }));
  expect([...chunks.values()].reduce((sum, bytes) => sum + bytes.byteLength, 0)).toBe(2_078_747);
});

test('arrays in shared memory are saved like any other', () => {
  const membrane = new Float32Array(new SharedArrayBuffer(12));
  membrane.set(SAVE.brain.membrane);
  expect(encodeAgentEnvelope({ ...SAVE, brain: { ...SAVE.brain, membrane } })).toEqual(encodeAgentEnvelope(SAVE));
});

test('a real readout continues from the file as it stood', () => {
  const roles = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => `command_${k}`);
  const readout = createReadout(decoderPreset('gameboy'), roles);
  readout.calibrate(new Float64Array(8).fill(5));
  readout.decide(Float64Array.of(5, 30, 5, 5, 40, 5, 5, 5), 100, { boot: false, bound: [], location: null });
  const saved = encodeAgentEnvelope({ ...SAVE, readout: readout.exportState() });
  const restored = createReadout(decoderPreset('gameboy'), roles);
  restored.importState(decodeAgentEnvelope(saved, IDENTITY).readout);
  expect(restored.exportState()).toEqual(readout.exportState());
});

test.each<[keyof AgentIdentity, string | number]>([
  ['agentId', 'fly-b'],
  ['profileDigest', 'a'.repeat(64)],
  ['datasetDigest', 'b'.repeat(64)],
  ['indexDigest', 'c'.repeat(64)],
  ['modelVersion', 'lif-1ms-f64-v2'],
  ['plasticityVersion', 'rstdp-v2:39ad4aaa'],
  ['seed', 22_222],
])('PER-02 a fly with another %s is refused, and the message says both (session.md 3.1)', (field, value) => {
  const expected = { ...IDENTITY, [field]: value };
  const take = (): unknown => decodeAgentEnvelope(encodeAgentEnvelope(SAVE), expected);
  expect(take).toThrow(expect.objectContaining({ code: 'AGENT_IDENTITY' }));
  expect(take).toThrow(`${field} ${IDENTITY[field]}`);
  expect(take).toThrow(`${field} ${value}`);
});

test('a file without an identity can be looked at but not taken', () => {
  const bytes = encodeAgentEnvelope({ ...SAVE, identity: null });
  expect(decodeAgentEnvelope(bytes, null)).toEqual({ ...SAVE, identity: null });
  expect(() => decodeAgentEnvelope(bytes, IDENTITY)).toThrow(expect.objectContaining({ code: 'AGENT_IDENTITY' }));
});

/** The example with its manifest fields or chunks changed. */
function changed(fields: Record<string, unknown>, chunks: Record<string, Uint8Array | null> = {}): Uint8Array {
  const { manifest, chunks: old } = decodeEnvelope('FLYAGT01', encodeAgentEnvelope(SAVE));
  const next = new Map(old);
  for (const [name, bytes] of Object.entries(chunks)) {
    if (bytes === null) next.delete(name);
    else next.set(name, bytes);
  }
  return encodeEnvelope('FLYAGT01', { ...manifest, ...fields }, next);
}

test.each<[what: string, bytes: Uint8Array, code: string]>([
  ['another agent version', changed({ agentVersion: 2 }), 'AGENT_ENVELOPE'],
  ['a remainder of a whole tick', changed({ remainder: 1 }), 'AGENT_ENVELOPE'],
  ['a negative remainder', changed({ remainder: -0.1 }), 'AGENT_ENVELOPE'],
  ['no remainder', changed({ remainder: undefined }), 'MANIFEST_FIELD'],
  ['a warm-up flag that is a number', changed({ warmedUp: 1 }), 'MANIFEST_FIELD'],
  ['no network', changed({ network: undefined }), 'MANIFEST_FIELD'],
  ['no decoder', changed({ decoder: null }), 'MANIFEST_FIELD'],
  ['no plasticity', changed({ plasticity: [] }), 'MANIFEST_FIELD'],
  ['a rate that is text', changed({ network: { ...SAVE.brain, rates: { command_0: '5' } } }), 'MANIFEST_FIELD'],
  ['an identity that is text', changed({ identity: 'fly-a' }), 'MANIFEST_FIELD'],
  ['a missing array', changed({}, { plasticTouched: null }), 'AGENT_ENVELOPE'],
  ['half an element', changed({}, { membrane: new Uint8Array(11) }), 'AGENT_ENVELOPE'],
  ['half a time stamp', changed({}, { lastSpikeMs: new Uint8Array(20) }), 'AGENT_ENVELOPE'],
])('PER-03 %s is refused (brain.md 10.1)', (_what, bytes, code) => {
  expect(() => decodeAgentEnvelope(bytes, IDENTITY)).toThrow(expect.objectContaining({ code }));
});

test('PER-02 every flipped byte of a fly is refused', () => {
  const good = encodeAgentEnvelope(SAVE);
  for (let at = 0; at < good.byteLength; at++) {
    const bad = good.slice();
    bad[at]! ^= 0x41;
    expect(() => decodeAgentEnvelope(bad, IDENTITY)).toThrow();
  }
});
