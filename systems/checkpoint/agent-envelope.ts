import type { BrainState } from '../../engine/contract/brain.ts';
import { DataError } from '../../engine/errors.ts';
import type { JsonValue } from '../../engine/identity/canonical-json.ts';
import type { AgentIdentity } from '../../engine/identity/digest-recipes.ts';
import { decodeEnvelope, encodeEnvelope } from './envelope.ts';
import type { Envelope } from './envelope.ts';
import { booleanField, manifestObject, numberField, numbersField, objectField, textField } from './envelope-fields.ts';

/** One fly at a committed boundary: everything that makes it continue exactly. */
export type AgentSave = {
  /** Whose brain this is; a fly with another identity refuses it. Null in files of other programs. */
  readonly identity: AgentIdentity | null;
  /** World time owed but not yet ticked, ms, 0 up to but not 1. */
  readonly remainderMs: number;
  readonly warmedUp: boolean;
  readonly brain: BrainState;
  /** What `Readout.exportState` gave; checked by `importState`, not here. */
  readonly readout: unknown;
};

const MAGIC = 'FLYAGT01';
const AGENT_VERSION = 1;

/** Envelope schema 2 with magic FLYAGT01 (spec: brain.md 10.1). Host byte order; every supported host is little-endian. */
export function encodeAgentEnvelope(save: AgentSave): Uint8Array {
  const { identity } = save;
  return encodeEnvelope(MAGIC, { ...(identity === null ? {} : { identity }), ...agentFields(save) }, agentChunks(save));
}

/**
 * @param expected the fly that would take the state; null only looks
 * @throws DataError AGENT_IDENTITY when the state is another fly's; AGENT_ENVELOPE, MANIFEST_FIELD or ENVELOPE_* when a
 *   part is missing or damaged
 */
export function decodeAgentEnvelope(bytes: Uint8Array, expected: AgentIdentity | null): AgentSave {
  const envelope = decodeEnvelope(MAGIC, bytes);
  const identity = parseIdentity(envelope.manifest['identity']);
  if (expected !== null) refuseOtherFly(identity, expected);
  return { identity, ...parseAgentParts(envelope) };
}

/** The agent's own manifest fields, in file order. */
export function agentFields({ remainderMs, warmedUp, brain, readout }: AgentSave): Record<string, unknown> {
  const { rng, rewardRemaining, ms, populationRate, rates, plasticity } = brain;
  const { version, topology, enabled, updates, signal } = plasticity;
  return {
    agentVersion: AGENT_VERSION,
    remainder: remainderMs,
    warmedUp,
    network: { rng, rewardRemaining, ms, populationRate, rates },
    decoder: readout,
    plasticity: { version, topology, enabled, updates, signal },
  };
}

/** The seven arrays, in file order, as raw bytes. */
export function agentChunks({ brain }: AgentSave): Map<string, Uint8Array> {
  const { plasticity } = brain;
  return new Map([
    ['membrane', bytesOf(brain.membrane)],
    ['refractory', bytesOf(brain.refractory)],
    ['lastSpikeMs', bytesOf(brain.lastSpikeMs)],
    ['visualDrive', bytesOf(brain.visualDrive)],
    ['plasticGains', bytesOf(plasticity.gains)],
    ['plasticTraces', bytesOf(plasticity.traces)],
    ['plasticTouched', bytesOf(plasticity.touched)],
  ]);
}

/** Shapes and types only; lengths and ranges belong to the brain and the readout that import them. */
export function parseAgentParts({ manifest, chunks }: Envelope): Omit<AgentSave, 'identity'> {
  const agent = manifestObject(manifest, 'manifest');
  const version = numberField(agent, 'agentVersion');
  if (version !== AGENT_VERSION) throw refused(`agentVersion is ${version}, this program reads ${AGENT_VERSION}`);
  const remainderMs = numberField(agent, 'remainder');
  if (!(remainderMs >= 0 && remainderMs < 1)) throw refused(`remainder is ${remainderMs} ms, outside 0 up to 1`);
  const network = objectField(agent, 'network');
  const plasticity = objectField(agent, 'plasticity');
  return {
    remainderMs,
    warmedUp: booleanField(agent, 'warmedUp'),
    readout: objectField(agent, 'decoder').value,
    brain: {
      membrane: new Float32Array(elements(chunks, 'membrane', 4)),
      refractory: new Uint8Array(elements(chunks, 'refractory', 1)),
      lastSpikeMs: new Float64Array(elements(chunks, 'lastSpikeMs', 8)),
      visualDrive: new Float32Array(elements(chunks, 'visualDrive', 4)),
      rng: numberField(network, 'rng'),
      rewardRemaining: numberField(network, 'rewardRemaining'),
      ms: numberField(network, 'ms'),
      populationRate: numberField(network, 'populationRate'),
      rates: numbersField(network, 'rates'),
      plasticity: {
        version: textField(plasticity, 'version'),
        topology: numberField(plasticity, 'topology'),
        enabled: booleanField(plasticity, 'enabled'),
        updates: numberField(plasticity, 'updates'),
        signal: numberField(plasticity, 'signal'),
        gains: new Float32Array(elements(chunks, 'plasticGains', 4)),
        traces: new Float32Array(elements(chunks, 'plasticTraces', 4)),
        touched: new Float64Array(elements(chunks, 'plasticTouched', 8)),
      },
    },
  };
}

/** An aligned copy of a chunk that holds whole elements. */
function elements(chunks: Envelope['chunks'], name: string, elementBytes: number): ArrayBuffer {
  const bytes = chunks.get(name);
  if (bytes === undefined) throw refused(`chunk ${name} is missing`);
  if (bytes.byteLength % elementBytes !== 0) {
    throw refused(`chunk ${name} has ${bytes.byteLength} bytes, no whole number of elements of ${elementBytes}`);
  }
  return new Uint8Array(bytes).buffer;
}

function parseIdentity(value: JsonValue | undefined): AgentIdentity | null {
  if (value === undefined) return null;
  const fields = manifestObject(value, 'manifest.identity');
  return {
    agentId: textField(fields, 'agentId'),
    profileDigest: textField(fields, 'profileDigest'),
    datasetDigest: textField(fields, 'datasetDigest'),
    indexDigest: textField(fields, 'indexDigest'),
    modelVersion: textField(fields, 'modelVersion'),
    plasticityVersion: textField(fields, 'plasticityVersion'),
    seed: numberField(fields, 'seed'),
  };
}

/** Gains never cross specimens, seeds or models, however alike two brains look (spec: session.md 3.1). */
function refuseOtherFly(found: AgentIdentity | null, expected: AgentIdentity): void {
  const keys = Object.keys(expected) as (keyof AgentIdentity)[];
  const differing = keys.find((key) => found?.[key] !== expected[key]);
  if (differing === undefined) return;
  const has = found === null ? 'no identity at all' : `${differing} ${found[differing]}`;
  throw new DataError(
    'AGENT_IDENTITY',
    `checkpoint of a fly: it has ${has}, ${expected.agentId} here has ${differing} ${expected[differing]}. ` +
      'Nothing was restored; start the show it was saved by, or start fresh.',
  );
}

function bytesOf(array: Float32Array | Float64Array | Uint8Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function refused(what: string): DataError {
  return new DataError('AGENT_ENVELOPE', `checkpoint of a fly: ${what}. Nothing was restored; use another checkpoint.`);
}
