import { createFlyBody } from './body.ts';
import type { FlyBody, Material } from './body.ts';
import type { Drives } from './drives.ts';
import { colour, mix } from '../theme.ts';

/** The body moved by measured drives (spec: show.md 106). `legs` holds 6 legs x 4 joints x 3 coordinates, fly space. */
export type FlyRig = {
  readonly body: FlyBody;
  readonly legs: Float64Array;
  /** Wing angles behind the present one that are drawn as ghosts, radians, newest first. */
  readonly ghosts: Float64Array;
  colourOf(material: Material): number;
  readonly legColour: () => number;
  /** @param brainMs the brain's own clock: the fly stands still when it stops */
  step(drives: Drives, brainMs: number): void;
};

const STEP_HZ = 2.2;
const STRIDE = 0.26;
const LIFT = 0.16;
const YAW_LIMIT = 0.12;
const STRIDE_TURN = 0.85;
const STRIDE_MIN = 0.15;
const STRIDE_MAX = 1.85;
const WING_MIN_HZ = 3;
const WING_MAX_HZ = 22;
const WING_MIN_SWING = 0.015;
const WING_MAX_SWING = 0.2;
const HALTERE_PART = 0.35;
const MOUTH_MIN = 0.1;
const MOUTH_MAX = 0.52;
const BREATH_RATE = 2.4;
/** A jump of the brain clock resets every phase (show.md 110). */
const JUMP_MS = 250;
/** Head towards the panel on the right, three quarters to the viewer (mockups, proposal 2). */
const BASE_YAW = (-130 * Math.PI) / 180;
/** The side a fly looks to: the panel that it feeds. */
export type Facing = 'left' | 'right';
/** Folded a little outwards from the body's axis. */
const WING_SPREAD = 0.35;
export const GHOST_COUNT = 3;

/** Hip, knee, ankle and foot at rest, right side, front to back. */
const LEG_REST: readonly (readonly (readonly [number, number, number])[])[] = [
  [
    [0.2, 0.56, 0.3],
    [0.52, 0.92, 0.62],
    [0.74, 0.34, 0.98],
    [0.82, 0, 1.16],
  ],
  [
    [0.25, 0.53, 0.04],
    [0.72, 0.95, 0.06],
    [1.02, 0.34, 0.12],
    [1.2, 0, 0.14],
  ],
  [
    [0.22, 0.54, -0.22],
    [0.66, 0.94, -0.5],
    [0.94, 0.32, -0.92],
    [1.06, 0, -1.14],
  ],
];
/** Legs 0 to 2 are the left side, 3 to 5 the right; tripods 0, 3, 4 and 1, 2, 5 (show.md 106). */
const FIRST_TRIPOD: readonly boolean[] = [true, false, false, true, true, false];

export function createFlyRig(facing: Facing = 'right'): FlyRig {
  const baseYaw = facing === 'right' ? BASE_YAW : -BASE_YAW;
  const body = createFlyBody();
  const legs = new Float64Array(6 * 4 * 3);
  const ghosts = new Float64Array(GHOST_COUNT);
  let lastBrainMs = NaN;
  let walkPhase = 0;
  let wingPhase = 0;
  let breathPhase = 0;
  let now: Drives | null = null;
  body.root.rotation.y = baseYaw;

  return {
    body,
    legs,
    ghosts,
    legColour: () =>
      mix(
        0x857b70,
        colour.motor,
        Math.max(now?.forward ?? 0, now?.backward ?? 0, now?.steerLeft ?? 0, now?.steerRight ?? 0),
      ),
    colourOf(material) {
      const drive = now;
      switch (material) {
        case 'body':
          return 0xa59d94;
        case 'pale':
          return mix(0xb8aea1, colour.dopamine, 0.75 * (drive?.glow ?? 0));
        case 'dark':
          return mix(0x37343a, colour.dopamine, 0.35 * (drive?.glow ?? 0));
        case 'eye':
          return mix(0x2f7fbd, colour.sensory, drive?.eyes ?? 0);
        case 'mouth':
          return mix(0x2f7fbd, colour.sensory, drive?.proboscis ?? 0);
        case 'wing':
        case 'haltere':
          return mix(0x908c86, colour.motor, drive?.wings ?? 0);
        case 'antenna':
          return 0x4c4744;
        default:
          return material satisfies never;
      }
    },
    step(drives, brainMs) {
      now = drives;
      const elapsedMs = brainMs - lastBrainMs;
      lastBrainMs = brainMs;
      if (!(elapsedMs >= 0 && elapsedMs <= JUMP_MS)) {
        walkPhase = 0;
        wingPhase = 0;
        breathPhase = 0;
      } else {
        const seconds = elapsedMs / 1_000;
        const direction = drives.backward > drives.forward ? -1 : 1;
        walkPhase += direction * 2 * Math.PI * STEP_HZ * seconds;
        wingPhase += 2 * Math.PI * (WING_MIN_HZ + (WING_MAX_HZ - WING_MIN_HZ) * drives.wings) * seconds;
        breathPhase += BREATH_RATE * seconds;
      }
      pose(body, baseYaw, legs, ghosts, drives, walkPhase, wingPhase, breathPhase);
    },
  };
}

function pose(
  body: FlyBody,
  baseYaw: number,
  legs: Float64Array,
  ghosts: Float64Array,
  drives: Drives,
  walkPhase: number,
  wingPhase: number,
  breathPhase: number,
): void {
  const turn = drives.steerRight - drives.steerLeft;
  body.root.rotation.y = baseYaw - Math.max(-YAW_LIMIT, Math.min(YAW_LIMIT, turn * YAW_LIMIT));
  const walk = Math.max(drives.forward, drives.backward);
  for (let leg = 0; leg < 6; leg++) {
    const side = leg < 3 ? -1 : 1;
    const rest = LEG_REST[leg % 3]!;
    const asymmetry = Math.max(STRIDE_MIN, Math.min(STRIDE_MAX, 1 - side * turn * STRIDE_TURN));
    const phase = walkPhase + (FIRST_TRIPOD[leg] === true ? 0 : Math.PI);
    const reach = STRIDE * walk * asymmetry * Math.cos(phase);
    const lift = LIFT * walk * Math.max(0, Math.sin(phase));
    for (let joint = 0; joint < 4; joint++) {
      const follow = joint / 3;
      const [x, y, z] = rest[joint]!;
      const at = (leg * 4 + joint) * 3;
      legs[at] = side * x;
      legs[at + 1] = y + lift * follow;
      legs[at + 2] = z + reach * follow;
    }
  }
  const swing = WING_MIN_SWING + (WING_MAX_SWING - WING_MIN_SWING) * drives.wings;
  const angle = Math.sin(wingPhase) * swing;
  // ghosts lie on the path of the beat, so a still wing has none
  for (let k = 0; k < GHOST_COUNT; k++) ghosts[k] = Math.sin(wingPhase - (k + 1) * 0.9) * swing * (1 + 0.35 * (k + 1));
  setWings(body, angle);
  body.halteres.forEach((hinge, side) => (hinge.rotation.z = (side === 0 ? 1 : -1) * angle * HALTERE_PART * -1));
  const mouth = drives.proboscis * drives.proboscis * (3 - 2 * drives.proboscis);
  body.proboscis.scale.set(1, MOUTH_MIN + (MOUTH_MAX - MOUTH_MIN) * mouth + 0.08, 1);
  const breath = 1 + (0.012 + 0.05 * drives.breathing) * Math.sin(breathPhase);
  body.abdomen.scale.set(breath, 1, breath);
}

/** Raises both wings by `angle` radians from their rest. */
export function setWings(body: FlyBody, angle: number): void {
  body.wings.forEach((hinge, index) => {
    const side = index === 0 ? -1 : 1;
    hinge.rotation.set(0.16 + angle * 1.5, side * WING_SPREAD * -1, side * (0.12 + angle * 2));
  });
}
