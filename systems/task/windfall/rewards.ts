import type { Ledger } from './ledger.ts';
import { orchardKey } from './ledger.ts';
import { EATEN_BYTES } from './memory-map.ts';
import { orchardName } from './orchard-names.ts';
import type { Sample } from './sample.ts';

/** Columns in one band of ground. A screen is 20 columns wide. */
export const BAND_COLUMNS = 8;

/**
 * What pays, in catalogue order. Nothing is negative and being caught pays nothing. Pulse lengths follow the spread of
 * brain.md 7: small finds 80 ms, things 100 to 200 ms, milestones 400 ms.
 */
export const REWARD_RULES = {
  started: { value: 1, stimulationMs: 250 },
  ground: { value: 0.05, stimulationMs: 80 },
  fruit: { value: 0.1, stimulationMs: 100 },
  checkpoint: { value: 0.5, stimulationMs: 200 },
  cleared: { value: 3, stimulationMs: 400 },
  ending: { value: 10, stimulationMs: 800 },
} as const;

export type RuleId = keyof typeof REWARD_RULES;
export type Payout = { readonly ruleId: RuleId; readonly label: string; readonly dedupeMs: number };

/**
 * Compares a sample with everything the run has reached, writes what is new into `ledger` and returns what it pays, in
 * catalogue order. Each key pays once in a run; a new round of the eight orchards has new keys.
 */
export function collect(ledger: Ledger, sample: Sample): Payout[] {
  const payouts: Payout[] = [];
  if (sample.mode === 'playing') {
    if (!ledger.started) {
      ledger.started = true;
      payouts.push({ ruleId: 'started', label: 'run started', dedupeMs: 0 });
    }
    collectGround(ledger, sample, payouts);
    collectFruit(ledger, sample, payouts);
    collectCheckpoint(ledger, sample, payouts);
  }
  const key = orchardKey(sample);
  if (sample.mode === 'clear' && !ledger.cleared.includes(key)) {
    ledger.cleared.push(key);
    payouts.push({ ruleId: 'cleared', label: `${orchardName(sample.orchard)} cleared`, dedupeMs: 0 });
  }
  if (sample.mode === 'ending' && !ledger.endings.includes(sample.round)) {
    ledger.endings.push(sample.round);
    payouts.push({ ruleId: 'ending', label: `all eight orchards crossed, round ${sample.round + 1}`, dedupeMs: 0 });
  }
  return payouts;
}

function collectGround(ledger: Ledger, sample: Sample, payouts: Payout[]): void {
  const key = orchardKey(sample);
  const band = Math.floor(sample.column / BAND_COLUMNS);
  const best = ledger.bands[key];
  // the band an orchard begins in is where the game puts the fly: not ground it made
  if (best === undefined) {
    ledger.bands[key] = band;
    return;
  }
  for (let reached = best + 1; reached <= band; reached++) {
    const label = `new ground ${orchardName(sample.orchard).toLowerCase()}, column ${reached * BAND_COLUMNS}`;
    payouts.push({ ruleId: 'ground', label, dedupeMs: 20_000 });
  }
  if (band > best) ledger.bands[key] = band;
}

function collectFruit(ledger: Ledger, sample: Sample, payouts: Payout[]): void {
  const key = orchardKey(sample);
  const known = Buffer.from(ledger.fruit[key] ?? '00'.repeat(EATEN_BYTES), 'hex');
  let fresh = 0;
  for (let i = 0; i < EATEN_BYTES; i++) {
    for (let bits = sample.eaten[i]! & ~known[i]!; bits !== 0; bits &= bits - 1) fresh++;
    known[i]! |= sample.eaten[i]!;
  }
  if (fresh === 0) return;
  ledger.fruit[key] = known.toString('hex');
  for (let i = 0; i < fresh; i++) {
    payouts.push({
      ruleId: 'fruit',
      label: `fruit eaten, ${orchardName(sample.orchard).toLowerCase()}`,
      dedupeMs: 8_000,
    });
  }
}

function collectCheckpoint(ledger: Ledger, sample: Sample, payouts: Payout[]): void {
  const key = orchardKey(sample);
  const best = ledger.checkpoints[key] ?? 0;
  if (sample.section <= best) return;
  ledger.checkpoints[key] = sample.section;
  const where = `${sample.orchard + 1}-${sample.section + 1}`;
  payouts.push({ ruleId: 'checkpoint', label: `checkpoint tree ${where}`, dedupeMs: 0 });
}

/** Places ever reached: bands of ground over all orchards and rounds. */
export function countPlaces(ledger: Ledger): number {
  return Object.values(ledger.bands).reduce((total, band) => total + band + 1, 0);
}
