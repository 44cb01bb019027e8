/** A small picture with a depth buffer. `depth` holds 1/w: larger is nearer, 0 is empty. */
export type MeshTarget = {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint32Array;
  readonly depth: Float32Array;
};

export function createMeshTarget(width: number, height: number): MeshTarget {
  return { width, height, pixels: new Uint32Array(width * height), depth: new Float32Array(width * height) };
}

/**
 * One flat-shaded triangle, corners as screen x, y and 1/w in `corners` (nine numbers). Opaque when `alpha` is 256:
 * then depth is tested and written; else it is blended over what is farther and leaves the depth alone. Both windings.
 */
export function fillTriangle(target: MeshTarget, corners: Float64Array, rgb: number, alpha: number): void {
  const { width, height, pixels, depth } = target;
  const x0 = corners[0]!;
  const y0 = corners[1]!;
  const z0 = corners[2]!;
  const x1 = corners[3]!;
  const y1 = corners[4]!;
  const z1 = corners[5]!;
  const x2 = corners[6]!;
  const y2 = corners[7]!;
  const z2 = corners[8]!;
  const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
  if (Math.abs(area) < 1e-6) return;
  const inverse = 1 / area;
  const left = Math.max(0, Math.floor(Math.min(x0, x1, x2)));
  const right = Math.min(width - 1, Math.ceil(Math.max(x0, x1, x2)));
  const top = Math.max(0, Math.floor(Math.min(y0, y1, y2)));
  const bottom = Math.min(height - 1, Math.ceil(Math.max(y0, y1, y2)));
  const r = (rgb >> 16) & 255;
  const g = (rgb >> 8) & 255;
  const b = rgb & 255;
  const solid = 0xff000000 | (b << 16) | (g << 8) | r;
  const keep = 256 - alpha;
  for (let y = top; y <= bottom; y++) {
    const py = y + 0.5;
    for (let x = left; x <= right; x++) {
      const px = x + 0.5;
      const w0 = ((x1 - px) * (y2 - py) - (x2 - px) * (y1 - py)) * inverse;
      if (w0 < 0) continue;
      const w1 = ((x2 - px) * (y0 - py) - (x0 - px) * (y2 - py)) * inverse;
      if (w1 < 0 || w0 + w1 > 1) continue;
      const z = w0 * z0 + w1 * z1 + (1 - w0 - w1) * z2;
      const at = y * width + x;
      if (z <= depth[at]!) continue;
      if (alpha >= 256) {
        depth[at] = z;
        pixels[at] = solid;
      } else {
        const old = pixels[at]!;
        pixels[at] =
          0xff000000 |
          (((((old >> 16) & 255) * keep + b * alpha) >> 8) << 16) |
          (((((old >> 8) & 255) * keep + g * alpha) >> 8) << 8) |
          (((old & 255) * keep + r * alpha) >> 8);
      }
    }
  }
}
