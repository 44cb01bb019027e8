import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDecoder } from '../../../systems/readout/decoder.ts';
import type { Decoder } from '../../../systems/readout/decoder.ts';
import type { DecoderConfig } from '../../../systems/readout/decoder-config.ts';
import { createJoypadPacker } from '../../../systems/readout/joypad-mask.ts';
import { MACRO_ROLES, decoderPreset, withMacros } from '../../../systems/readout/presets.ts';
import { sha256Hex } from '../../../engine/identity/digest.ts';

const COMMANDS = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => `command_${k}`);
const ROLES = [...COMMANDS, ...MACRO_ROLES];

/** Rates in `ROLES` order: 5 Hz everywhere but where said. */
function rates(above: Record<string, number> = {}, resting = 5): Float64Array {
  return Float64Array.from(ROLES, (role) => above[role.replace('command_', 'c')] ?? above[role] ?? resting);
}

function calibrated(config: DecoderConfig, resting = 5): Decoder {
  const decoder = createDecoder(config, ROLES);
  decoder.calibrate(rates({}, resting));
  return decoder;
}

function maskOf(decoder: Decoder, active: Uint8Array): number {
  return createJoypadPacker(decoder.channels)(active);
}

// ---- brain.md 8.6, first table

type Row = {
  now: number;
  above: Record<string, number>;
  blocked?: string;
  mask: number;
  fatigue: [up: number, down: number, left: number];
  nextDecision: number;
};
const LATE: Row['fatigue'] = [0.10496000000000001, 0.22399999999999998, 0.08];
const TABLE: readonly Row[] = [
  { now: 0, above: { c0: 20, c6: 20 }, mask: 65, fatigue: [0.08, 0, 0], nextDecision: 800 },
  { now: 799, above: { c1: 60 }, mask: 1, fatigue: [0.08, 0, 0], nextDecision: 800 },
  { now: 800, above: { c0: 20, c1: 21 }, mask: 2, fatigue: [0.064, 0.08, 0], nextDecision: 1600 },
  { now: 1600, above: { c0: 20, c1: 21 }, mask: 2, fatigue: [0.0512, 0.16, 0], nextDecision: 2400 },
  { now: 1601, above: { c0: 20, c1: 21 }, blocked: 'down', mask: 2, fatigue: [0.0512, 0.35, 0], nextDecision: 2400 },
  {
    now: 2400,
    above: { c0: 20, c1: 21 },
    blocked: 'down',
    mask: 1,
    fatigue: [0.1312, 0.27999999999999997, 0],
    nextDecision: 3200,
  },
  {
    now: 2500,
    above: { c6: 20, c7: 20 },
    mask: 1,
    fatigue: [0.1312, 0.27999999999999997, 0],
    nextDecision: 3200,
  },
  { now: 30_000, above: { c6: 20 }, mask: 68, fatigue: LATE, nextDecision: 30_800 },
  { now: 30_085, above: { c4: 5.01 }, mask: 20, fatigue: LATE, nextDecision: 30_800 },
  { now: 30_564, above: { c4: 5.01 }, mask: 4, fatigue: LATE, nextDecision: 30_800 },
  { now: 30_565, above: { c4: 5.01 }, mask: 20, fatigue: LATE, nextDecision: 30_800 },
];

test('the Game Boy readout reproduces every row of the worked example (brain.md 8.6)', () => {
  const decoder = calibrated(decoderPreset('gameboy'));
  const seen = TABLE.map(({ now, above, blocked }) => {
    const active = decoder.decode(rates(above), now, false, blocked ?? null);
    const { fatigue, nextDecision } = decoder.exportState();
    return {
      now,
      mask: maskOf(decoder, active),
      fatigue: [fatigue['up'], fatigue['down'], fatigue['left']],
      nextDecision,
    };
  });
  expect(seen).toEqual(TABLE.map(({ now, mask, fatigue, nextDecision }) => ({ now, mask, fatigue, nextDecision })));
});

test('20 Hz over a resting 5 scores 3.5, 21 Hz scores 3.667 (brain.md 8.6)', () => {
  const decoder = calibrated(decoderPreset('gameboy'));
  decoder.decode(rates({ c0: 20, c1: 21 }), 0);
  expect(decoder.lastScores[0]).toBe(3.5);
  expect(decoder.lastScores[1]).toBeCloseTo(3.667, 3);
});

// ---- brain.md 8.6, restore with new macro roles

const MACRO_RATES = {
  macro_talk: 41,
  macro_go_frontier: 54,
  macro_go_objective: 65,
  macro_go_npc: 107,
  macro_next: 145,
};

function restoredWithNewMacros(): Decoder {
  const before = createDecoder(decoderPreset('gameboy'), ROLES);
  before.calibrate(rates({}, 12));
  const decoder = createDecoder(withMacros(decoderPreset('gameboy')), ROLES);
  decoder.importState(before.exportState());
  return decoder;
}

const macroScore = (decoder: Decoder, name: string): number =>
  decoder.lastScores[decoder.channels.findIndex(({ channel }) => channel === name)]!;

test('new macro roles after a restore score exactly 1 once and the first of the group wins (brain.md 8.6)', () => {
  const decoder = restoredWithNewMacros();
  expect(decoder.pendingRoles()).toEqual(MACRO_ROLES);
  decoder.decode(rates(MACRO_RATES, 12), 0, false);
  expect(MACRO_ROLES.map((name) => macroScore(decoder, name))).toEqual(MACRO_ROLES.map(() => 1));
  expect(decoder.macroWinner()).toBe('macro_go_objective');
  expect(decoder.pendingRoles()).toEqual([]);
});

test('800 ms later npc at 130 Hz scores 1.212962962962963 and wins (brain.md 8.6)', () => {
  const decoder = restoredWithNewMacros();
  decoder.decode(rates(MACRO_RATES, 12), 0, false);
  decoder.decode(rates({ ...MACRO_RATES, macro_go_npc: 130 }, 12), 800, false);
  expect(macroScore(decoder, 'macro_go_npc')).toBe(1.212962962962963);
  expect(decoder.macroWinner()).toBe('macro_go_npc');
  expect(decoder.activeNames()).toContain('macro_go_npc');
});

test('a macro that is not bound cannot win and its fatigue decays from 0.08 to 0.064 (brain.md 8.6)', () => {
  const decoder = restoredWithNewMacros();
  decoder.decode(rates(MACRO_RATES, 12), 0, false);
  const strong = rates({ ...MACRO_RATES, macro_go_npc: 130 }, 12);
  decoder.decode(strong, 800, false);
  decoder.decode(strong, 1600, false, null, ['macro_talk', 'macro_next']);
  expect(decoder.macroWinner()).toBe('macro_talk');
  expect(decoder.exportState().macroFatigue['macro_go_npc']).toBe(0.064);
});

test('with nothing bound the macro group keeps winner, hold, fatigue and clock (brain.md 8.6)', () => {
  const decoder = restoredWithNewMacros();
  decoder.decode(rates(MACRO_RATES, 12), 0, false);
  const { macroFatigue, macroCurrent, macroNextDecision } = decoder.exportState();
  decoder.decode(rates({ ...MACRO_RATES, macro_go_npc: 130 }, 12), 800, false, null, []);
  expect(decoder.exportState()).toMatchObject({ macroFatigue, macroCurrent, macroNextDecision });
});

// ---- brain.md 8.6, random oracle

const ORACLE_STEPS_MS = [1, 5, 25, 55, 100, 200, 250, 300, 420, 600];
const ORACLE_LADDER_HZ = [5, 5.3, 5.6, 6, 6.5, 11, 12, 30, 60];

/** xorshift32 as a [0, 1) source (brain.md 4.4). */
function xorshift(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

function runOracle(preset: string): { masks: Uint8Array; now: number } {
  const decoder = createDecoder(decoderPreset(preset), COMMANDS);
  decoder.calibrate(new Float64Array(8).fill(5));
  const next = xorshift(20_260_915);
  const masks = new Uint8Array(4_000);
  const drawn = new Float64Array(8);
  let now = 0;
  for (let step = 0; step < 4_000; step++) {
    now += ORACLE_STEPS_MS[Math.floor(next() * 10)]!;
    if (step === 1_000 || step === 2_000 || step === 3_000) decoder.clearHolds(now);
    for (let k = 0; k < 8; k++) drawn[k] = ORACLE_LADDER_HZ[Math.floor(next() * 9)]!;
    masks[step] = maskOf(decoder, decoder.decode(drawn, now, Math.floor(step / 500) % 2 === 0));
  }
  return { masks, now };
}

test.each([
  {
    preset: 'gameboy',
    first: [180, 20, 52, 52, 4, 52, 8, 8, 8, 88],
    digest: 'a813f27c23ed2667fd23704fcd454f40381444a63c7e6a8c91d064890695b85b',
  },
  {
    preset: 'platformer',
    first: [184, 2, 36, 52, 52, 50, 56, 56, 56, 120],
    digest: 'ed388c25bc3369219899c0283ac16c903e919980cd3337546275269944dc36ba',
  },
])('4,000 random steps give the published masks for $preset (brain.md 8.6)', ({ preset, first, digest }) => {
  const { masks, now } = runOracle(preset);
  expect(now).toBe(798_901);
  expect(Array.from(masks.subarray(0, 10))).toEqual(first);
  expect(sha256Hex(masks)).toBe(digest);
});

// ---- rules of brain.md 8.1 to 8.4, one each

test('nothing is active and nothing changes before calibration (brain.md 8.2)', () => {
  const decoder = createDecoder(decoderPreset('gameboy'), ROLES);
  const before = decoder.exportState();
  expect(decoder.decode(rates({ c0: 60 }), 10_000, true, 'up').some((flag) => flag === 1)).toBe(false);
  expect(decoder.exportState()).toEqual(before);
});

test('two channels of one name are refused at creation (brain.md 8.1)', () => {
  const gameboy = decoderPreset('gameboy');
  const config = { ...gameboy, pulses: [...gameboy.pulses, { ...gameboy.pulses[0]!, channel: 'up' }] };
  expect(() => createDecoder(config, ROLES)).toThrow(expect.objectContaining({ code: 'DECODER_CHANNELS' }));
});

test('a role the brain does not track reads as 0 Hz with a baseline of 0 (brain.md 8.1)', () => {
  const decoder = createDecoder(decoderPreset('gameboy'), ['command_0']);
  decoder.calibrate(Float64Array.of(5));
  decoder.decode(Float64Array.of(11), 0);
  expect(Array.from(decoder.lastScores)).toEqual([2, 1, 1, 1, 1, 1, 1, 1]);
});

test('equal scores go to the earlier channel: up on the Game Boy, right in the platformer (brain.md 8.2, 8.3)', () => {
  for (const [preset, first] of [
    ['gameboy', 'up'],
    ['platformer', 'right'],
  ] as const) {
    const decoder = calibrated(decoderPreset(preset));
    decoder.decode(rates(), 0, false);
    expect(decoder.winner()).toBe(first);
  }
});

test('a pulse needs a score above its threshold, not at it (brain.md 8.2)', () => {
  const decoder = calibrated(decoderPreset('gameboy'));
  expect(maskOf(decoder, decoder.decode(rates(), 0, false)) & 16).toBe(0);
  expect(maskOf(decoder, decoder.decode(rates({ c4: 5.0001 }), 1, false)) & 16).toBe(16);
});

test('boot values change threshold and cooldown, never the hold (brain.md 8.2)', () => {
  const decoder = calibrated(decoderPreset('gameboy'));
  const eager = rates({ c6: 6 }); // score 7/6: above the boot threshold 1, below 1.35
  expect(maskOf(decoder, decoder.decode(eager, 0, false)) & 64).toBe(0);
  decoder.decode(eager, 1, true);
  expect(decoder.exportState()).toMatchObject({ heldUntil: { start: 56 }, nextAllowed: { start: 2501, select: 2501 } });
});

test('start and select are never held together, so A+B+Start+Select cannot reset the game (brain.md 8.3)', () => {
  fc.assert(
    fc.property(fc.constantFrom('gameboy', 'platformer'), walkArbitrary, (preset, walk) => {
      const decoder = calibrated(decoderPreset(preset));
      let now = 0;
      for (const { byMs, hz, boot } of walk) {
        now += byMs;
        const mask = maskOf(decoder, decoder.decode(Float64Array.from(hz), now, boot));
        expect(mask & 0xc0).not.toBe(0xc0);
      }
    }),
  );
});

test('the platformer lets go of B within 600 ms of the last spike burst (brain.md 8.3)', () => {
  const decoder = calibrated(decoderPreset('platformer'));
  for (let now = 0; now <= 1_000; now += 100) {
    expect(maskOf(decoder, decoder.decode(rates({ c5: 30 }), now, false)) & 32).toBe(32);
  }
  expect(maskOf(decoder, decoder.decode(rates(), 1_600, false)) & 32).toBe(0);
});

test('thirteen wins in a row tire a channel out and no more after that (brain.md 8.2)', () => {
  const decoder = calibrated(decoderPreset('gameboy'));
  const wins = Array.from({ length: 14 }, (_, i) => {
    decoder.decode(rates({ c0: 60 }), i * 800, false);
    return decoder.exportState().fatigue['up']!;
  });
  expect(wins[11]).toBeLessThan(1);
  expect(wins.slice(12)).toEqual([1, 1]);
});

test('a blocked report never lowers fatigue, costs once, and ignores pulses and strangers (brain.md 8.2)', () => {
  const decoder = calibrated(decoderPreset('gameboy'));
  for (let i = 0; i < 6; i++) decoder.decode(rates({ c0: 60 }), i * 800, false);
  const tired = decoder.exportState().fatigue['up']!;
  expect(tired).toBeGreaterThan(0.35);
  decoder.decode(rates({ c0: 60 }), 4_001, false, 'up');
  decoder.decode(rates({ c0: 60 }), 4_002, false, 'a');
  decoder.decode(rates({ c0: 60 }), 4_003, false, 'nobody');
  expect(decoder.exportState().fatigue).toMatchObject({ up: tired, down: 0 });
  decoder.decode(rates({ c0: 60 }), 4_004, false, 'down');
  decoder.decode(rates({ c0: 60 }), 4_005, false, 'down');
  expect(decoder.exportState().fatigue['down']).toBe(0.35);
});

test('a macro reported as blocked is tired out like a direction (brain.md 8.2)', () => {
  const decoder = calibrated(decoderPreset('gameboy-macros'));
  decoder.decode(rates(), 0, false, 'macro_talk', []);
  expect(decoder.exportState().macroFatigue).toMatchObject({ macro_talk: 0.35, macro_menu: 0 });
});

test('a challenger at exactly the hysteresis takes over, and the old hold ends with it (brain.md 8.2)', () => {
  // Nobody tires here and a hold outlives its decision, so that every number is exact: 4 * 1.25 = 5.
  const { exclusive } = decoderPreset('platformer');
  const timing = { decisionMs: 100, holdMs: 1_000, hysteresis: 1.25, fatigueGain: 0 };
  const decoder = createDecoder(
    { exclusive: { ...exclusive!, ...timing }, macros: null, pulses: [], clearLockoutMs: 0 },
    COMMANDS,
  );
  decoder.calibrate(new Float64Array(8));
  decoder.decode(Float64Array.of(0, 0, 0, 3), 0);
  expect(decoder.activeNames()).toEqual(['right']);
  decoder.decode(Float64Array.of(0, 0, 3.99, 3), 100);
  expect(decoder.activeNames()).toEqual(['right']);
  decoder.decode(Float64Array.of(0, 0, 4, 3), 200);
  expect(decoder.activeNames()).toEqual(['left']);
});

test('a preset with no blocked rule ignores the report (brain.md 8.2, 8.3)', () => {
  const decoder = calibrated(decoderPreset('prototype'));
  decoder.decode(rates(), 0, false, 'down');
  expect(decoder.exportState().fatigue['down']).toBe(0);
});

test('clearing holds locks the pulses out but lets the groups decide at once (brain.md 8.2)', () => {
  const decoder = calibrated(decoderPreset('gameboy-macros'));
  decoder.decode(rates({ c0: 60, c4: 60 }), 0, false);
  decoder.clearHolds(100);
  expect(decoder.exportState()).toMatchObject({
    current: null,
    macroCurrent: null,
    nextDecision: 100,
    macroNextDecision: 100,
    fatigue: { up: 0 },
    heldUntil: { up: 0, a: 0 },
    nextAllowed: { up: 580, a: 580 },
    baseline: { command_0: 5 },
  });
  expect(maskOf(decoder, decoder.decode(rates({ c0: 60, c4: 60 }), 100, false))).toBe(1);
  expect(maskOf(decoder, decoder.decode(rates({ c0: 60, c4: 60 }), 580, false))).toBe(17);
});

test('calibration keeps one baseline per role and cancels pending ones (brain.md 8.5)', () => {
  const decoder = restoredWithNewMacros();
  expect(decoder.pendingRoles()).toHaveLength(31);
  decoder.calibrate(rates({ macro_talk: 40 }));
  expect(decoder.pendingRoles()).toEqual([]);
  expect(decoder.baselineHz(decoder.channels.findIndex(({ role }) => role === 'macro_talk'))).toBe(40);
});

// ---- properties

type Step = {
  byMs: number;
  hz: number[];
  boot: boolean;
  blocked: string | null;
  bound: string[] | null;
  clear: boolean;
};
const hzArbitrary = fc.array(fc.double({ min: 0, max: 400, noNaN: true }), {
  minLength: ROLES.length,
  maxLength: ROLES.length,
});
const walkArbitrary: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    byMs: fc.integer({ min: 0, max: 900 }),
    hz: hzArbitrary,
    boot: fc.boolean(),
    blocked: fc.option(fc.constantFrom('up', 'down', 'left', 'right', 'a', 'macro_talk', 'nobody')),
    bound: fc.option(fc.subarray([...MACRO_ROLES])),
    clear: fc.double({ min: 0, max: 1 }).map((u) => u < 0.05),
  }),
  { minLength: 1, maxLength: 40 },
);

function walk(decoder: Decoder, steps: readonly Step[], fromMs: number, each: (active: Uint8Array) => void): number {
  let now = fromMs;
  for (const { byMs, hz, boot, blocked, bound, clear } of steps) {
    now += byMs;
    if (clear) decoder.clearHolds(now);
    each(decoder.decode(Float64Array.from(hz), now, boot, blocked, bound));
  }
  return now;
}

test('at most one direction and one macro are ever active, and fatigue stays within 0..1', () => {
  fc.assert(
    fc.property(fc.constantFrom('gameboy-macros', 'prototype', 'platformer'), walkArbitrary, (preset, steps) => {
      const decoder = calibrated(decoderPreset(preset));
      walk(decoder, steps, 0, (active) => {
        const count = (kind: string): number =>
          decoder.channels.reduce((sum, one, i) => sum + (one.kind === kind ? active[i]! : 0), 0);
        expect(count('exclusive')).toBeLessThanOrEqual(1);
        expect(count('macro')).toBeLessThanOrEqual(1);
        const { fatigue, macroFatigue } = decoder.exportState();
        for (const value of [...Object.values(fatigue), ...Object.values(macroFatigue)]) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
      });
    }),
  );
});

test('a decoder that imports an export exports the same and decides the same from there on', () => {
  fc.assert(
    fc.property(walkArbitrary, walkArbitrary, (before, after) => {
      const first = calibrated(decoderPreset('gameboy-macros'));
      const now = walk(first, before, 0, () => {});
      const second = createDecoder(decoderPreset('gameboy-macros'), ROLES);
      second.importState(JSON.parse(JSON.stringify(first.exportState())));
      expect(second.exportState()).toEqual(first.exportState());
      const masks: number[][] = [];
      for (const decoder of [first, second]) walk(decoder, after, now, (active) => masks.push(Array.from(active)));
      expect(masks.slice(after.length)).toEqual(masks.slice(0, after.length));
      expect(second.exportState()).toEqual(first.exportState());
    }),
  );
});
