import { canonicalDigest, sha256Hex } from '../../engine/identity/digest.ts';
import type { AgentIdentity } from '../../engine/identity/digest-recipes.ts';
import type { Compatibility, SessionManifest } from './envelope-session.ts';
import type { StoredGeneration } from './store-manifest.ts';

/** What two checkpoints must have in common to be of one composition. */
export type RecordedIdentity = {
  readonly schedulerId: string;
  readonly environmentId: string;
  readonly portMap: readonly { readonly portId: string; readonly agentId: string }[];
  readonly compatibility: Compatibility;
  readonly agents: readonly AgentIdentity[];
};

/** SHA-256 of the canonical identity, agents and ports in their order. */
export function compatibilityDigest(identity: RecordedIdentity): string {
  const { schedulerId, environmentId, portMap, compatibility } = identity;
  const agents = identity.agents.map(
    ({ agentId, profileDigest, datasetDigest, indexDigest, modelVersion, plasticityVersion, seed }) => ({
      agentId,
      profileDigest,
      datasetDigest,
      indexDigest,
      modelVersion,
      plasticityVersion,
      seed,
    }),
  );
  return canonicalDigest({ schedulerId, environmentId, portMap, compatibility, agents });
}

/** What the store will say of a file whose manifest is known. */
export function recordOf(manifest: SessionManifest, bytes: Uint8Array): Omit<StoredGeneration, 'file'> {
  return {
    ...recordOfManifest(manifest),
    envelopeDigest: sha256Hex(bytes),
    byteLength: String(bytes.byteLength),
  };
}

/** The first field in which the store's list and the file disagree, with both values; null when none does. */
export function recordMismatch(manifest: SessionManifest, listed: StoredGeneration): string | null {
  const found = recordOfManifest(manifest);
  for (const [name, value] of Object.entries(found)) {
    const wanted = listed[name as keyof typeof found];
    if (value !== wanted) return `its ${name} is ${value} in the file, ${wanted} in the store's list`;
  }
  return null;
}

function identityOf({ schedulerId, environment, portMap, compatibility, agents }: SessionManifest): RecordedIdentity {
  return { schedulerId, environmentId: environment.workerId, portMap, compatibility, agents };
}

function recordOfManifest(manifest: SessionManifest) {
  const { checkpointId, sourceScope, episodeId } = manifest;
  return {
    checkpointId,
    sessionId: sourceScope.sessionId,
    epoch: sourceScope.epoch,
    episodeId,
    boundary: sourceScope.step,
    compatibilityDigest: compatibilityDigest(identityOf(manifest)),
  };
}
