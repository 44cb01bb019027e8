import { DataError } from '../errors.ts';
import { canonicalDigest, sha256Hex } from './digest.ts';
import type { Scope, TypedValue } from './scalars.ts';

/** What a payload schema says of one field. */
export type SchemaField = {
  readonly name: string;
  readonly kind: string;
  readonly required: boolean;
  readonly constraint: string;
};

/** One port's controls as identity sees them: everything the port declares, in its order. */
export type NamedPortControl = {
  readonly portId: string;
  readonly buttons: readonly { readonly id: string; readonly down: boolean }[];
  readonly axes: readonly { readonly id: string; readonly value: number }[];
};

/** What a saved fly must have in common with the fly that takes its state. */
export type AgentIdentity = {
  readonly agentId: string;
  readonly profileDigest: string;
  readonly datasetDigest: string;
  readonly indexDigest: string;
  readonly modelVersion: string;
  readonly plasticityVersion: string;
  readonly seed: number;
};

// Every recipe below is session.md 2.4; all return 64 lowercase hex digits.

export function payloadSchemaDigest(
  id: string,
  version: number,
  source: string,
  fields: readonly SchemaField[],
): string {
  const plain = fields.map(({ name, kind, required, constraint }) => ({ name, kind, required, constraint }));
  return canonicalDigest({ registry: 'fly-session-payload-schema-v1', id, version, source, fields: plain });
}

export function syntheticSchemaDigest(name: string, version: number): string {
  return sha256Hex(`fly-session-schema-v1\n${name}\n${version}\n`);
}

/** @param ports requested values in descriptor order; what the backend makes of them changes nothing */
export function controlDigest(ports: readonly NamedPortControl[]): string {
  return canonicalDigest(ports);
}

/** Typed values and decision contexts; the schema is part of the identity. */
export function typedValueDigest({ schema, value }: TypedValue): string {
  return canonicalDigest({ schema, value });
}

/** Same operation of the same worker at the same boundary, whoever asks. */
export function operationKey(scope: Scope, method: string, workerId: string): string {
  return canonicalDigest({ scope, method, workerId });
}

/** @throws DataError OPERATION_BODY when `params` names a transport's own key at any depth */
export function operationBodyDigest(method: string, scope: Scope | null, params: unknown): string {
  refuseTransportKeys(params);
  return canonicalDigest({ method, scope, params });
}

/** Without `indexDigest`: the older form. */
export function agentCaptureDigest(identity: AgentIdentity | Omit<AgentIdentity, 'indexDigest'>): string {
  return canonicalDigest(identity);
}

/** @param fingerprint seven digests joined by `:` (brain.md 1.4) */
export function legacyDatasetDigest(fingerprint: string): string {
  return sha256Hex(fingerprint);
}

/** @param macroRoles every `macro_*` role with its neurons, in the bundle's role order */
export function legacyIndexDigest(
  fingerprint: string,
  neurons: number,
  macroRoles: Iterable<readonly [name: string, indices: ArrayLike<number>]>,
): string {
  let text = `fly-session/legacy-agent-index-v1\nfingerprint=${fingerprint}\nneurons=${neurons}\n`;
  for (const [name, indices] of macroRoles) text += `role=${name}:${Array.from(indices).join(',')}\n`;
  return sha256Hex(text);
}

/**
 * Identity of one epoch's publications and traces. It holds the epoch, so every restore changes it: it is no gate.
 * @param declaration the composition's declaration document, null when it has none
 */
export function compositionDigest(composition: {
  readonly sessionId: string;
  readonly epoch: string;
  readonly contractDigest: string;
  readonly agents: readonly { readonly agentId: string; readonly portId: string; readonly profileDigest: string }[];
  readonly declaration: unknown;
}): string {
  const { sessionId, epoch, contractDigest, agents, declaration } = composition;
  const lines = [
    'fly-session/composition-v1',
    `session=${sessionId}`,
    `epoch=${epoch}`,
    `contract=${contractDigest}`,
    ...agents.map(({ agentId, portId, profileDigest }) => `agent=${agentId} port=${portId} profile=${profileDigest}`),
    ...(declaration === null ? [] : [`declaration=${canonicalDigest(declaration)}`]),
  ];
  return sha256Hex(lines.map((line) => `${line}\n`).join(''));
}

/** Our own contracts' identity; any bound that moves changes it. @param declaration canonical schema set */
export function contractDigest(declaration: unknown): string {
  return canonicalDigest(declaration);
}

const TRANSPORT_KEYS: ReadonlySet<string> = new Set([
  'callId',
  'deliveryId',
  'deliveryIds',
  'ownerId',
  'ownerIds',
  'requestDeliveryId',
  'expectedIncarnation',
  'serviceIncarnation',
  'connectionId',
  'topicSequence',
  'subscriptionId',
]);

function refuseTransportKeys(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && TRANSPORT_KEYS.has(key)) {
      throw new DataError('OPERATION_BODY', `operation params hold ${key}, which belongs to the transport; remove it.`);
    }
    refuseTransportKeys(inner);
  }
}
