export const FNV_OFFSET = 2_166_136_261;

/** One FNV-1a step over a whole number: a byte, a UTF-16 unit or, for topologies, a 32-bit word (spec: brain.md 6.2). */
export function fnv1aStep(hash: number, value: number): number {
  return Math.imul(hash ^ value, 16_777_619) >>> 0;
}

/** FNV-1a-32 over UTF-16 code units, 8 lowercase hex digits (spec: brain.md 4.9). */
export function fnv1aHex(text: string): string {
  let hash = FNV_OFFSET;
  for (let i = 0; i < text.length; i++) hash = fnv1aStep(hash, text.charCodeAt(i));
  return hash.toString(16).padStart(8, '0');
}
