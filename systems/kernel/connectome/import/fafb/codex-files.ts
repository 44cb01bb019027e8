/** The five Codex exports, in the order they are read and named in `meta.json` (spec: brain.md 1.2 and 2). */
export const CODEX_FILES = [
  'classification.csv.gz',
  'connections.csv.gz',
  'consolidated_cell_types.csv.gz',
  'coordinates.csv.gz',
  'column_assignment.csv.gz',
] as const;

export type CodexFile = (typeof CODEX_FILES)[number];

export const CODEX_URL = 'https://storage.googleapis.com/flywire-data/codex/data/fafb/783/';

/** SHA-256 of the compressed exports of version 783 (spec: brain.md 2). */
export const PUBLISHED_SHA256: Readonly<Record<CodexFile, string>> = {
  'classification.csv.gz': 'e946b552f4056dfc977707be0674609832c3f64332a22d69dc0d9615e7aae663',
  'connections.csv.gz': 'd49dd692e59e153aa3c83f5257bfc0eff51247b86d7bb183386c6d1622c70fc9',
  'consolidated_cell_types.csv.gz': '8aba246d71dc40361677493629972ce3883048c3d02010adc42bda22962a1a2d',
  'coordinates.csv.gz': '14337121f451f98c2576cee72c24409ada5aaf7948b7c7ca8de9040296840e05',
  'column_assignment.csv.gz': 'bdf4ce7f62cc63493d53eefad3816ff2dfd08b190e97b35a492e0e453df2f0f6',
};

/** A published value and the exports that decide it; it is expected only when those are the published ones. */
export type Published = { readonly count: number; readonly from: readonly CodexFile[] };

const CLASSES: readonly CodexFile[] = ['classification.csv.gz'];
const TYPES: readonly CodexFile[] = ['classification.csv.gz', 'consolidated_cell_types.csv.gz'];

/** Sizes of the named populations (spec: brain.md 2). */
export const PUBLISHED_ROLES: Readonly<Record<string, Published>> = {
  sensory: { count: 17_550, from: CLASSES },
  visual_l1: { count: 1_572, from: ['classification.csv.gz', 'column_assignment.csv.gz'] },
  kenyon: { count: 5_177, from: CLASSES },
  mbon: { count: 96, from: CLASSES },
  reward_pam: { count: 307, from: TYPES },
  descending: { count: 1_305, from: CLASSES },
  motor: { count: 110, from: CLASSES },
  command_0: { count: 151, from: CLASSES },
  command_1: { count: 174, from: CLASSES },
  command_2: { count: 171, from: CLASSES },
  command_3: { count: 141, from: CLASSES },
  command_4: { count: 163, from: CLASSES },
  command_5: { count: 161, from: CLASSES },
  command_6: { count: 149, from: CLASSES },
  command_7: { count: 195, from: CLASSES },
  steer_left: { count: 2, from: TYPES },
  steer_right: { count: 2, from: TYPES },
  forward: { count: 2, from: TYPES },
  backward: { count: 4, from: TYPES },
  proboscis: { count: 24, from: CLASSES },
};

/** Neurons, edges and fibres of the whole data set (spec: brain.md 1.7 and 2). */
export const PUBLISHED_TOTALS: Readonly<
  Record<'neurons' | 'edges' | 'fibres' | 'afferent' | 'intrinsic' | 'efferent', Published>
> = {
  neurons: { count: 139_255, from: CLASSES },
  edges: { count: 2_700_513, from: ['classification.csv.gz', 'connections.csv.gz'] },
  fibres: { count: 63_086, from: ['classification.csv.gz', 'connections.csv.gz'] },
  afferent: { count: 19_300, from: CLASSES },
  intrinsic: { count: 118_464, from: CLASSES },
  efferent: { count: 1_491, from: CLASSES },
};

/** Digests 2 to 7 of the published fingerprint: the portable identity of the graph (spec: brain.md 1.4). */
export const PUBLISHED_DIGESTS: Readonly<Record<string, string>> = {
  indptr: '1657ba7716494c9db95a13b1527bc129226363f99b395774de1f76ff28571f0e',
  targets: '63b1acb26272edccdcfacf3c2ff58069e0cefaa84451429c989258bafaeae1d5',
  weights: 'f567d7f07227e71c0df2ab4e6510f3a3f79e51b675095792e16d216d74b7b5b7',
  visualIndices: 'ece0b5e76d1884dd2f3ff6e0362bc284febe205ac1ce07fdab5009942ddffb62',
  visualHemisphere: 'b8c33144d4cec31c3ac4b6091ef1f4207f567c4f710f7c13fd2dc47c44c2b634',
  visualXY: 'dbbafc044cd50aad7b792615988ff6d9991c846cc3d8b2eafc86b7c357b5eefc',
};

export function remedyFor(file: CodexFile): string {
  return `Download it again from ${CODEX_URL}${file}.`;
}
