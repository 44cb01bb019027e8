import { describeError, isFlyError } from '../../../engine/errors.ts';
import { readOrigin } from './bundle-origin.ts';
import type { BundleOrigin } from './bundle-origin.ts';
import { loadBundle, readMeta } from './load-bundle.ts';

export type VerifyReport =
  | {
      readonly kind: 'sound';
      readonly folder: string;
      readonly origin: BundleOrigin;
      readonly neurons: number;
      readonly edges: number;
      readonly fingerprint: string;
      readonly identity: string;
    }
  | { readonly kind: 'damaged'; readonly folder: string; readonly code: string; readonly reason: string };

/** Reads a whole bundle the way a show would and says what is wrong with it, if anything. */
export async function verifyBundle(folder: string): Promise<VerifyReport> {
  try {
    const { neurons, edges, fingerprint, identity } = await loadBundle(folder);
    const origin = await readOrigin(folder, (await readMeta(folder)).dataset);
    return { kind: 'sound', folder, origin, neurons, edges, fingerprint, identity };
  } catch (error) {
    if (!isFlyError(error)) throw error;
    return { kind: 'damaged', folder, code: error.code, reason: describeError(error) };
  }
}
