import { ORCHARD_COUNT } from './memory-map.ts';
import { BAND_COLUMNS } from './rewards.ts';
import { ORCHARD_NAMES } from './orchard-names.ts';
import type { Ledger } from './ledger.ts';
import { orchardKey } from './ledger.ts';
import type { Sample } from './sample.ts';

export const RUNG = { booting: 0, started: 1, firstFruit: 2 } as const;

/** Rungs in order; panels draw whatever stands here. Two for each orchard: halfway, cleared. */
export const RUNG_LABELS: readonly string[] = [
  'Booting',
  'Started',
  'First fruit',
  ...ORCHARD_NAMES.flatMap((name) => [`${name} halfway`, `${name} cleared`]),
];

export function halfwayRung(orchard: number): number {
  return 3 + orchard * 2;
}

export function clearedRung(orchard: number): number {
  return 4 + orchard * 2;
}

/**
 * Which rungs hold now, given everything the run has ever reached. A rung once earned stays (`Ledger.earned`).
 * Orchards before the present one count as cleared: the cartridge opens them only in order.
 * @param earned written: one entry per rung
 */
export function climb(earned: boolean[], ledger: Ledger, sample: Sample | null): void {
  earned[RUNG.booting] = true;
  if (ledger.started) earned[RUNG.started] = true;
  if (Object.keys(ledger.fruit).length > 0) earned[RUNG.firstFruit] = true;
  for (const key of ledger.cleared) earned[clearedRung(Number(key.split(':')[1]))] = true;
  if (sample === null || !ledger.started) return;
  const reached = sample.round > 0 ? ORCHARD_COUNT : Math.max(sample.cleared, sample.orchard);
  for (let orchard = 0; orchard < reached; orchard++) {
    earned[halfwayRung(orchard)] = true;
    earned[clearedRung(orchard)] = true;
  }
  const column = (ledger.bands[orchardKey(sample)] ?? 0) * BAND_COLUMNS;
  if (sample.mode === 'playing' && column >= sample.columns / 2) earned[halfwayRung(sample.orchard)] = true;
}

/** Highest earned rung, -1 before the first. */
export function rankOf(earned: readonly boolean[]): number {
  return earned.lastIndexOf(true);
}
