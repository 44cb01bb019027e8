import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError } from '../../../../engine/errors.ts';
import type { KernelOverrides } from '../../parameters.ts';
import { REPORT_FILE, isMissing } from '../bundle-files.ts';

/** What an importer wrote about a bundle that its arrays cannot say. */
export type ReportFacts = {
  readonly transmitters: TransmitterCounts | null;
  /** Kernel constants the importer suggests for a brain of this size; empty means the defaults. */
  readonly parameters: KernelOverrides;
};

/** FAFB labels rows of its connection table, MaleCNS labels neurons; the two are not interchangeable. */
export type TransmitterCounts = {
  readonly unit: 'connection rows' | 'neurons';
  readonly counts: Readonly<Record<string, number>>;
};

/**
 * Reads `report.json` of a bundle; one without a report has no facts.
 * @throws DataError BUNDLE_META when it is not JSON
 */
export async function readReportFacts(folder: string): Promise<ReportFacts> {
  const path = join(folder, REPORT_FILE);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (text === null) return { transmitters: null, parameters: {} };
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch (cause) {
    throw new DataError('BUNDLE_META', `${path} is not JSON. Import or grow the bundle again.`, { cause });
  }
  return { transmitters: findTransmitters(report), parameters: findParameters(report) };
}

/** `noiseKicks 8, synapseScale 0.004`; empty for the defaults. */
export function describeParameters(parameters: KernelOverrides): string {
  return Object.entries(parameters)
    .map(([key, value]) => `${key} ${JSON.stringify(value)}`)
    .join(', ');
}

function findTransmitters(report: unknown): TransmitterCounts | null {
  const rows = countsAt(report, 'connections', 'transmitterRows');
  if (rows !== null) return { unit: 'connection rows', counts: rows };
  const labels = countsAt(report, 'transmitters', 'labels');
  return labels === null ? null : { unit: 'neurons', counts: labels };
}

function findParameters(report: unknown): KernelOverrides {
  const { noiseKicks, synapseScale } = countsAt(report, 'suggestedParameters') ?? {};
  return {
    ...(noiseKicks === undefined ? {} : { noiseKicks }),
    ...(synapseScale === undefined ? {} : { synapseScale }),
  };
}

/** The object of numbers at a path, or null when the report has none there. */
function countsAt(report: unknown, ...path: readonly string[]): Record<string, number> | null {
  let value = report;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Record<string, unknown>)[key];
  }
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
