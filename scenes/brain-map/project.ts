/** Places of neurons on a picture: interleaved x, y in px and a nearness 0 (far) to 1 (near) each. */
export type Projected = { readonly xy: Float32Array; readonly near: Float32Array; readonly map: PointMap };

/** Takes any point of the brain's space to the same picture. */
export type PointMap = (x: number, y: number, z: number, out: Float32Array) => void;

/** Turned a little and seen from a modest distance (mockups: about 5 degrees, gentle perspective). */
const YAW = (5 * Math.PI) / 180;
const EYE_DISTANCE = 5;

/**
 * Frontal view, scaled so that the outermost neurons touch the margins of a `width` x `height` picture.
 * @param positions `3 * count`, x right, y up, z towards the viewer
 */
export function project(
  positions: Float32Array,
  width: number,
  height: number,
  marginX: number,
  marginY: number,
): Projected {
  const count = positions.length / 3;
  const xy = new Float32Array(count * 2);
  const near = new Float32Array(count);
  const cos = Math.cos(YAW);
  const sin = Math.sin(YAW);
  let minX = Infinity;
  let maxX = -Infinity;
  let minY = Infinity;
  let maxY = -Infinity;
  let minZ = Infinity;
  let maxZ = -Infinity;
  for (let i = 0; i < count; i++) {
    const x = positions[i * 3]!;
    const z = positions[i * 3 + 2]!;
    const depth = z * cos - x * sin;
    const perspective = EYE_DISTANCE / (EYE_DISTANCE - depth);
    const px = (x * cos + z * sin) * perspective;
    const py = -positions[i * 3 + 1]! * perspective;
    xy[i * 2] = px;
    xy[i * 2 + 1] = py;
    if (px < minX) minX = px;
    if (px > maxX) maxX = px;
    if (py < minY) minY = py;
    if (py > maxY) maxY = py;
    if (z < minZ) minZ = z;
    if (z > maxZ) maxZ = z;
  }
  const scale = Math.min((width - 2 * marginX) / (maxX - minX || 1), (height - 2 * marginY) / (maxY - minY || 1));
  const offsetX = width / 2 - ((minX + maxX) / 2) * scale;
  const offsetY = height / 2 - ((minY + maxY) / 2) * scale;
  const span = maxZ - minZ || 1;
  for (let i = 0; i < count; i++) {
    xy[i * 2] = xy[i * 2]! * scale + offsetX;
    xy[i * 2 + 1] = xy[i * 2 + 1]! * scale + offsetY;
    near[i] = (positions[i * 3 + 2]! - minZ) / span;
  }
  const map: PointMap = (x, y, z, out) => {
    const perspective = EYE_DISTANCE / (EYE_DISTANCE - (z * cos - x * sin));
    out[0] = (x * cos + z * sin) * perspective * scale + offsetX;
    out[1] = -y * perspective * scale + offsetY;
    out[2] = (z - minZ) / span;
  };
  return { xy, near, map };
}
