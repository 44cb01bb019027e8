import { sha256Hex } from '../../../engine/identity/digest.ts';
import { isMacroRole } from './bundle-meta.ts';
import type { BundleMeta } from './bundle-meta.ts';

/** The decoded bytes that identify a graph, in fingerprint order (spec: brain.md 1.4). */
export type GraphBytes = {
  readonly indptr: ArrayBufferView;
  readonly targets: ArrayBufferView;
  readonly weights: ArrayBufferView;
  readonly visualIndices: ArrayBufferView;
  readonly visualHemisphere: ArrayBufferView;
  readonly visualXY: ArrayBufferView;
};

/** Both names of one graph. */
export type GraphIdentity = { readonly fingerprint: string; readonly identity: string };

/**
 * The published fingerprint and our own identity of a bundle.
 *
 * `fingerprint`: seven SHA-256 digests joined by `:`; the first covers the meta text without macro roles and therefore
 * depends on compressed sizes (spec: brain.md 1.4). `identity`: one SHA-256 over the six array digests and the meta
 * text without `artifacts`, top-level keys sorted, role order kept; it survives recompression and covers macro roles.
 */
export function identifyGraph(merged: BundleMeta, arrays: GraphBytes): GraphIdentity {
  const digests = [
    arrays.indptr,
    arrays.targets,
    arrays.weights,
    arrays.visualIndices,
    arrays.visualHemisphere,
    arrays.visualXY,
  ].map(sha256);
  return {
    fingerprint: [sha256(fingerprintText(merged)), ...digests].join(':'),
    identity: sha256(`connectome-identity-v1\n${identityText(merged)}\n${digests.join('\n')}`),
  };
}

/** `JSON.stringify(meta)` with every macro role removed in place (spec: brain.md 1.4). */
export function fingerprintText(merged: BundleMeta): string {
  const kept = Object.entries(merged.roles).filter(([name]) => !isMacroRole(name));
  return JSON.stringify({ ...merged, roles: Object.fromEntries(kept) });
}

export function sha256(data: string | ArrayBufferView): string {
  const bytes = typeof data === 'string' ? data : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return sha256Hex(bytes);
}

function identityText(merged: BundleMeta): string {
  const entries = Object.entries(merged)
    .filter(([key]) => key !== 'artifacts')
    .map(([key, value]): [string, unknown] => [key, key === 'roles' ? Object.entries(merged.roles) : value])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(entries);
}
