import { ConfigError } from '../../engine/errors.ts';
import type { DecoderConfig, DecoderGroup, DecoderPulse } from './decoder-config.ts';

/** Readouts by the name a task asks for (`TaskModule.decoderPreset`). @throws ConfigError DECODER_PRESET */
export function decoderPreset(name: string): DecoderConfig {
  const preset = PRESETS.get(name);
  if (preset !== undefined) return preset;
  const known = [...PRESETS.keys()].join(', ');
  throw new ConfigError('DECODER_PRESET', `decoder preset ${name} is unknown; choose one of ${known}.`);
}

/** The same readout with a macro group; each channel is named after its role. No roles, no group. */
export function withMacros(config: DecoderConfig, roles: readonly string[] = MACRO_ROLES): DecoderConfig {
  const channels = roles.map((role) => ({ channel: role, role }));
  return { ...config, macros: channels.length === 0 ? null : { ...GAMEBOY_TIMING, channels } };
}

/** Macro populations in the order they were dealt; it is also the tie order (spec: brain.md 8.4). */
export const MACRO_ROLES: readonly string[] = [
  'go_objective',
  'go_out',
  'go_warp',
  'go_route',
  'go_item',
  'go_npc',
  'go_frontier',
  'go_shop',
  'go_heal',
  'talk',
  'menu',
  'next',
  'yes',
  'no',
  'close',
  'confirm',
  'back',
  'move_1',
  'move_2',
  'move_3',
  'move_4',
  'switch',
  'item',
  'throw_ball',
  'run',
  'buy_potion',
  'buy_ball',
  'buy_antidote',
  'buy_repel',
  'heal',
  'leave',
].map((name) => `macro_${name}`);

type GroupTiming = Omit<DecoderGroup, 'channels'>;

/** Spec: brain.md 8.3, newest readout document. */
const GAMEBOY_TIMING: GroupTiming = {
  decisionMs: 800,
  holdMs: 800,
  hysteresis: 1.05,
  fatigueGain: 0.08,
  fatigueDecay: 0.8,
  blockedFatigue: 0.35,
  blockedMs: 800,
};

/** Spec: brain.md 8.3, the prototype that older oracles were recorded with. */
const PROTOTYPE_TIMING: GroupTiming = {
  ...GAMEBOY_TIMING,
  decisionMs: 400,
  holdMs: 400,
  hysteresis: 1.15,
  blockedFatigue: 0,
  blockedMs: 0,
};

/** Spec: super-mario-land.md 10. */
const PLATFORMER_TIMING: GroupTiming = {
  decisionMs: 250,
  holdMs: 250,
  hysteresis: 1.25,
  fatigueGain: 0.04,
  fatigueDecay: 0.85,
  blockedFatigue: 0,
  blockedMs: 0,
};

const GAMEBOY_DIRECTIONS = [
  { channel: 'up', role: 'command_0' },
  { channel: 'down', role: 'command_1' },
  { channel: 'left', role: 'command_2' },
  { channel: 'right', role: 'command_3' },
] as const;

/** Right first is a fixed tie prior, disclosed on screen (spec: brain.md 14.7). */
const PLATFORMER_DIRECTIONS = [...GAMEBOY_DIRECTIONS].reverse();

const GAMEBOY_PULSES: readonly DecoderPulse[] = [
  tap('a', 'command_4', { holdMs: 85, cooldownMs: 480, threshold: 1 }),
  tap('b', 'command_5', { holdMs: 85, cooldownMs: 480, threshold: 1 }),
  system('start', 'command_6', { cooldownMs: 30_000, threshold: 1.35 }),
  system('select', 'command_7', { cooldownMs: 30_000, threshold: 1.35 }),
];

/** b may fire again before its hold ends, so it can be held down; the longest hold is 600 ms (brain.md 8.3). */
const PLATFORMER_PULSES: readonly DecoderPulse[] = [
  tap('a', 'command_4', { holdMs: 300, cooldownMs: 420, threshold: 1.1 }),
  tap('b', 'command_5', { holdMs: 600, cooldownMs: 200, threshold: 1.05 }),
  system('start', 'command_6', { cooldownMs: 600_000, threshold: 2 }),
  system('select', 'command_7', { cooldownMs: 600_000, threshold: 2 }),
];

const GAMEBOY: DecoderConfig = {
  exclusive: { ...GAMEBOY_TIMING, channels: GAMEBOY_DIRECTIONS },
  macros: null,
  pulses: GAMEBOY_PULSES,
  clearLockoutMs: 480,
};

const PRESETS: ReadonlyMap<string, DecoderConfig> = new Map([
  ['gameboy', GAMEBOY],
  ['gameboy-macros', withMacros(GAMEBOY)],
  ['prototype', { ...GAMEBOY, exclusive: { ...PROTOTYPE_TIMING, channels: GAMEBOY_DIRECTIONS } }],
  [
    'platformer',
    {
      exclusive: { ...PLATFORMER_TIMING, channels: PLATFORMER_DIRECTIONS },
      macros: null,
      pulses: PLATFORMER_PULSES,
      clearLockoutMs: 300,
    },
  ],
]);

type PulseTiming = Pick<DecoderPulse, 'holdMs' | 'cooldownMs' | 'threshold'>;

function tap(channel: string, role: string, timing: PulseTiming): DecoderPulse {
  return { channel, role, ...timing, boot: null, throttleGroup: null };
}

/** Start and select: rare in play, eager while the game has not begun, never both at once. */
function system(channel: string, role: string, timing: Omit<PulseTiming, 'holdMs'>): DecoderPulse {
  return { channel, role, holdMs: 55, ...timing, boot: { cooldownMs: 2_500, threshold: 1 }, throttleGroup: 'system' };
}
