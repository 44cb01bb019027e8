import { Matrix4, PerspectiveCamera, Vector3 } from 'three';
import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import type { Replica } from '../../engine/replica/replica.ts';
import type { Box } from '../layout.ts';
import { deviceBox, packed } from '../raster/frame.ts';
import type { Frame } from '../raster/frame.ts';
import { addLine } from '../raster/line.ts';
import { createMeshTarget, fillTriangle } from '../raster/mesh.ts';
import { colour, mix } from '../theme.ts';
import type { Part } from './body.ts';
import { createDrives } from './drives.ts';
import { createFlyRig, setWings } from './rig.ts';
import type { Facing } from './rig.ts';

/** The fly on its floor: no text, no shine, no idle trick (spec: show.md 8, 111; mockups "The fly"). */
export type FlyPane = {
  paint(frame: Frame, replica: Replica, nowMs: number): void;
  /** For the triangle budget (show.md 109). */
  readonly triangles: number;
};

const CAMERA: readonly [number, number, number] = [0, 3.6, -4.7];
const TARGET: readonly [number, number, number] = [0, 0.45, 0.8];
/** Degrees upright for the pane of the single-fly layout; a taller pane sees as much from side to side. */
const FIELD_OF_VIEW = 25;
const FULL_ASPECT = 416 / 176;
const FLY_AT: readonly [number, number, number] = [0.16, 0, 0.56];
const FLY_SIZE = 1.06;
const LEG_RADIUS: readonly number[] = [0.075, 0.058, 0.036, 0.026];
const LEG_SIDES = 5;
const LIGHT = new Vector3(0.35, 0.75, -0.6).normalize();
const AMBIENT = 0.46;
const SHADOW = 0x0a0d12;
const WING_ALPHA = 110;
const GHOST_ALPHA = 46;
const VEIN_ALPHA = 150;

export function createFlyPane(
  scale: number,
  descriptor: SessionDescriptor,
  agentIndex: number,
  at: Box,
  facing: Facing = 'right',
): FlyPane {
  const pane = deviceBox(at, scale);
  const target = createMeshTarget(pane.width, pane.height);
  const aspect = at.width / at.height;
  const half = Math.tan(((FIELD_OF_VIEW / 2) * Math.PI) / 180) * Math.max(1, FULL_ASPECT / aspect);
  const camera = new PerspectiveCamera((Math.atan(half) * 360) / Math.PI, pane.width / pane.height, 0.1, 60);
  camera.position.set(...CAMERA);
  camera.lookAt(...TARGET);
  camera.updateMatrixWorld();
  const view = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const floor = drawFloor(view, pane.width, pane.height);
  const rig = createFlyRig(facing);
  const [x, y, z] = FLY_AT;
  rig.body.root.position.set(facing === 'right' ? x : -x, y, z);
  rig.body.root.scale.setScalar(FLY_SIZE);
  const measure = createDrives(descriptor, agentIndex);
  const world = new Float64Array(9);
  const screen = new Float64Array(9);

  function emit(rgb: number, alpha: number): void {
    const ux = world[3]! - world[0]!;
    const uy = world[4]! - world[1]!;
    const uz = world[5]! - world[2]!;
    const vx = world[6]! - world[0]!;
    const vy = world[7]! - world[1]!;
    const vz = world[8]! - world[2]!;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
    // seen from its back a face is lit as its front would be: windings differ between the parts' builders
    const away = nx * (CAMERA[0] - world[0]!) + ny * (CAMERA[1] - world[1]!) + nz * (CAMERA[2] - world[2]!) < 0;
    const facing = ((nx * LIGHT.x + ny * LIGHT.y + nz * LIGHT.z) / length) * (away ? -1 : 1);
    const lit = alpha < 256 ? 1 : AMBIENT + (1 - AMBIENT) * Math.max(0, facing) + 0.12 * Math.min(0, facing);
    const e = view.elements;
    for (let k = 0; k < 9; k += 3) {
      const x = world[k]!;
      const y = world[k + 1]!;
      const z = world[k + 2]!;
      const inverse = 1 / (e[3] * x + e[7] * y + e[11] * z + e[15]);
      screen[k] = (pane.width / 2) * (1 + (e[0] * x + e[4] * y + e[8] * z + e[12]) * inverse);
      screen[k + 1] = (pane.height / 2) * (1 - (e[1] * x + e[5] * y + e[9] * z + e[13]) * inverse);
      screen[k + 2] = inverse;
    }
    fillTriangle(target, screen, mix(SHADOW, rgb, Math.min(1, lit)), alpha);
  }

  function drawPart(part: Part, rgb: number, alpha: number): void {
    const e = part.object.matrixWorld.elements;
    const { triangles } = part;
    for (let t = 0; t < triangles.length; t += 9) {
      for (let k = 0; k < 9; k += 3) {
        const x = triangles[t + k]!;
        const y = triangles[t + k + 1]!;
        const z = triangles[t + k + 2]!;
        world[k] = e[0] * x + e[4] * y + e[8] * z + e[12];
        world[k + 1] = e[1] * x + e[5] * y + e[9] * z + e[13];
        world[k + 2] = e[2] * x + e[6] * y + e[10] * z + e[14];
      }
      emit(rgb, alpha);
    }
  }

  const ringA = new Float64Array(LEG_SIDES * 3);
  const ringB = new Float64Array(LEG_SIDES * 3);
  function drawLegs(): void {
    const rgb = rig.legColour();
    const matrix = rig.body.root.matrixWorld.elements;
    for (let leg = 0; leg < 6; leg++) {
      for (let joint = 0; joint < 3; joint++) {
        const from = (leg * 4 + joint) * 3;
        tube(rig.legs, from, LEG_RADIUS[joint]!, matrix, ringA);
        tube(rig.legs, from + 3, LEG_RADIUS[joint + 1]!, matrix, ringB);
        for (let side = 0; side < LEG_SIDES; side++) {
          const a = side * 3;
          const b = ((side + 1) % LEG_SIDES) * 3;
          corner(0, ringA, a);
          corner(3, ringB, a);
          corner(6, ringA, b);
          emit(rgb, 256);
          corner(0, ringA, b);
          corner(3, ringB, a);
          corner(6, ringB, b);
          emit(rgb, 256);
        }
      }
    }
  }

  function corner(to: number, ring: Float64Array, from: number): void {
    world[to] = ring[from]!;
    world[to + 1] = ring[from + 1]!;
    world[to + 2] = ring[from + 2]!;
  }

  function drawWings(alpha: number): void {
    for (const hinge of rig.body.wings) hinge.updateWorldMatrix(true, true);
    for (const part of wingParts) drawPart(part, rig.colourOf('wing'), alpha);
  }

  /** Long veins of a blade, from the hinge to the rim. */
  function drawVeins(part: Part, rgb: number): void {
    const e = part.object.matrixWorld.elements;
    const v = view.elements;
    for (const vein of part.veins) {
      let lastX = NaN;
      let lastY = NaN;
      for (let k = 0; k < vein.length; k += 2) {
        const x = e[0] * vein[k]! + e[4] * vein[k + 1]! + e[12];
        const y = e[1] * vein[k]! + e[5] * vein[k + 1]! + e[13];
        const z = e[2] * vein[k]! + e[6] * vein[k + 1]! + e[14];
        const inverse = 1 / (v[3] * x + v[7] * y + v[11] * z + v[15]);
        const sx = (pane.width / 2) * (1 + (v[0] * x + v[4] * y + v[8] * z + v[12]) * inverse);
        const sy = (pane.height / 2) * (1 - (v[1] * x + v[5] * y + v[9] * z + v[13]) * inverse);
        if (k > 0)
          addLine(target.pixels, pane.width, pane.height, lastX, lastY, sx, sy, mix(rgb, 0xffffff, 0.15), VEIN_ALPHA);
        lastX = sx;
        lastY = sy;
      }
    }
  }

  const solidParts = rig.body.parts.filter((part) => part.material !== 'wing');
  const wingParts = rig.body.parts.filter((part) => part.material === 'wing');

  return {
    triangles: rig.body.parts.reduce((sum, part) => sum + part.triangles.length / 9, 0) + 6 * 3 * LEG_SIDES * 2,
    paint(frame, replica, nowMs) {
      const agent = replica.snapshot?.agents[agentIndex];
      const drives = measure(replica, nowMs);
      rig.step(drives, agent?.brainMs ?? 0);
      rig.body.root.updateMatrixWorld(true);
      target.pixels.set(floor);
      target.depth.fill(0);
      for (const part of solidParts) drawPart(part, rig.colourOf(part.material), 256);
      drawLegs();
      const beat = rig.body.wings[1].rotation.z;
      if (drives.wings > 0.04) {
        for (let k = rig.ghosts.length - 1; k >= 0; k--) {
          setWings(rig.body, rig.ghosts[k]!);
          drawWings(GHOST_ALPHA - 10 * k);
        }
      }
      setWings(rig.body, (beat - 0.12) / 2);
      drawWings(WING_ALPHA);
      for (const part of wingParts) drawVeins(part, rig.colourOf('wing'));
      for (let row = 0; row < pane.height; row++) {
        const from = row * pane.width;
        frame.pixels.set(target.pixels.subarray(from, from + pane.width), (pane.y + row) * frame.width + pane.x);
      }
    },
  };
}

/** A ring around a joint, upright to the leg's plane closely enough for a thin leg. World space. */
function tube(points: Float64Array, at: number, radius: number, matrix: readonly number[], out: Float64Array): void {
  for (let side = 0; side < LEG_SIDES; side++) {
    const turn = (side / LEG_SIDES) * 2 * Math.PI;
    const x = points[at]! + Math.cos(turn) * radius;
    const y = points[at + 1]! + Math.sin(turn) * radius * 0.6;
    const z = points[at + 2]! + Math.sin(turn) * radius;
    out[side * 3] = matrix[0]! * x + matrix[4]! * y + matrix[8]! * z + matrix[12]!;
    out[side * 3 + 1] = matrix[1]! * x + matrix[5]! * y + matrix[9]! * z + matrix[13]!;
    out[side * 3 + 2] = matrix[2]! * x + matrix[6]! * y + matrix[10]! * z + matrix[14]!;
  }
}

/** Black glass with a thin grid on the floor, drawn once. Lines fade with distance. */
function drawFloor(view: Matrix4, width: number, height: number): Uint32Array {
  const pixels = new Uint32Array(width * height).fill(packed(colour.background));
  const point = new Vector3();
  const line = (x0: number, z0: number, x1: number, z1: number): void => {
    let before: { x: number; y: number } | null = null;
    for (let step = 0; step <= 24; step++) {
      const t = step / 24;
      point.set(x0 + (x1 - x0) * t, 0, z0 + (z1 - z0) * t);
      const distance = point.z + 4.7;
      point.applyMatrix4(view);
      const x = (width / 2) * (1 + point.x);
      const y = (height / 2) * (1 - point.y);
      const amount = Math.round(200 * Math.max(0.1, Math.min(1, 1.25 - distance / 9)));
      if (before !== null) addLine(pixels, width, height, before.x, before.y, x, y, 0x39424b, amount);
      before = { x, y };
    }
  };
  for (let k = -10; k <= 10; k++) line(k * 0.55, -2.2, k * 0.55, 5);
  for (let k = -4; k <= 9; k++) line(-5.5, k * 0.55, 5.5, k * 0.55);
  return pixels;
}
