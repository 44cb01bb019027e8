/** Luma steps below this are noise of the encoder (spec: broadcast.md 39). */
const DIFFERENCE_THRESHOLD = 8;
/** Share of pixels that must be unchanged for "the same picture" (spec: broadcast.md 39). */
const SAME_SHARE = 0.995;
/** Luma below this is black, and a picture with this share of such pixels is a black picture. */
const BLACK_LUMA = 32;
const BLACK_SHARE = 0.98;

/** One luma plane: `heightPx` rows of `strideBytes`, the first `widthPx` bytes of each are pixels. */
export type Luma = {
  readonly bytes: Uint8Array;
  readonly strideBytes: number;
  readonly widthPx: number;
  readonly heightPx: number;
};

/** Whether at least 99.5 % of the pixels differ by less than 8 steps. */
export function isSamePicture(a: Luma, b: Luma): boolean {
  const allowed = Math.floor(a.widthPx * a.heightPx * (1 - SAME_SHARE));
  const { bytes: one, strideBytes: oneStride, widthPx, heightPx } = a;
  const { bytes: other, strideBytes: otherStride } = b;
  let changed = 0;
  for (let y = 0; y < heightPx; y++) {
    let i = y * oneStride;
    let j = y * otherStride;
    for (let x = 0; x < widthPx; x++, i++, j++) {
      const difference = one[i]! - other[j]!;
      if (difference >= DIFFERENCE_THRESHOLD || difference <= -DIFFERENCE_THRESHOLD) changed++;
    }
    if (changed > allowed) return false;
  }
  return true;
}

export function isBlackPicture(luma: Luma): boolean {
  const allowed = Math.floor(luma.widthPx * luma.heightPx * (1 - BLACK_SHARE));
  const { bytes, strideBytes, widthPx, heightPx } = luma;
  let bright = 0;
  for (let y = 0; y < heightPx; y++) {
    const row = y * strideBytes;
    for (let x = 0; x < widthPx; x++) if (bytes[row + x]! >= BLACK_LUMA) bright++;
    if (bright > allowed) return false;
  }
  return true;
}
