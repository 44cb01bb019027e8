import { expect, test } from 'vitest';
import { decoderConfigDigest } from '../../../systems/readout/decoder-config-digest.ts';
import { MACRO_ROLES, decoderPreset, withMacros } from '../../../systems/readout/presets.ts';

test('PRO-02 the raw Game Boy readout has the published digest (brain.md 8.4, session.md 28)', () => {
  expect(decoderConfigDigest(decoderPreset('gameboy'))).toBe(
    '6234e4a0363cfe82b8d515943c4f645a3960eda8fa5bf9465009061f80d50812',
  );
});

test('PRO-02 the readout with 31 macros has the published digest (brain.md 8.4, session.md 28)', () => {
  const published = '82b6601f0390b742a67eca44ef935b49e16a73315db70f5644f1cbd21f7c8a52';
  expect(MACRO_ROLES).toHaveLength(31);
  expect(decoderConfigDigest(withMacros(decoderPreset('gameboy')))).toBe(published);
  expect(decoderConfigDigest(decoderPreset('gameboy-macros'))).toBe(published);
});

test('PRO-02 the platformer readout has the published digest (brain.md 8.4)', () => {
  expect(decoderConfigDigest(decoderPreset('platformer'))).toBe(
    '2375ea24e79e9663047a8c51f9e2049e492375488505916dbad22d492405ded1',
  );
});

test('the order of directions is part of the identity, for it breaks ties (session.md 3.2)', () => {
  const gameboy = decoderPreset('gameboy');
  const { exclusive } = gameboy;
  const turned = { ...gameboy, exclusive: { ...exclusive!, channels: [...exclusive!.channels].reverse() } };
  expect(decoderConfigDigest(turned)).not.toBe(decoderConfigDigest(gameboy));
});

test('no macro roles is no macro group (brain.md 8.4)', () => {
  expect(withMacros(decoderPreset('gameboy'), []).macros).toBeNull();
});

test('the prototype decides every 400 ms at hysteresis 1.15 and knows no blocked rule (brain.md 8.3)', () => {
  expect(decoderPreset('prototype').exclusive).toMatchObject({
    decisionMs: 400,
    holdMs: 400,
    hysteresis: 1.15,
    fatigueGain: 0.08,
    blockedFatigue: 0,
    blockedMs: 0,
  });
});

test('an unknown preset is refused with the names that exist', () => {
  expect(() => decoderPreset('gamebuy')).toThrow(expect.objectContaining({ code: 'DECODER_PRESET' }));
  expect(() => decoderPreset('gamebuy')).toThrow(/gameboy, gameboy-macros, prototype, platformer/);
});
