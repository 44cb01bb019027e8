const HOLD_MS = 2_500;
const STEP_MS = 250;
const GAP = '   ';

/**
 * Words that are too long scroll, they never shrink (spec: show.md 26): one character a step, 4 steps a second, after a
 * rest at the start. Short words come back as they are.
 */
export function marquee(words: string, characters: number, nowMs: number): string {
  if (words.length <= characters) return words;
  const loop = words + GAP;
  const cycleMs = HOLD_MS + loop.length * STEP_MS;
  const step = Math.max(0, Math.floor(((nowMs % cycleMs) - HOLD_MS) / STEP_MS));
  return (loop + loop).slice(step, step + characters);
}
