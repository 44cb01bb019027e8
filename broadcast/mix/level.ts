/** What digital silence reads as: a level that every report and metric can carry, unlike minus infinity. */
export const SILENCE_FLOOR_DB = -120;

/** dB below full scale of a mean square of samples in [-1, 1]; -120 for silence. */
export function levelDb(meanSquare: number): number {
  return Math.max(SILENCE_FLOOR_DB, 10 * Math.log10(meanSquare));
}
