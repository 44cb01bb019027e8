import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeError } from '../../../engine/errors.ts';
import { provideCore } from '../../../systems/environment/libretro/fetch-core.ts';

/** Outside the checkout and shared by test runs, so that the core is fetched once. */
export const TEST_CORES_FOLDER: string = join(tmpdir(), 'fly-test-cores');

/** The real core, or the reason for which tests with it are skipped. */
export type TestCore =
  { readonly path: string; readonly missing: null } | { readonly path: null; readonly missing: string };

export async function provideTestCore(): Promise<TestCore> {
  try {
    const { path } = await provideCore({ coresFolder: TEST_CORES_FOLDER, report: () => undefined });
    return { path, missing: null };
  } catch (error) {
    return { path: null, missing: describeError(error) };
  }
}

/** Suite title that shows why its tests are skipped, when they are. */
export function titleWithCore(title: string, core: TestCore): string {
  return core.missing === null ? title : `${title} (skipped: ${core.missing})`;
}
