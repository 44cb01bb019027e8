import { Group, LatheGeometry, Matrix4, Object3D, Shape, ShapeGeometry, SphereGeometry, Vector2 } from 'three';
import type { BufferGeometry } from 'three';

/** What a part is made of; the rig gives each a colour from the measured drives. */
export type Material = 'body' | 'pale' | 'dark' | 'eye' | 'mouth' | 'wing' | 'haltere' | 'antenna';

/** One rigid, flat-shaded part. `triangles` holds nine numbers a triangle in the part's own space. */
export type Part = {
  readonly object: Object3D;
  readonly material: Material;
  readonly triangles: Float32Array;
  /** Lines in the part's plane, interleaved x, y; only wings have any. */
  readonly veins: readonly (readonly number[])[];
};

/** A fly of about 1,400 triangles, head towards +z, standing on y = 0. Legs are drawn by the rig. */
export type FlyBody = {
  readonly root: Group;
  readonly parts: readonly Part[];
  readonly wings: readonly [Object3D, Object3D];
  readonly halteres: readonly [Object3D, Object3D];
  readonly abdomen: Object3D;
  readonly proboscis: Object3D;
};

const THORAX_Y = 0.8;

export function createFlyBody(): FlyBody {
  const root = new Group();
  const parts: Part[] = [];
  const add = (parent: Object3D, geometry: BufferGeometry, material: Material, veins: Part['veins'] = []): Object3D => {
    const object = new Object3D();
    parent.add(object);
    parts.push({ object, material, triangles: soup(geometry), veins });
    return object;
  };

  const thorax = add(root, ball(0.37, 0.35, 0.47, 12, 9), 'body');
  thorax.position.set(0, THORAX_Y, 0);
  const scutellum = add(root, ball(0.2, 0.12, 0.14, 8, 5), 'body');
  scutellum.position.set(0, THORAX_Y + 0.24, -0.4);

  const head = new Group();
  head.position.set(0, THORAX_Y - 0.02, 0.62);
  root.add(head);
  add(head, ball(0.25, 0.23, 0.18, 10, 7), 'body');
  for (const side of [-1, 1]) {
    const eye = add(head, ball(0.17, 0.225, 0.2, 11, 9), 'eye');
    eye.position.set(side * 0.185, 0.04, 0.045);
    eye.rotation.set(0, side * 0.5, side * -0.18);
    const antenna = add(head, bar(0.03, 0.18), 'antenna');
    antenna.position.set(side * 0.06, 0.08, 0.17);
    antenna.rotation.set(1.2, side * 0.35, 0);
    const arista = add(head, bar(0.012, 0.22), 'antenna');
    arista.position.set(side * 0.09, 0.14, 0.32);
    arista.rotation.set(0.7, side * 0.7, 0);
  }
  const proboscis = new Group();
  proboscis.position.set(0, -0.14, 0.1);
  proboscis.rotation.set(2.6, 0, 0);
  head.add(proboscis);
  add(proboscis, bar(0.055, 1), 'body');
  const labellum = add(proboscis, ball(0.09, 0.08, 0.09, 7, 5), 'mouth');
  labellum.position.set(0, 1, 0);
  labellum.scale.set(1, 0.5, 1);

  const abdomen = new Group();
  abdomen.position.set(0, THORAX_Y - 0.03, -0.34);
  abdomen.rotation.set(-Math.PI / 2 - 0.12, 0, 0);
  root.add(abdomen);
  const bands = 7;
  for (let band = 0; band < bands; band++) {
    const geometry = new LatheGeometry([profile(band / bands), profile((band + 1) / bands)], 12);
    add(abdomen, geometry, band > 1 && band % 2 === 0 ? 'dark' : 'pale');
  }

  const wings = [-1, 1].map((side) => {
    const hinge = new Group();
    hinge.position.set(side * 0.24, THORAX_Y + 0.23, -0.08);
    root.add(hinge);
    const blade = add(hinge, wingShape(side), 'wing', wingVeins(side));
    blade.rotation.set(-Math.PI / 2, 0, 0);
    return hinge;
  });
  const halteres = [-1, 1].map((side) => {
    const hinge = new Group();
    hinge.position.set(side * 0.3, THORAX_Y + 0.02, -0.3);
    root.add(hinge);
    const stalk = add(hinge, bar(0.014, 0.2), 'haltere');
    stalk.rotation.set(-0.4, 0, side * -1.3);
    const knob = add(hinge, ball(0.045, 0.045, 0.045, 6, 4), 'haltere');
    knob.position.set(side * 0.2, 0.04, -0.08);
    return hinge;
  });
  return {
    root,
    parts,
    wings: [wings[0]!, wings[1]!],
    halteres: [halteres[0]!, halteres[1]!],
    abdomen,
    proboscis,
  };
}

/** Abdomen outline: radius and distance from the waist, `part` 0..1. */
function profile(part: number): Vector2 {
  const radius = 0.36 * Math.sin(Math.PI * (0.2 + 0.78 * part)) ** 0.75 * (1 - 0.25 * part);
  return new Vector2(part >= 1 ? 0.03 : radius, part * 1.12);
}

function ball(x: number, y: number, z: number, around: number, down: number): BufferGeometry {
  return new SphereGeometry(1, around, down).applyMatrix4(new Matrix4().makeScale(x, y, z));
}

/** A thin four-sided rod from the origin along +y. */
function bar(radius: number, length: number): BufferGeometry {
  return new LatheGeometry([new Vector2(radius, 0), new Vector2(radius * 0.6, length)], 5);
}

/** Blade from the hinge outwards and back, flat in x, y before it is laid down. */
function wingShape(side: number): BufferGeometry {
  const shape = new Shape();
  shape.moveTo(0, 0);
  shape.bezierCurveTo(side * 0.3, -0.1, side * 0.78, -0.75, side * 0.7, -1.42);
  shape.bezierCurveTo(side * 0.62, -1.66, side * 0.3, -1.6, side * 0.16, -1.3);
  shape.bezierCurveTo(side * 0.02, -0.95, side * -0.02, -0.4, 0, 0);
  return new ShapeGeometry(shape, 7).applyMatrix4(new Matrix4().makeScale(1, -1, 1));
}

/** The rim and four long veins of the same blade. */
function wingVeins(side: number): number[][] {
  const rim = wingShape(side).getAttribute('position');
  const outline: number[] = [];
  for (let k = 0; k < rim.count; k++) outline.push(rim.getX(k), rim.getY(k));
  const long = [
    [0.62, 0.95, 0.7, 1.4],
    [0.44, 0.85, 0.6, 1.55],
    [0.26, 0.7, 0.42, 1.6],
    [0.1, 0.5, 0.22, 1.42],
  ];
  return [outline, ...long.map(([mx, my, tx, ty]) => [0, 0, side * mx! * 0.75, my! * 0.85, side * tx!, ty!])];
}

/** Nine numbers a triangle, index resolved. */
function soup(geometry: BufferGeometry): Float32Array {
  const flat = geometry.index === null ? geometry : geometry.toNonIndexed();
  const { array } = flat.getAttribute('position');
  const out = new Float32Array(array.length);
  for (let i = 0; i < array.length; i++) out[i] = array[i]!;
  return out;
}
