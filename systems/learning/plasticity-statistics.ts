/** Distances of the gains from 1 (spec: brain.md 6.6). `changed` counts those beyond 1e-6; the mean is over all slots. */
export function gainStatistics(gains: Float32Array): { changed: number; meanChange: number; maxChange: number } {
  let changed = 0;
  let sum = 0;
  let maxChange = 0;
  for (let slot = 0; slot < gains.length; slot++) {
    const distance = Math.abs(gains[slot]! - 1);
    if (distance > 1e-6) changed++;
    if (distance > maxChange) maxChange = distance;
    sum += distance;
  }
  return { changed, meanChange: gains.length === 0 ? 0 : sum / gains.length, maxChange };
}
