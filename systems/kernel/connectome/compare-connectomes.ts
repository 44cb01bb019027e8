import { readReportFacts } from './compare/read-report-facts.ts';
import { profileConnectome } from './compare/profile-connectome.ts';
import type { ConnectomeProfile } from './compare/profile-connectome.ts';
import type { MeasureActivityOptions } from './compare/measure-activity.ts';
import { compareProfiles } from './compare/compare-profiles.ts';
import type { ComparisonRow } from './compare/compare-profiles.ts';
import { loadBundle } from './load-bundle.ts';

export type ConnectomeComparison = {
  readonly a: ConnectomeProfile;
  readonly b: ConnectomeProfile;
  readonly rows: readonly ComparisonRow[];
};

/**
 * Measures two bundles alike and lays the figures side by side (spec: brain.md 14.9: counts of different things are
 * never put in one row). One after the other: a machine may not hold both in memory twice.
 * @param folders the two bundles' directories
 * @throws DataError BUNDLE_* or GRAPH_* of the one that cannot be read
 */
export async function compareConnectomes(
  folders: readonly [string, string],
  options: Omit<MeasureActivityOptions, 'parameters'> = {},
): Promise<ConnectomeComparison> {
  const a = await profileFolder(folders[0], options);
  const b = await profileFolder(folders[1], options);
  return { a, b, rows: compareProfiles(a, b) };
}

async function profileFolder(
  folder: string,
  options: Omit<MeasureActivityOptions, 'parameters'>,
): Promise<ConnectomeProfile> {
  return profileConnectome(await loadBundle(folder), await readReportFacts(folder), options);
}
