import { KINDS, Kind } from './cell-kinds.ts';

/**
 * Where a share of a neuron's edges goes.
 * `column`: a cell of `to` in its own retina column, or with `reach` in 256ths in a neighbouring one.
 * `field`: a neuron of `to` whose field holds this one's place in the picture; `reach` is the chance of a next tile.
 * `pool`: any neuron of `to`; `reach` is the chance of the other half of the brain.
 * `near`: a neuron of `to` at about the same height; `reach` as for `pool`.
 * `command`: a descending neuron, its pool drawn by what this neuron's place in the picture excites or inhibits.
 */
export type WiringRule = {
  readonly how: 'column' | 'field' | 'pool' | 'near' | 'command';
  readonly to: Kind;
  readonly reach: number;
  readonly share: number;
};

const column = (to: Kind, share: number, reach: number): WiringRule => ({ how: 'column', to, reach, share });
const field = (to: Kind, share: number, reach = 90): WiringRule => ({ how: 'field', to, reach, share });
const pool = (to: Kind, share: number, reach = 50): WiringRule => ({ how: 'pool', to, reach, share });
const near = (to: Kind, share: number, reach = 50): WiringRule => ({ how: 'near', to, reach, share });
const command = (share: number): WiringRule => ({ how: 'command', to: Kind.Descending, reach: 0, share });

/** Central neurons talk to their neuropil and a little to everything else. */
const central = (share: number): WiringRule[] => [
  near(Kind.CentralOn, 0.42 * share),
  near(Kind.CentralOff, 0.3 * share),
  pool(Kind.CentralOn, 0.17 * share, 90),
  pool(Kind.CentralOff, 0.11 * share, 90),
];

/**
 * The shape of the twin (spec: twin.md 4). The eye reaches a command pool in at most four edges: L1, medulla or lobula,
 * visual projection, descending. Shares are relative; a row's edges are drawn independently.
 */
const RULES: Readonly<Record<Kind, readonly WiringRule[]>> = {
  [Kind.OuterReceptor]: [column(Kind.L1, 12, 10), column(Kind.LaminaOn, 60, 20), column(Kind.LaminaOff, 28, 20)],
  [Kind.InnerReceptor]: [
    column(Kind.MedullaOn, 62, 20),
    column(Kind.MedullaOff, 24, 30),
    column(Kind.LobulaOn, 14, 20),
  ],
  [Kind.Ocellar]: [pool(Kind.VisualProjection, 40), ...central(40), pool(Kind.Descending, 20)],
  [Kind.L1]: [
    column(Kind.Relay, 30, 40),
    column(Kind.MedullaOn, 36, 40),
    column(Kind.MedullaOff, 24, 40),
    column(Kind.LaminaOff, 12, 30),
    column(Kind.LobulaOn, 4, 40),
  ],
  [Kind.LaminaOn]: [column(Kind.MedullaOn, 62, 30), column(Kind.MedullaOff, 28, 40), column(Kind.LobulaOn, 10, 30)],
  [Kind.LaminaOff]: [
    column(Kind.LaminaOn, 34, 60),
    column(Kind.MedullaOn, 24, 60),
    column(Kind.L1, 12, 30),
    column(Kind.OuterReceptor, 16, 60),
    column(Kind.InnerReceptor, 8, 60),
    column(Kind.MotionDetector, 6, 40),
  ],
  [Kind.Relay]: [
    field(Kind.VisualProjection, 50),
    field(Kind.WideField, 24),
    column(Kind.MedullaOn, 8, 60),
    column(Kind.MotionDetector, 10, 60),
    column(Kind.LobulaOn, 8, 60),
  ],
  [Kind.MedullaOn]: [
    column(Kind.MedullaOn, 30, 90),
    column(Kind.MedullaOff, 15, 90),
    column(Kind.MotionDetector, 20, 70),
    column(Kind.LobulaOn, 15, 80),
    field(Kind.WideField, 16),
    field(Kind.VisualProjection, 4),
  ],
  [Kind.MedullaOff]: [
    column(Kind.MedullaOn, 46, 130),
    column(Kind.MedullaOff, 12, 130),
    column(Kind.MotionDetector, 18, 110),
    column(Kind.LobulaOn, 16, 110),
    field(Kind.WideField, 4),
    field(Kind.VisualProjection, 4),
  ],
  [Kind.MotionDetector]: [
    column(Kind.MotionDetector, 40, 120),
    column(Kind.LobulaOn, 10, 120),
    field(Kind.WideField, 40),
    field(Kind.VisualProjection, 10),
  ],
  [Kind.LobulaOn]: [
    column(Kind.LobulaOn, 26, 130),
    column(Kind.MotionDetector, 10, 130),
    field(Kind.WideField, 30),
    field(Kind.VisualProjection, 16),
    column(Kind.MedullaOn, 18, 130),
  ],
  [Kind.WideField]: [
    field(Kind.WideField, 10, 150),
    column(Kind.MedullaOn, 40, 220),
    column(Kind.MedullaOff, 10, 220),
    column(Kind.LobulaOn, 22, 220),
    column(Kind.LaminaOn, 8, 220),
    field(Kind.VisualProjection, 10, 150),
  ],
  [Kind.VisualProjection]: [
    field(Kind.GlomerulusOn, 26),
    field(Kind.GlomerulusOff, 24),
    field(Kind.VisualProjection, 12),
    ...central(20),
    command(18),
    pool(Kind.Tubercle, 1),
    pool(Kind.VisualCentrifugal, 3),
  ],
  [Kind.VisualCentrifugal]: [
    field(Kind.WideField, 30, 150),
    field(Kind.VisualProjection, 30, 150),
    field(Kind.GlomerulusOn, 20, 150),
    ...central(20),
  ],
  [Kind.Kenyon]: [near(Kind.Kenyon, 84, 4), pool(Kind.Dan, 4, 10), pool(Kind.Apl, 12, 0)],
  [Kind.Mbon]: [
    ...central(62),
    pool(Kind.Dan, 14),
    near(Kind.LateralHorn, 6),
    pool(Kind.Descending, 12),
    pool(Kind.CentralComplex, 6),
  ],
  [Kind.Dan]: [pool(Kind.Kenyon, 52, 10), ...central(36), pool(Kind.Dan, 12)],
  [Kind.CentralComplex]: [pool(Kind.CentralComplex, 84, 128), ...central(14), pool(Kind.Descending, 2)],
  [Kind.AlProjection]: [
    near(Kind.LateralHorn, 28, 10),
    near(Kind.AlLocal, 24, 20),
    ...central(38),
    near(Kind.AlProjection, 10),
  ],
  [Kind.AlLocal]: [near(Kind.AlProjection, 46, 10), near(Kind.AlLocal, 34, 10), near(Kind.Olfactory, 20, 10)],
  [Kind.LateralHorn]: [...central(70), near(Kind.LateralHorn, 20), pool(Kind.Dan, 4), near(Kind.AlProjection, 6)],
  [Kind.Tubercle]: [pool(Kind.CentralComplex, 90, 30), ...central(10)],
  [Kind.GlomerulusOn]: [
    field(Kind.GlomerulusOn, 18),
    field(Kind.GlomerulusOff, 18),
    ...central(38),
    command(18),
    field(Kind.VisualProjection, 4),
    pool(Kind.VisualCentrifugal, 4),
  ],
  [Kind.GlomerulusOff]: [
    field(Kind.GlomerulusOn, 30),
    field(Kind.GlomerulusOff, 10),
    ...central(24),
    command(24),
    field(Kind.VisualProjection, 18),
    pool(Kind.VisualCentrifugal, 2),
  ],
  [Kind.CentralOn]: [
    ...central(74),
    pool(Kind.Descending, 3),
    pool(Kind.Dan, 2.5),
    pool(Kind.CentralComplex, 5),
    pool(Kind.LateralHorn, 2),
    pool(Kind.GlomerulusOn, 4),
    pool(Kind.Motor, 1.5),
    pool(Kind.Mbon, 0.5),
    pool(Kind.Endocrine, 0.5),
    pool(Kind.Ascending, 1),
  ],
  [Kind.CentralOff]: [
    ...central(76),
    pool(Kind.Descending, 19),
    pool(Kind.Dan, 2),
    pool(Kind.CentralComplex, 5),
    pool(Kind.LateralHorn, 2),
    pool(Kind.GlomerulusOn, 3),
    pool(Kind.Motor, 1),
    pool(Kind.Mbon, 0.5),
    pool(Kind.Ascending, 1.5),
  ],
  [Kind.Apl]: [pool(Kind.Kenyon, 100, 0)],
  [Kind.Ascending]: [...central(70), near(Kind.Ascending, 10), pool(Kind.Descending, 20)],
  [Kind.Descending]: [near(Kind.Descending, 18, 70), ...central(66), pool(Kind.Motor, 10), pool(Kind.Ascending, 6)],
  [Kind.SensoryAscending]: [...central(64), near(Kind.Ascending, 20), near(Kind.Descending, 16)],
  [Kind.Motor]: [...central(80), pool(Kind.Motor, 20)],
  [Kind.Endocrine]: [...central(100)],
  [Kind.Mechanosensory]: [
    ...central(72),
    near(Kind.Mechanosensory, 12),
    near(Kind.Descending, 10),
    near(Kind.Ascending, 6),
  ],
  [Kind.Olfactory]: [near(Kind.AlProjection, 46, 110), near(Kind.AlLocal, 46, 110), near(Kind.Olfactory, 8, 80)],
  [Kind.Gustatory]: [...central(64), pool(Kind.Motor, 24), pool(Kind.Dan, 12)],
  [Kind.OtherSensory]: [...central(60), near(Kind.AlProjection, 40)],
};

/** Rules of every kind with cumulative shares in 2^16ths, ready for one draw. `Kind` order. */
export const WIRING: readonly { readonly rules: readonly WiringRule[]; readonly upTo: Uint32Array }[] = KINDS.map(
  (_, kind) => {
    const rules = RULES[kind as Kind];
    let total = 0;
    for (const { share } of rules) total += share;
    let sum = 0;
    const upTo = Uint32Array.from(rules, ({ share }) => Math.floor(((sum += share) / total) * 65_536 + 0.5));
    return { rules, upTo };
  },
);

/** Contacts of some kind pairs relative to their source's usual strength, 256 = 1; `source * KINDS.length + target`. */
export const PAIR_STRENGTH: Uint16Array = createPairStrength();

function createPairStrength(): Uint16Array {
  const strength = new Uint16Array(KINDS.length * KINDS.length).fill(256);
  const set = (from: Kind, to: Kind, value: number): number => (strength[from * KINDS.length + to] = value);
  set(Kind.L1, Kind.Relay, 950);
  set(Kind.Relay, Kind.VisualProjection, 460);
  set(Kind.L1, Kind.LaminaOff, 1_500);
  set(Kind.LaminaOff, Kind.L1, 1_900);
  set(Kind.VisualProjection, Kind.Descending, 1_300);
  set(Kind.GlomerulusOn, Kind.Descending, 1_100);
  set(Kind.GlomerulusOff, Kind.Descending, 620);
  return strength;
}
