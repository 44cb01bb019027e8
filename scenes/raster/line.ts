/** Adds a 1 px line to a packed picture, `amount` 0..256 of `rgb`. Cut at the edges. */
export function addLine(
  pixels: Uint32Array,
  width: number,
  height: number,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  rgb: number,
  amount: number,
): void {
  const steps = Math.max(1, Math.ceil(Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0))));
  let last = -1;
  for (let step = 0; step <= steps; step++) {
    const x = Math.floor(x0 + ((x1 - x0) * step) / steps);
    const y = Math.floor(y0 + ((y1 - y0) * step) / steps);
    if (x < 0 || y < 0 || x >= width || y >= height) continue;
    const at = y * width + x;
    if (at === last) continue;
    last = at;
    const old = pixels[at]!;
    const keep = 256 - amount;
    pixels[at] =
      0xff000000 |
      (((((old >> 16) & 255) * keep + (rgb & 255) * amount) >> 8) << 16) |
      (((((old >> 8) & 255) * keep + ((rgb >> 8) & 255) * amount) >> 8) << 8) |
      (((old & 255) * keep + ((rgb >> 16) & 255) * amount) >> 8);
  }
}
