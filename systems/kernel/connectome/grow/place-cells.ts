import { KINDS, Kind, NEURONS } from './cell-kinds.ts';
import type { EyeColumns } from './eye-columns.ts';
import { EYE_ROWS } from './eye-columns.ts';
import { TURN, exactCos, exactSin } from './exact-math.ts';
import { bell, createRandom, unit } from './random.ts';
import type { Random } from './random.ts';
import type { TwinCells } from './twin-cells.ts';

/** A place in the right-hand half of the picture (the fly's left): x grows outwards, y up, z towards the viewer. */
type Place = { x: number; y: number; z: number };
type Point = readonly [number, number, number];
type Blob = { readonly share: number; readonly at: Point; readonly radius: Point };

/**
 * Gives every neuron its place, shaped like a fly brain seen from the front: two lobes as combs of columns, glomeruli,
 * antennal lobes, mushroom bodies, the central complex, the oesophagus hole, and tracts that leave through the neck.
 * Neurons that look somewhere get their field too. Proportions are drawn, not measured.
 */
export function placeCells(cells: TwinCells, eye: EyeColumns, seed: number): void {
  const random = createRandom(seed, 2);
  const place: Place = { x: 0, y: 0, z: 0 };
  for (let i = 0; i < NEURONS; i++) {
    const kind = cells.kind[i]!;
    if (cells.column[i]! >= 0) placeInColumn(cells, i, eye, random, place);
    else if (hasField(kind)) placeWithField(cells, i, eye, random, place);
    else cells.slot[i] = placeByKind(kind as Kind, random, place);
    const outwards = cells.half[i] === 0 ? 1 : -1; // seen from the front, the fly's left is on the viewer's right
    cells.positions[3 * i] = outwards * place.x;
    cells.positions[3 * i + 1] = place.y;
    cells.positions[3 * i + 2] = place.z;
  }
  centre(cells.positions);
}

/** Where a comb's teeth meet, and how far they reach. */
const HUB: Point = [0.45, 0.0, -0.02];
const LOBE_RADIUS = 0.545;
const LOBE_HALF_ANGLE = 1.12; // radians, 64 degrees up and down

/** Depth of a cell within its column, 0 hub to 1 rim, by kind: [from, to]. */
const LAYERS: ReadonlyMap<number, readonly [number, number]> = new Map([
  [Kind.OuterReceptor, [0.66, 1.0]],
  [Kind.InnerReceptor, [0.3, 0.97]],
  [Kind.L1, [0.78, 0.93]],
  [Kind.LaminaOn, [0.66, 0.94]],
  [Kind.LaminaOff, [0.6, 0.9]],
  [Kind.Relay, [0.5, 0.8]],
  [Kind.MedullaOn, [0.3, 0.76]],
  [Kind.MedullaOff, [0.26, 0.74]],
  [Kind.MotionDetector, [0.04, 0.36]],
  [Kind.LobulaOn, [0.08, 0.5]],
]);

function placeInColumn(cells: TwinCells, i: number, eye: EyeColumns, random: Random, place: Place): void {
  const column = cells.column[i]!;
  const [from, to] = LAYERS.get(cells.kind[i]!)!;
  // cells of one column and kind stack in depth by their slot, which draws the layers
  const perColumn = KINDS[cells.kind[i]!]!.perColumn;
  const depth = from + ((to - from) * (cells.slot[i]! + 0.5 + 0.45 * bell(random))) / perColumn;
  const layer = Math.max(0, Math.min(1.02, depth));
  const across = (eye.doubledX[column]! / 59) * 2 - 1;
  const up = 1 - (eye.row[column]! / (EYE_ROWS - 1)) * 2;
  placeOnTooth(across, up, layer, random, place);
  cells.fieldX[i] = eye.fieldX[column]!;
  cells.fieldY[i] = eye.fieldY[column]!;
}

/**
 * A point on the tooth of retina row `up` (-1 bottom, 1 top), column `across` (-1 left edge of the picture, 1 right
 * edge), at `layer` (0 hub, 1 rim). Columns of a row lie behind each other; the eye's curve pulls the outer ones in.
 */
function placeOnTooth(across: number, up: number, layer: number, random: Random, place: Place): void {
  const edge = up < 0 ? -up : up;
  const inner = 0.11 + 0.21 * edge * Math.sqrt(edge);
  const rim = LOBE_RADIUS * (0.965 + 0.035 * across - 0.07 * across * across);
  const radius = inner + (rim - inner) * layer;
  // a tooth is half as wide as the gap between two teeth, and bends towards the equator near the hub
  const angle = LOBE_HALF_ANGLE * up * (0.86 + 0.14 * layer) + 0.0092 * bell(random) * (0.5 + 0.5 * layer);
  place.z = HUB[2] + across * (0.03 + 0.05 * layer) + 0.01 * bell(random) - 0.05 * (1 - layer);
  // near columns are drawn larger; shrinking them by as much keeps the teeth of a comb apart in perspective
  const shrink = 1 - 0.2 * place.z;
  place.x = HUB[0] + radius * exactCos(angle) - 0.02 * edge * (1 - layer);
  place.y = (HUB[1] + radius * exactSin(angle)) * shrink;
}

function hasField(kind: number): boolean {
  return (
    kind === Kind.WideField ||
    kind === Kind.VisualProjection ||
    kind === Kind.VisualCentrifugal ||
    kind === Kind.GlomerulusOn ||
    kind === Kind.GlomerulusOff
  );
}

/** Optic glomeruli: bundles that fan out from the hub towards the middle of the brain. */
const GLOMERULI: readonly Point[] = [
  [0.365, 0.128, 0.0],
  [0.315, 0.098, 0.04],
  [0.345, 0.058, 0.08],
  [0.275, 0.046, 0.02],
  [0.325, 0.012, 0.09],
  [0.262, -0.012, 0.05],
  [0.315, -0.04, 0.07],
  [0.268, -0.078, 0.02],
  [0.325, -0.1, 0.05],
  [0.375, -0.132, 0.0],
  [0.245, -0.125, 0.03],
];

function placeWithField(cells: TwinCells, i: number, eye: EyeColumns, random: Random, place: Place): void {
  const kind = cells.kind[i]!;
  const column = random.below(eye.row.length);
  cells.fieldX[i] = eye.fieldX[column]!;
  cells.fieldY[i] = eye.fieldY[column]!;
  const across = (eye.doubledX[column]! / 59) * 2 - 1;
  const up = 1 - (eye.row[column]! / (EYE_ROWS - 1)) * 2;
  if (kind === Kind.WideField) {
    placeOnTooth(across, up, 0.02 + 0.72 * unit(random), random, place);
    return;
  }
  const glomerulus = GLOMERULI[random.below(GLOMERULI.length)]!;
  // a bundle gathers behind the lobe (t = 0) and runs to its glomerulus (t = 1); glomeruli cells sit at the end
  const t = kind === Kind.VisualProjection ? unit(random) : 0.8 + 0.16 * bell(random);
  const gather = 1 - t;
  const fan = gather * Math.sqrt(gather > 0 ? gather : 0);
  const bulge = 4 * t * gather * (glomerulus[1] > 0 ? 0.024 : -0.024);
  const thickness = 0.0065 + 0.012 * gather * gather + (kind === Kind.VisualProjection ? 0 : 0.009);
  place.x = glomerulus[0] + (HUB[0] + 0.09 - glomerulus[0]) * gather + thickness * bell(random);
  place.y = glomerulus[1] * t + bulge + fan * (HUB[1] + 0.17 * up) + thickness * bell(random);
  place.z = glomerulus[2] * t + gather * (HUB[2] - 0.03 + 0.05 * across) + 1.5 * thickness * bell(random);
}

/** Soft neuropils of the central brain: share of its neurons, centre, radii. */
const NEUROPILS: readonly Blob[] = [
  { share: 13, at: [0.12, 0.31, -0.02], radius: [0.085, 0.075, 0.1] }, // superior medial protocerebrum
  { share: 13, at: [0.29, 0.32, -0.06], radius: [0.11, 0.08, 0.12] }, // superior lateral protocerebrum
  { share: 8, at: [0.4, 0.22, -0.08], radius: [0.065, 0.085, 0.1] }, // lateral horn
  { share: 9, at: [0.15, 0.15, 0.06], radius: [0.075, 0.07, 0.1] }, // crepine
  { share: 12, at: [0.27, 0.0, 0.1], radius: [0.09, 0.11, 0.12] }, // ventrolateral protocerebrum
  { share: 7, at: [0.12, 0.03, 0.1], radius: [0.06, 0.07, 0.1] }, // lateral accessory lobe, vest
  { share: 8, at: [0.24, -0.16, -0.06], radius: [0.1, 0.09, 0.1] }, // wedge, inferior posterior slope
  { share: 7, at: [0.13, -0.1, -0.12], radius: [0.06, 0.09, 0.08] }, // superior posterior slope
  { share: 18, at: [0.12, -0.32, 0.02], radius: [0.13, 0.12, 0.12] }, // gnathal ganglia
  { share: 5, at: [0.19, -0.27, 0.1], radius: [0.09, 0.08, 0.08] }, // saddle
];

const ANTENNAL_LOBE: Point = [0.183, -0.105, 0.2];

/** Returns the strand within the kind: neurons of one strand lie along one line (lobe, arc, tract). */
function placeByKind(kind: Kind, random: Random, place: Place): number {
  switch (kind) {
    case Kind.Kenyon:
      return placeKenyon(random, place);
    case Kind.CentralComplex:
      return placeCentralComplex(random, place);
    case Kind.Mbon:
    case Kind.Dan:
      placeMushroomPartner(kind, random, place);
      return 0;
    case Kind.AlProjection:
    case Kind.AlLocal:
    case Kind.Olfactory:
      placeAntennalLobe(random, place);
      return 0;
    case Kind.Descending:
      placeDescending(random, place);
      return 0;
    case Kind.Ascending:
    case Kind.SensoryAscending:
      placeAscending(random, place);
      return 0;
    case Kind.Mechanosensory:
    case Kind.Gustatory:
      placeMouthNerve(random, place);
      return 0;
    case Kind.LateralHorn:
      inBlob(NEUROPILS[2]!, random, place);
      return 0;
    case Kind.Ocellar:
      alongTube([0.014, 0.41, 0.02], [0.045, 0.29, -0.1], unit(random), 0.006, 0.008, random, place);
      return 0;
    default:
      placeKnot(kind, random, place);
      return 0;
  }
}

/** Small groups: one soft knot each. Everything else is central. */
const KNOTS: ReadonlyMap<number, { readonly at: Point; readonly deviation: Point }> = new Map([
  [Kind.Tubercle, { at: [0.27, 0.12, 0.12], deviation: [0.018, 0.018, 0.02] }],
  [Kind.Apl, { at: [0.35, 0.22, -0.05], deviation: [0, 0, 0] }],
  [Kind.Motor, { at: [0.1, -0.36, 0.1], deviation: [0.05, 0.05, 0.04] }],
  [Kind.Endocrine, { at: [0.05, 0.37, -0.04], deviation: [0.02, 0.015, 0.02] }],
  [Kind.OtherSensory, { at: [0.11, -0.02, 0.22], deviation: [0.03, 0.03, 0.03] }],
]);

function placeKnot(kind: Kind, random: Random, place: Place): void {
  const knot = KNOTS.get(kind);
  if (knot === undefined) inBlob(NEUROPILS[pick(NEUROPIL_SHARES, random)]!, random, place);
  else around(knot.at, knot.deviation, random, place);
}

/** Polyline of a mushroom body: calyx, peduncle, heel. The lobes leave from the heel. */
const CALYX: Point = [0.395, 0.33, -0.2];
const HEEL: Point = [0.235, 0.115, 0.12];
const LOBE_TIPS: readonly Point[] = [
  [0.215, 0.385, 0.14], // alpha, upwards
  [0.265, 0.36, 0.1], // alpha prime
  [0.025, 0.075, 0.2], // beta and gamma, to the midline
  [0.05, 0.135, 0.16], // beta prime
];
const LOBE_SHARES = [32, 14, 38, 16];
/** Positive bends to the left of the way from heel to tip. */
const LOBE_BENDS = [-0.018, -0.03, 0.03, 0.02];

/** Strands: calyx 0, peduncle 1, then the four lobes. */
function placeKenyon(random: Random, place: Place): number {
  const part = random.below(100);
  if (part < 16) {
    around(CALYX, [0.05, 0.036, 0.05], random, place);
    return 0;
  }
  if (part < 38) {
    const t = unit(random);
    alongTube(CALYX, HEEL, t, 0.022, 0.013 + 0.016 * (1 - t), random, place);
    return 1;
  }
  const lobe = pick(LOBE_SHARES, random);
  const tip = LOBE_TIPS[lobe]!;
  alongTube(HEEL, tip, unit(random), LOBE_BENDS[lobe]!, 0.0165, random, place);
  if (place.x < 0.012) place.x = 0.024 - place.x; // the lobes meet but do not cross
  return 2 + lobe;
}

function placeMushroomPartner(kind: Kind, random: Random, place: Place): void {
  const tip = LOBE_TIPS[pick(LOBE_SHARES, random)]!;
  // dopamine cells gather around the lobe tips, output cells along the lobes
  const t = kind === Kind.Dan ? 0.8 + 0.25 * unit(random) : 0.4 + 0.6 * unit(random);
  alongTube(HEEL, tip, t, 0, kind === Kind.Dan ? 0.03 : 0.026, random, place);
  if (place.x < 0.008) place.x = 0.016 - place.x;
}

/** The fan (arcs), the ring, the bridge above them and the paired noduli; all across the midline. */
/** Strands: six arcs of the fan 0 to 5, the ring 6, the bridge 7, the noduli 8. */
function placeCentralComplex(random: Random, place: Place): number {
  const part = random.below(100);
  const turn = unit(random);
  if (part < 46) {
    const arc = random.below(6);
    const angle = (0.13 + 0.37 * turn) * (TURN / 2);
    const radius = 0.1 + 0.0155 * arc;
    const x = 1.35 * radius * exactCos(angle) + 0.003 * bell(random);
    const y = 0.085 + 1.02 * radius * exactSin(angle) + 0.003 * bell(random);
    set(place, x, y, -0.02 - 0.012 * arc + 0.01 * bell(random));
    return arc;
  }
  if (part < 74) {
    const angle = (turn - 0.5) * (TURN / 2);
    const radius = 0.055 + 0.007 * bell(random);
    set(place, radius * exactCos(angle), 0.125 + radius * exactSin(angle), 0.06 + 0.012 * bell(random));
    return 6;
  }
  if (part < 92) {
    const angle = (0.14 + 0.36 * turn) * (TURN / 2);
    const x = 0.2 * exactCos(angle) + 0.005 * bell(random);
    set(place, x, 0.14 + 0.155 * exactSin(angle) + 0.005 * bell(random), -0.16 + 0.012 * bell(random));
    return 7;
  }
  around([0.022, 0.05, 0.03], [0.009, 0.009, 0.01], random, place);
  return 8;
}

/** Glomeruli on a sphere, each a small knot. */
function placeAntennalLobe(random: Random, place: Place): void {
  const knot = random.below(54);
  const height = ((knot + 0.5) / 54) * 2 - 1;
  const ring = Math.sqrt(1 - height * height);
  const reach = 0.03 + 0.022 * (knot % 3);
  const turn = knot * 2.399963229728653; // golden angle
  around(
    [
      ANTENNAL_LOBE[0] + reach * ring * exactCos(turn),
      ANTENNAL_LOBE[1] + reach * height,
      ANTENNAL_LOBE[2] + reach * ring * exactSin(turn),
    ],
    [0.0075, 0.0075, 0.0075],
    random,
    place,
  );
}

const NECK: Point = [0.047, -0.53, -0.06];

/** Amber tracts: cells spread above, axons converge and leave through the neck. */
function placeDescending(random: Random, place: Place): void {
  const start: Point = [0.108 + 0.034 * bell(random), 0.035 + 0.05 * bell(random), 0.04 + 0.04 * bell(random)];
  const t = unit(random);
  alongTube(start, NECK, t, 0.022, 0.0045 + 0.004 * (1 - t), random, place);
}

/** Blue tracts beside them: fibres from the body arrive, spread out under the antennal lobe. */
function placeAscending(random: Random, place: Place): void {
  const end: Point = [0.135 + 0.03 * bell(random), -0.1 + 0.05 * bell(random), -0.02 + 0.03 * bell(random)];
  const t = unit(random);
  alongTube([0.222, -0.49, -0.06], end, t, -0.012, 0.0045 + 0.004 * t, random, place);
}

/** The nerves of mouth and antennae: a stem from below that opens like a fountain. */
function placeMouthNerve(random: Random, place: Place): void {
  const t = unit(random);
  const opening = t * t;
  place.x = Math.abs(0.112 + 0.012 * t + (0.007 + 0.036 * opening) * bell(random));
  place.y = -0.56 + 0.25 * t + (0.004 + 0.022 * opening) * bell(random);
  place.z = 0.1 + (0.008 + 0.035 * opening) * bell(random);
}

const NEUROPIL_SHARES = NEUROPILS.map(({ share }) => share);
/** The hole for the gullet: nothing lies inside this upright oval. */
const HOLE = { y: -0.075, halfWidth: 0.05, halfHeight: 0.135 };

function inBlob({ at, radius }: Blob, random: Random, place: Place): void {
  around(at, [0.5 * radius[0], 0.5 * radius[1], 0.5 * radius[2]], random, place);
  if (place.x < 0) place.x = -place.x;
  const dx = place.x / HOLE.halfWidth;
  const dy = (place.y - HOLE.y) / HOLE.halfHeight;
  const inside = dx * dx + dy * dy;
  if (inside >= 1) return;
  // pushed to the border and a little beyond, so that the rim shows
  const push = (1 + 0.12 * unit(random)) / Math.sqrt(Math.max(0.01, inside));
  place.x *= push;
  place.y = HOLE.y + (place.y - HOLE.y) * push;
}

function around(at: Point, deviation: Point, random: Random, place: Place): void {
  set(
    place,
    at[0] + deviation[0] * bell(random),
    at[1] + deviation[1] * bell(random),
    at[2] + deviation[2] * bell(random),
  );
}

/** A point at `t` of the way, bent sideways by `bend` in the middle, with a round cross-section. */
function alongTube(
  from: Point,
  to: Point,
  t: number,
  bend: number,
  thickness: number,
  random: Random,
  place: Place,
): void {
  const bow = 4 * t * (1 - t) * bend;
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const length = Math.sqrt(dx * dx + dy * dy);
  set(
    place,
    from[0] + dx * t - (bow * dy) / length + thickness * bell(random),
    from[1] + dy * t + (bow * dx) / length + thickness * bell(random),
    from[2] + (to[2] - from[2]) * t + thickness * bell(random),
  );
}

function pick(shares: readonly number[], random: Random): number {
  let total = 0;
  for (const share of shares) total += share;
  let rest = random.below(total);
  let chosen = 0;
  while (rest >= shares[chosen]!) rest -= shares[chosen++]!;
  return chosen;
}

function set(place: Place, x: number, y: number, z: number): void {
  place.x = x;
  place.y = y;
  place.z = z;
}

/** Centroid to the origin, then the largest |x| to 1. */
function centre(positions: Float32Array): void {
  const sum = [0, 0, 0];
  for (let i = 0; i < positions.length; i++) sum[i % 3]! += positions[i]!;
  const count = positions.length / 3;
  let largest = 0;
  for (let i = 0; i < positions.length; i++) {
    positions[i]! -= sum[i % 3]! / count;
    if (i % 3 === 0) largest = Math.max(largest, Math.abs(positions[i]!));
  }
  for (let i = 0; i < positions.length; i++) positions[i]! /= largest;
}
