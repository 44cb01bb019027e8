import type { StageGeometry } from '../geometry.ts';
import { createRandom } from '../direction/random.ts';

/**
 * A drawing of a fly brain's outline, used where no geometry is loaded yet (the starting scene) and in tests. It is a
 * drawing, not data: nothing that fires is ever shown on it.
 * @param neurons how many points; roles and classes are dealt by published proportions (spec: twin.md 2)
 */
export function createSilhouette(neurons: number, seed: number): StageGeometry {
  const random = createRandom(seed);
  const positions = new Float32Array(neurons * 3);
  const classes = new Uint8Array(neurons).fill(1);
  const fibres: number[] = [];
  const roles = new Map<string, number[]>();
  const draw: Draw = {
    random,
    count: 0,
    capacity: neurons,
    place(x, y, z) {
      const at = Math.min(draw.count++, neurons - 1);
      positions.set([x, y, z], at * 3);
      return at;
    },
    classes,
    join: (a, b) => fibres.push(a, b),
    enrol(role, neuron) {
      const members = roles.get(role);
      if (members === undefined) roles.set(role, [neuron]);
      else members.push(neuron);
    },
  };
  const share = neurons / 139_255;
  const columns = drawOpticLobes(draw, share);
  drawMushroomBodies(draw, share);
  drawReward(draw, share);
  drawTracts(draw, share);
  drawCentre(draw);
  return {
    neurons,
    viewer: { positions, classes, fibres: Uint32Array.from(fibres) },
    roles: new Map([...roles].map(([role, members]) => [role, Uint32Array.from(members)])),
    retina: columns,
  };
}

type Draw = {
  readonly random: () => number;
  count: number;
  readonly capacity: number;
  readonly place: (x: number, y: number, z: number) => number;
  readonly classes: Uint8Array;
  readonly join: (a: number, b: number) => void;
  readonly enrol: (role: string, neuron: number) => void;
};

const COLUMNS_PER_EYE = 786;
const COMBS = 27;

/** Sum of three draws: close to normal, cheap, bounded. */
function spread(draw: Draw, width: number): number {
  return (draw.random() + draw.random() + draw.random() - 1.5) * width;
}

/** Combs of columns on a fan, the chiasm behind them, and the glomeruli they end in. */
function drawOpticLobes(draw: Draw, share: number): StageGeometry['retina'] {
  const neuron: number[] = [];
  const hemisphere: number[] = [];
  const xy: number[] = [];
  for (const side of [-1, 1]) {
    for (let column = 0; column < COLUMNS_PER_EYE; column++) {
      const comb = column % COMBS;
      const turn = (comb / (COMBS - 1) - 0.5) * 2.32;
      const depth = (Math.floor(column / COMBS) / 29 - 0.5) * 1.3;
      const perColumn = Math.max(2, Math.round(43 * share));
      let innermost = -1;
      let outermost = -1;
      for (let k = 0; k < perColumn; k++) {
        const part = (k + draw.random()) / perColumn;
        const reach = (0.13 + 0.33 * part ** 0.8) * (1 - 0.1 * depth * depth);
        const wobble = turn + spread(draw, 0.012) + depth * 0.028;
        const x = side * (0.53 + reach * Math.cos(wobble) * (1.02 - 0.1 * Math.abs(depth)));
        const y = reach * Math.sin(wobble) * 1.02 + 0.01;
        const at = draw.place(x, y, depth * 0.24 + spread(draw, 0.03));
        draw.classes[at] = part > 0.86 || k === perColumn - 1 ? 0 : 1;
        draw.enrol('optic', at);
        if (k === 0) innermost = at;
        if (k === perColumn - 1) outermost = at;
      }
      neuron.push(outermost);
      draw.enrol('visual_l1', outermost);
      draw.enrol('sensory', outermost);
      hemisphere.push(side < 0 ? 0 : 1);
      const eyeRow = comb / (COMBS - 1);
      const eyeColumn = Math.floor(column / COMBS) / 29;
      xy.push(0.5 + (eyeColumn - 0.5) * Math.sqrt(Math.max(0.05, 1 - (2 * eyeRow - 1) ** 2)), 1 - eyeRow);
      const hub = draw.place(side * (0.44 + spread(draw, 0.07)), spread(draw, 0.16) + 0.01, spread(draw, 0.2));
      draw.join(innermost, outermost);
      if (column % 2 === 0) draw.join(innermost, hub);
      for (let k = 0; k < 14 * share; k++) {
        draw.place(side * (0.47 + spread(draw, 0.11)), spread(draw, 0.3) + 0.01, spread(draw, 0.24));
      }
    }
    for (let k = 0; k < 2_600 * share; k++) {
      const glomerulus = k % 9;
      const y = 0.14 - glomerulus * 0.032;
      draw.place(
        side * (0.31 + spread(draw, 0.07) + 0.03 * Math.sin(glomerulus * 2)),
        y + spread(draw, 0.05),
        spread(draw, 0.2),
      );
    }
  }
  return {
    count: neuron.length,
    neuron: Uint32Array.from(neuron),
    hemisphere: Uint8Array.from(hemisphere),
    xy: Float32Array.from(xy),
  };
}

/** Calyx, peduncle, vertical and medial lobe on both sides. */
function drawMushroomBodies(draw: Draw, share: number): void {
  const perSide = Math.round(2_588 * share);
  for (const side of [-1, 1]) {
    for (let k = 0; k < perSide; k++) {
      const calyx = draw.place(
        side * (0.255 + spread(draw, 0.11)),
        0.29 + spread(draw, 0.09),
        -0.2 + spread(draw, 0.1),
      );
      draw.enrol('kenyon', calyx);
      if (k % 3 !== 0) continue;
      const heel = draw.place(side * (0.155 + spread(draw, 0.022)), 0.135 + spread(draw, 0.022), 0.18);
      const vertical = draw.place(side * (0.17 + spread(draw, 0.035)), 0.34 + spread(draw, 0.04), 0.24);
      const medial = draw.place(side * (0.03 + draw.random() * 0.05), 0.105 + spread(draw, 0.028), 0.26);
      for (const lobe of [heel, vertical, medial]) draw.enrol('kenyon', lobe);
      if (k % 9 === 0) {
        draw.join(calyx, heel);
        draw.join(heel, vertical);
        draw.join(heel, medial);
      }
    }
  }
}

function drawReward(draw: Draw, share: number): void {
  for (let k = 0; k < 307 * share; k++) {
    const side = k % 2 === 0 ? -1 : 1;
    const at = draw.place(side * (0.085 + spread(draw, 0.05)), 0.19 + spread(draw, 0.045), 0.3 + spread(draw, 0.04));
    draw.enrol('reward_pam', at);
  }
}

/** Descending tracts that leave through the neck, and the sensory tracts that enter beside them. */
function drawTracts(draw: Draw, share: number): void {
  for (const side of [-1, 1]) {
    for (let k = 0; k < 652 * share; k++) {
      const top = draw.place(side * (0.15 + spread(draw, 0.09)), -0.1 + spread(draw, 0.14), 0.1 + spread(draw, 0.1));
      const exit = draw.place(side * (0.05 + spread(draw, 0.02)), -0.4 + spread(draw, 0.1), 0.05);
      for (const [at, role] of [
        [top, `command_${k % 8}`],
        [exit, 'motor'],
      ] as const) {
        draw.classes[at] = 2;
        draw.enrol('descending', at);
        draw.enrol(role, at);
      }
      draw.join(top, exit);
    }
    for (let k = 0; k < 1_900 * share; k++) {
      const inner = draw.place(
        side * (0.16 + spread(draw, 0.08)),
        -0.14 + spread(draw, 0.11),
        0.28 + spread(draw, 0.06),
      );
      draw.classes[inner] = 0;
      draw.enrol('sensory', inner);
      if (k % 4 !== 0) continue;
      const nerve = draw.place(side * (0.2 + spread(draw, 0.03)), -0.38 + spread(draw, 0.08), 0.1);
      draw.classes[nerve] = 0;
      draw.enrol('sensory', nerve);
      if (k % 12 === 0) draw.join(inner, nerve);
    }
  }
}

/** The rest of the centre, with the arch of the central complex and the oesophagus hole left open. */
function drawCentre(draw: Draw): void {
  while (draw.count < draw.capacity) {
    const arch = draw.random();
    if (arch < 0.16) {
      const turn = draw.random() * Math.PI;
      const radius = 0.1 + spread(draw, 0.03);
      draw.place(Math.cos(turn) * radius * 1.5, 0.17 + Math.sin(turn) * radius * 0.8, 0.1 + spread(draw, 0.05));
      continue;
    }
    const x = spread(draw, 0.62);
    const y = spread(draw, 0.62) + 0.02;
    if ((x / 0.4) ** 2 + (y / 0.36) ** 2 > 1) continue;
    if ((x / 0.045) ** 2 + ((y + 0.04) / 0.1) ** 2 < 1) continue;
    const cleft = y > 0.2 && Math.abs(x) < (y - 0.2) * 0.5;
    if (cleft || (y < -0.2 && Math.abs(x) > 0.26)) continue;
    draw.place(x, y, spread(draw, 0.5));
  }
}
