import { writeFileSync } from 'node:fs';
import { createCanvas } from '@napi-rs/canvas';
import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import { applyMessage, createReplica } from '../../engine/replica/replica.ts';
import type { Replica } from '../../engine/replica/replica.ts';
import type { ShownEvent, Snapshot } from '../../engine/replica/snapshot.ts';
import type { WireMessage } from '../../engine/replica/wire.ts';
import { createSilhouette } from '../../scenes/brain-map/silhouette.ts';
import { createRandom } from '../../scenes/direction/random.ts';
import type { StageGeometry } from '../../scenes/geometry.ts';

/** An invented orchard game, numbers as in the approved pictures. */
const RUNGS = [
  'Gate open',
  'First fig',
  'Low branch',
  'Hedge row',
  'Old well',
  'Pear hill',
  'Fig row',
  'Fig ripe',
  'Plum lane',
  'Plum ripe',
  'Stone wall',
  'Mill pond',
  'Mill top',
  'Quince row',
  'Quince ripe',
  'Storm field',
  'Far orchard',
  'Harvest',
];
const RATE_ROLES = [
  ...Array.from({ length: 8 }, (_, index) => `command_${index}`),
  'reward_pam',
  'proboscis',
  'forward',
  'backward',
  'steer_left',
  'steer_right',
  'sensory',
];
export const BUTTONS: readonly string[] = ['up', 'down', 'left', 'right', 'a', 'b', 'start', 'select'];
const RATES_HZ = [22, 9, 7, 28, 23, 10, 2, 0, 16, 4, 8, 2, 3, 6, 31];

export type DescriptorChanges = {
  readonly chat?: boolean;
  readonly origin?: 'grown' | 'rewired' | 'measured';
  readonly macros?: boolean;
  readonly revision?: number;
  readonly rungs?: readonly string[];
  readonly seeing?: boolean;
  readonly wordmark?: string;
};

export function fakeDescriptor(changes: DescriptorChanges = {}): SessionDescriptor {
  const { chat = false, origin = 'grown', macros = false, revision = 1, rungs = RUNGS, seeing = true } = changes;
  const { wordmark = 'A FLY BRAIN PLAYS WINDFALL' } = changes;
  const channels = BUTTONS.map((channel, index) => ({
    channel,
    role: `command_${index}`,
    threshold: index < 4 ? null : index < 6 ? 1 : 1.35,
  }));
  const macroNames = ['go_fruit', 'land', 'hop', 'glide', 'climb', 'drop', 'wait', 'go_back', 'eat'];
  const macroChannels = macroNames.map((name) => ({ channel: `macro_${name}`, role: `macro_${name}`, threshold: 1 }));
  return {
    sessionId: 'fixture',
    revision,
    showId: 'orchard-one-fly',
    release: '0.4.0',
    compositionDigest: '0'.repeat(64),
    schedulerId: 'lockstep-v1',
    environment: {
      kind: 'gameboy',
      stepDurationNs: { numerator: '8572265625', denominator: '512' },
      ports: [{ portId: 'p1', buttons: BUTTONS, axes: [] }],
      views: [
        {
          viewId: 'lcd',
          widthPx: 160,
          heightPx: 144,
          pixelAspect: { numerator: 1, denominator: 1 },
          observationDelaySteps: 0,
        },
      ],
      audio: [],
      recovery: 'exact-checkpoint',
      determinism: 'fixed-build',
    },
    task: {
      taskId: 'orchard',
      presentation: {
        wordmark,
        rungs,
        stuckSeconds: 7_200,
        disclosures: ['Falling in the water costs nothing. Only ground never reached before pays.'],
      },
    },
    agents: [
      {
        agentId: 'fly-a',
        portId: 'p1',
        seed: 22_222,
        supportedStimuli: ['reward-pulse'],
        vision: { differs: seeing, effect: seeing ? 0.94 : 0.01, noise: 0.02 },
        connectome: {
          name: origin === 'grown' ? 'grown twin 1' : 'FlyWire FAFB v783',
          origin,
          neurons: 139_255,
          edges: 2_700_513,
          retinaColumns: 1_572,
          credit:
            origin === 'measured'
              ? 'FlyWire FAFB v783, CC BY-NC 4.0'
              : 'Grown from counts published with FlyWire FAFB v783',
          identity: 'f'.repeat(64),
        },
        learning: 'on',
        rateRoles: RATE_ROLES,
        roleSizes: RATE_ROLES.map(() => 150),
        channels: macros ? [...channels, ...macroChannels] : channels,
      },
    ],
    chat,
  };
}

/** Snapshot `sequence`: one Game Boy frame a step, everything else as the changes say. */
export function fakeSnapshot(sequence: number, changes: Partial<Snapshot> = {}): Snapshot {
  const random = createRandom(sequence + 1);
  const rates = RATES_HZ.map(
    (rate, role) => rate * (1 + 0.45 * Math.sin(sequence / 40 + role * 1.7)) + (rate === 0 ? 0 : (random() - 0.5) * 2),
  );
  const brainMs = Math.floor((sequence * 548_625) / 32_768);
  return {
    type: 'snapshot',
    revision: 1,
    sessionId: 'fixture',
    epoch: 'e1',
    step: String(sequence),
    sequence,
    status: 'running',
    statusReason: '',
    wallMs: 1_700_000_000_000 + brainMs,
    worldMs: brainMs,
    runSeconds: 257_049 + brainMs / 1_000,
    realTimeFactor: 1,
    lagMs: 0,
    agents: [
      {
        brainMs,
        populationRateHz: 4.8,
        ratesHz: rates,
        scores: BUTTONS.map((_, index) => (rates[index]! + 1) / ((RATES_HZ[index]! + 1) / 1.15)),
        choices: { entropyBits: 1.62, frozen: false },
        spikeCount: 11_240,
        learning: {
          enabled: true,
          synapses: 16_384,
          updates: 15_000,
          changed: 90,
          synapsesMoved: 3_127,
          signal: 0.3,
        },
        stimulusRemainingMs: 0,
        decision: ['right', 'a'],
        appliedButtons: BUTTONS.map((button) => button === 'right' || button === 'a'),
        appliedAxes: [],
        rewardTotal: 61.4,
      },
    ],
    progress: {
      schema: 'ladder.progress.v1',
      rank: 6,
      earned: RUNGS.map((_, rung) => rung <= 6),
      mode: 'in the level',
      playing: true,
      facts: [
        { text: '2/8', glyph: 'fruit' },
        { text: '214 places', glyph: null },
      ],
      attempts: 3,
      rewardTotal: 61.4,
      uniquePlaces: 214,
    },
    rungSeconds: 38 * 60,
    sugar: { active: false, remainingMs: 0, cooldownMs: 0, windowMs: 60_000, lastBy: null, todayCount: 0 },
    chat: [],
    events: [],
    droppedBefore: 0,
    discontinuity: false,
    ...changes,
  };
}

export function fakeEvent(id: number, changes: Partial<ShownEvent> = {}): ShownEvent {
  return {
    id,
    wallMs: 1_700_000_000_000 + id * 30_000,
    brainMs: id * 30_000,
    kind: 'reward',
    tier: 'quiet',
    label: 'fig picked, 12 this try',
    value: 0.1,
    agentIndex: 0,
    dedupeKey: `event-${id}`,
    dedupeMs: 0,
    ...changes,
  };
}

export const HISTORY: readonly ShownEvent[] = [
  fakeEvent(1, { label: 'run started', kind: 'system', value: null }),
  fakeEvent(2, { label: 'new ground fig row, column 55', value: 0.25 }),
  fakeEvent(3, { label: 'fig picked, 12 this try', value: 0.1 }),
  fakeEvent(4, { label: 'sugar by moss_piglet, 400 ms pulse', kind: 'sugar', value: null }),
  fakeEvent(5, { label: 'new ground fig row, column 56', value: 0.25 }),
];

export const CHAT: Snapshot['chat'] = [
  { id: 1, by: 'nightshift_ana', text: 'that glide over the water was clean', bot: false },
  { id: 2, by: '8bit_tomas', text: 'up, go up, the big fig is right there', bot: false },
  { id: 3, by: 'moss_piglet', text: 'first fig of the day', bot: false },
  { id: 4, by: 'orchard_bot', text: 'sugar pulse for moss_piglet, 400 ms, no button pressed', bot: true },
  { id: 5, by: 'quietcoder', text: 'how many tries on this row', bot: false },
  { id: 6, by: 'ada_in_the_lab', text: 'left eye lights up when the spider swings in', bot: false },
  { id: 7, by: 'fennel_root', text: 'day 3 and already two ripe ones, respect', bot: false },
];

/** A replica that has taken `descriptor`; feed it with `feed`. */
export function openReplica(descriptor: SessionDescriptor): Replica {
  const replica = createReplica();
  applyMessage(replica, { header: { type: 'descriptor', descriptor }, attachments: [] }, 0);
  return replica;
}

export function feed(replica: Replica, snapshot: Snapshot, nowMs: number, geometry: StageGeometry | null = null): void {
  const attachments: WireMessage['attachments'][number][] = [
    { kind: 'view', index: 0, bytes: gamePicture(snapshot.sequence) },
  ];
  if (geometry !== null) attachments.push({ kind: 'spikes', index: 0, bytes: fakeSpikes(geometry, snapshot.sequence) });
  applyMessage(replica, { header: snapshot, attachments }, nowMs);
}

let silhouette: StageGeometry | null = null;
export function fakeGeometry(): StageGeometry {
  silhouette ??= createSilhouette(139_255, 1);
  return silhouette;
}

/** Spikes as a driven brain has them: eyes and their columns busy, the centre sparse. About 12,000 a step. */
export function fakeSpikes(geometry: StageGeometry, step: number): Uint8Array {
  const bits = new Uint8Array((geometry.neurons + 7) >> 3);
  const random = createRandom(step * 7_919 + 3);
  const set = (neuron: number): void => {
    bits[neuron >> 3]! |= 1 << (neuron & 7);
  };
  for (let k = 0; k < 9_000; k++) set(Math.floor(random() * geometry.neurons));
  for (const [role, count] of [
    ['optic', 3_000],
    ['reward_pam', 24],
    ['descending', 120],
    ['kenyon', 160],
  ] as const) {
    const members = geometry.roles.get(role);
    if (members === undefined) continue;
    for (let k = 0; k < count; k++) set(members[Math.floor(random() * members.length)]!);
  }
  return bits;
}

const SHADES = [0xe8efc4, 0xa3bf6c, 0x4a7a58, 0x16291f] as const;

const pictures = new Map<number, Uint8Array>();

/** A 160x144 orchard in four shades; the fly moves with `step`. */
export function gamePicture(step: number): Uint8Array {
  const known = pictures.get(step % 256);
  if (known !== undefined) return known;
  const rgba = new Uint8Array(160 * 144 * 4);
  const dot = (x: number, y: number, shade: number): void => {
    if (x < 0 || y < 0 || x >= 160 || y >= 144) return;
    const rgb = SHADES[shade]!;
    rgba.set([(rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255, 255], (y * 160 + x) * 4);
  };
  const rect = (x: number, y: number, w: number, h: number, shade: number): void => {
    for (let j = y; j < y + h; j++) for (let i = x; i < x + w; i++) dot(i, j, shade);
  };
  const disc = (cx: number, cy: number, rx: number, ry: number, shade: number): void => {
    for (let j = -ry; j <= ry; j++)
      for (let i = -rx; i <= rx; i++) if ((i / rx) ** 2 + (j / ry) ** 2 <= 1) dot(cx + i, cy + j, shade);
  };
  rect(0, 0, 160, 144, 0);
  disc(28, 30, 15, 4, 1);
  disc(74, 24, 10, 3, 1);
  disc(146, 27, 9, 3, 1);
  for (let x = 0; x < 160; x++) {
    const hill = 84 + Math.round(9 * Math.sin(x / 21) + 4 * Math.sin(x / 7));
    for (let y = hill; y < 122; y++) dot(x, y, y > 104 && (x + y) % 2 === 0 ? 2 : 1);
  }
  for (const [x, y] of [
    [18, 82],
    [144, 70],
  ] as const) {
    rect(x - 3, y + 8, 7, 34, 2);
    disc(x, y, 24, 20, 3);
    disc(x, y, 23, 19, 2);
    disc(x - 6, y - 5, 13, 9, 1);
    for (let k = 0; k < 5; k++) disc(x - 14 + k * 7, y + (k % 2) * 8 - 2, 2, 3, 3);
  }
  rect(60, 96, 36, 5, 1);
  rect(60, 101, 36, 2, 3);
  rect(100, 74, 26, 5, 1);
  rect(100, 79, 26, 2, 3);
  rect(0, 122, 160, 22, 2);
  rect(0, 122, 160, 3, 0);
  for (let k = 0; k < 60; k++) dot((k * 37) % 160, 128 + ((k * 13) % 15), k % 2 === 0 ? 3 : 1);
  rect(74, 122, 18, 22, 1);
  rect(74, 134, 18, 10, 3);
  const flyX = 54 + Math.round(14 * Math.sin(step / 22));
  const flyY = 62 + Math.round(6 * Math.sin(step / 9));
  disc(flyX - 12, flyY + 2, 12, 6, 3);
  disc(flyX - 8, flyY + 1, 3, 5, 1);
  disc(flyX + 3, flyY, 9, 7, 3);
  disc(flyX + 3, flyY - 1, 7, 5, 2);
  disc(flyX + 14, flyY - 1, 6, 6, 3);
  disc(flyX + 15, flyY - 2, 4, 4, 0);
  disc(flyX - 6, flyY - 10 - (step % 4 < 2 ? 2 : 0), 8, 8, 3);
  disc(flyX - 6, flyY - 10 - (step % 4 < 2 ? 2 : 0), 7, 7, 1);
  for (let k = 0; k < 3; k++) rect(flyX - 4 + k * 6, flyY + 6, 1, 7, 3);
  disc(118, 40, 7, 7, 3);
  disc(117, 39, 5, 5, 2);
  rect(0, 0, 160, 15, 3);
  rect(0, 15, 160, 1, 1);
  for (let k = 0; k < 4; k++) rect(6 + k * 9, 4, 6, 7, 0);
  for (let k = 0; k < 3; k++) disc(116 + k * 12, 7, 4, 3, k < 2 ? 0 : 2);
  pictures.set(step % 256, rgba);
  return rgba;
}

/** Writes RGBA bytes as a PNG, for the eye. */
export function writePng(path: string, rgba: Uint8Array, width: number, height: number): void {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const image = context.createImageData(width, height);
  image.data.set(rgba);
  context.putImageData(image, 0, 0);
  writeFileSync(path, canvas.toBuffer('image/png'));
}
