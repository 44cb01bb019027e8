/** What a neuron of the twin is. One number a neuron; order is the order of creation. */
export const Kind = {
  OuterReceptor: 0,
  InnerReceptor: 1,
  Ocellar: 2,
  L1: 3,
  LaminaOn: 4,
  LaminaOff: 5,
  Relay: 6,
  MedullaOn: 7,
  MedullaOff: 8,
  MotionDetector: 9,
  LobulaOn: 10,
  WideField: 11,
  VisualProjection: 12,
  VisualCentrifugal: 13,
  Kenyon: 14,
  Mbon: 15,
  Dan: 16,
  CentralComplex: 17,
  AlProjection: 18,
  AlLocal: 19,
  LateralHorn: 20,
  Tubercle: 21,
  GlomerulusOn: 22,
  GlomerulusOff: 23,
  CentralOn: 24,
  CentralOff: 25,
  Apl: 26,
  Ascending: 27,
  Descending: 28,
  SensoryAscending: 29,
  Motor: 30,
  Endocrine: 31,
  Mechanosensory: 32,
  Olfactory: 33,
  Gustatory: 34,
  OtherSensory: 35,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

export const SuperClass = {
  Optic: 0,
  Central: 1,
  Sensory: 2,
  VisualProjection: 3,
  Ascending: 4,
  Descending: 5,
  SensoryAscending: 6,
  VisualCentrifugal: 7,
  Motor: 8,
  Endocrine: 9,
} as const;
export type SuperClass = (typeof SuperClass)[keyof typeof SuperClass];

export const Side = { Left: 0, Right: 1, Centre: 2, Blank: 3 } as const;
export type Side = (typeof Side)[keyof typeof Side];

/** Transmitters in the column order of twin.md 2. GABA and GLUT are negative, everything else positive. */
export const TRANSMITTERS = ['ACH', 'GLUT', 'GABA', 'SER', 'DA', 'OCT', 'none'] as const;

/** Retina columns an eye (spec: twin.md 1 and 4: 1,572 L1 cells). */
export const COLUMNS = 786;

export type SuperClassFacts = {
  readonly name: string;
  readonly right: number;
  readonly left: number;
  readonly centre: number;
  readonly blank: number;
  /** `TRANSMITTERS` order. */
  readonly transmitters: readonly number[];
};

/** Counted on the real classification (spec: twin.md 2), `SuperClass` order. */
export const SUPER_CLASSES: readonly SuperClassFacts[] = [
  {
    name: 'optic',
    right: 38_643,
    left: 39_230,
    centre: 0,
    blank: 0,
    transmitters: [47_728, 11_131, 10_634, 9, 13, 6, 8_352],
  },
  {
    name: 'central',
    right: 16_159,
    left: 16_133,
    centre: 89,
    blank: 0,
    transmitters: [19_217, 6_511, 4_342, 206, 480, 18, 1_607],
  },
  {
    name: 'sensory',
    right: 8_172,
    left: 8_660,
    centre: 76,
    blank: 30,
    transmitters: [6_760, 991, 304, 677, 63, 20, 8_123],
  },
  {
    name: 'visual_projection',
    right: 3_863,
    left: 3_821,
    centre: 0,
    blank: 0,
    transmitters: [6_554, 624, 46, 1, 1, 2, 456],
  },
  { name: 'ascending', right: 899, left: 851, centre: 0, blank: 0, transmitters: [1_035, 117, 276, 61, 7, 4, 250] },
  { name: 'descending', right: 650, left: 647, centre: 8, blank: 0, transmitters: [689, 121, 123, 31, 7, 8, 326] },
  { name: 'sensory_ascending', right: 352, left: 260, centre: 0, blank: 0, transmitters: [202, 35, 9, 26, 2, 0, 338] },
  {
    name: 'visual_centrifugal',
    right: 259,
    left: 263,
    centre: 0,
    blank: 0,
    transmitters: [94, 69, 279, 6, 11, 14, 49],
  },
  { name: 'motor', right: 56, left: 54, centre: 0, blank: 0, transmitters: [17, 6, 4, 2, 0, 0, 81] },
  { name: 'endocrine', right: 40, left: 40, centre: 0, blank: 0, transmitters: [2, 0, 0, 2, 0, 0, 76] },
];

export type KindFacts = {
  readonly name: string;
  readonly superClass: SuperClass;
  /** Cells in every retina column of both eyes; 0 for kinds that are not columnar. */
  readonly perColumn: number;
  /** Neurons left and right; null shares what the super class has left between such kinds by `count`. */
  readonly left: number;
  readonly right: number;
  /** Negative neurons among them; the rest is positive. */
  readonly negative: number;
  /** Fixed transmitter counts, `TRANSMITTERS` order; null deals from what the super class has left. */
  readonly transmitters: readonly number[] | null;
  /** Relative mean out-degree before the total is met. */
  readonly outDegree: number;
  /** Contacts of its edges relative to the mean, 256 = 1. */
  readonly strength: number;
};

const columnar = (
  name: string,
  superClass: SuperClass,
  perColumn: number,
  negative: number,
  outDegree: number,
  strength: number,
): KindFacts => ({
  name,
  superClass,
  perColumn,
  left: perColumn * COLUMNS,
  right: perColumn * COLUMNS,
  negative,
  transmitters: null,
  outDegree,
  strength,
});

const scattered = (
  name: string,
  superClass: SuperClass,
  left: number,
  right: number,
  negative: number,
  outDegree: number,
  strength: number,
  transmitters: readonly number[] | null = null,
): KindFacts => ({ name, superClass, perColumn: 0, left, right, negative, transmitters, outDegree, strength });

const { Optic, Central, Sensory } = SuperClass;

/**
 * `Kind` order. Class sizes are twin.md 2 (Kenyon, CX, ALPN, ALLN, LHLN, DAN, TuBu, MBON, sensory modalities, ...); the
 * split of the optic and the remaining central neurons is ours and adds up to the super class. Centre and blank
 * neurons are counted here on the side they are drawn on.
 */
export const KINDS: readonly KindFacts[] = [
  columnar('outer receptor', Sensory, 5, 0, 10, 100),
  columnar('inner receptor', Sensory, 2, 0, 13, 100),
  scattered('ocellar', Sensory, 211, 211, 0, 10, 200),
  columnar('L1', Optic, 1, 0, 16, 330),
  columnar('lamina, positive', Optic, 5, 0, 12, 120),
  columnar('lamina, negative', Optic, 2, 2 * 2 * COLUMNS, 30, 470),
  columnar('medulla relay', Optic, 2, 0, 46, 190),
  columnar('medulla, positive', Optic, 12, 0, 16, 120),
  columnar('medulla, negative', Optic, 6, 6 * 2 * COLUMNS, 40, 470),
  columnar('motion detector', Optic, 8, 0, 14, 120),
  columnar('lobula', Optic, 8, 484, 15, 120),
  scattered('wide field', Optic, 4_646, 4_059, 8_705, 53, 540),
  scattered('visual projection', SuperClass.VisualProjection, 3_821, 3_863, 670, 30, 170),
  scattered('visual centrifugal', SuperClass.VisualCentrifugal, 263, 259, 348, 60, 256),
  scattered('Kenyon', Central, 2_580, 2_597, 0, 15, 220, [5_177, 0, 0, 0, 0, 0, 0]),
  scattered('MBON', Central, 48, 48, 40, 50, 380, [51, 23, 17, 0, 0, 0, 5]),
  scattered('DAN', Central, 166, 165, 0, 38, 256, [46, 0, 0, 0, 285, 0, 0]),
  scattered('central complex', Central, 1_439, 1_439, 1_151, 30, 150),
  scattered('AL projection', Central, 342, 343, 211, 66, 230, [474, 8, 203, 0, 0, 0, 0]),
  scattered('AL local', Central, 214, 215, 300, 110, 330),
  scattered('lateral horn', Central, 258, 259, 447, 48, 400, [9, 307, 140, 0, 0, 0, 61]),
  scattered('tubercle', Central, 75, 75, 0, 18, 256),
  scattered('glomerulus, positive', Central, 2_500, 2_500, 0, 24, 170),
  scattered('glomerulus, negative', Central, 1_600, 1_600, 3_200, 40, 520),
  scattered('central, positive', Central, 4_209, 4_205, 0, 21, 120),
  scattered('central, negative', Central, 2_749, 2_753, 5_502, 52, 560),
  scattered('APL', Central, 1, 1, 2, 2_400, 512),
  scattered('ascending', SuperClass.Ascending, 851, 899, 393, 22, 150),
  scattered('descending', SuperClass.Descending, 651, 654, 244, 12, 215),
  scattered('sensory ascending', SuperClass.SensoryAscending, 260, 352, 44, 11, 256),
  scattered('motor', SuperClass.Motor, 54, 56, 10, 3, 200),
  scattered('endocrine', SuperClass.Endocrine, 40, 40, 0, 3, 200),
  scattered('mechanosensory', Sensory, 1_455, 1_219, 700, 15, 150),
  scattered('olfactory', Sensory, 1_243, 1_038, 350, 14, 215),
  scattered('gustatory', Sensory, 180, 154, 120, 14, 256),
  scattered('other sensory', Sensory, 120, 103, 125, 10, 256),
];

export const NEURONS = 139_255;
export const EDGES = 2_700_513;
