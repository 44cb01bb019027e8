import { DataError } from '../../../../../engine/errors.ts';
import { bodyText, createBodyIndex } from './body-index.ts';
import { openFeather } from './feather.ts';
import type { Inventory } from './read-inventory.ts';
import { SIGN_SOURCES, decideSign } from './sign-policy.ts';
import type { SignPolicy, SignSource } from './sign-policy.ts';
import { createTextColumn } from './text-column.ts';
import type { TextColumn } from './text-column.ts';

/** Transmitter evidence of the inventory and the signs one policy makes of it, index order. */
export type Transmitters = {
  readonly consensus: TextColumn;
  readonly predicted: TextColumn;
  /** NaN without one. */
  readonly confidence: Float64Array;
  readonly sign: Int8Array;
  readonly report: TransmitterReport;
};

export type TransmitterReport = {
  readonly policy: SignPolicy;
  readonly confidenceColumn: string | null;
  readonly rows: number;
  /** Rows about bodies that are not in the inventory. */
  readonly outside: number;
  readonly sources: Readonly<Record<SignSource, number>>;
  /** Neurons per label that decided a sign. */
  readonly labels: Readonly<Record<string, number>>;
  readonly negativeNeurons: number;
};

/** Names under which the confidence of `predicted_nt` may appear; the first that exists is read. */
const CONFIDENCE_COLUMNS = ['predicted_nt_confidence', 'predicted_nt_prob', 'confidence', 'predicted_nt_conf'];

/** @throws DataError FEATHER_*; MALECNS_DUPLICATE when a body has two rows */
export async function readTransmitters(path: string, inventory: Inventory, policy: SignPolicy): Promise<Transmitters> {
  const { neurons, low, high } = inventory;
  const index = createBodyIndex(low, high);
  const consensus = createTextColumn();
  const predicted = createTextColumn();
  const confidence = new Float64Array(neurons).fill(Number.NaN);
  const hasRow = new Uint8Array(neurons);
  let rows = 0;
  let outside = 0;
  let scratch = {
    low: new Uint32Array(0),
    high: new Uint32Array(0),
    of: new Int32Array(0),
    value: new Float64Array(0),
  };
  const file = await openFeather(path, ['body', 'consensus_nt', 'predicted_nt']);
  try {
    const confidenceColumn = CONFIDENCE_COLUMNS.find((name) => file.columns.includes(name)) ?? null;
    for await (const batch of file.batches()) {
      if (batch.rows > scratch.of.length) {
        const size = batch.rows;
        scratch = {
          low: new Uint32Array(size),
          high: new Uint32Array(size),
          of: new Int32Array(size),
          value: new Float64Array(size),
        };
      }
      batch.ids('body', scratch.low, scratch.high);
      scratch.value.fill(Number.NaN);
      if (confidenceColumn !== null) batch.numbers(confidenceColumn, scratch.value);
      for (let row = 0; row < batch.rows; row++) {
        const i = index.find(scratch.low[row]!, scratch.high[row]!);
        scratch.of[row] = i;
        if (i < 0) {
          outside++;
          continue;
        }
        if (hasRow[i] === 1) {
          const body = bodyText(scratch.low[row]!, scratch.high[row]!);
          throw new DataError('MALECNS_DUPLICATE', `${path}: body ${body} has two rows. Use one table of one release.`);
        }
        hasRow[i] = 1;
        confidence[i] = scratch.value[row]!;
      }
      const of = scratch.of;
      batch.texts('consensus_nt', (row, text) => of[row]! >= 0 && consensus.set(of[row]!, text.trim()));
      batch.texts('predicted_nt', (row, text) => of[row]! >= 0 && predicted.set(of[row]!, text.trim()));
      rows += batch.rows;
    }
    const labels = { consensus: consensus.build(neurons), predicted: predicted.build(neurons) };
    const decided = decideSigns(labels, confidence, hasRow, policy);
    return {
      ...labels,
      confidence,
      sign: decided.sign,
      report: { policy, confidenceColumn, rows, outside, ...decided.report },
    };
  } finally {
    await file.close();
  }
}

function decideSigns(
  { consensus, predicted }: { consensus: TextColumn; predicted: TextColumn },
  confidence: Float64Array,
  hasRow: Uint8Array,
  policy: SignPolicy,
): { sign: Int8Array; report: Pick<TransmitterReport, 'sources' | 'labels' | 'negativeNeurons'> } {
  const sign = new Int8Array(hasRow.length);
  const sources = Object.fromEntries(SIGN_SOURCES.map((name) => [name, 0])) as Record<SignSource, number>;
  const labels: Record<string, number> = {};
  let negativeNeurons = 0;
  for (let i = 0; i < sign.length; i++) {
    const decided = decideSign(
      consensus.words[consensus.codes[i]!]!,
      predicted.words[predicted.codes[i]!]!,
      confidence[i]!,
      policy,
    );
    sign[i] = decided.sign;
    sources[hasRow[i] === 1 ? decided.source : 'no-row']++;
    if (decided.label !== '') labels[decided.label] = (labels[decided.label] ?? 0) + 1;
    if (decided.sign < 0) negativeNeurons++;
  }
  const sorted = Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { sign, report: { sources, labels: sorted, negativeNeurons } };
}
