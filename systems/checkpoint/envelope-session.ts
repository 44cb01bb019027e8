import { DataError } from '../../engine/errors.ts';
import type { AgentIdentity } from '../../engine/identity/digest-recipes.ts';
import { isDigest, isId, isU64, parseRational, parseScope } from '../../engine/identity/scalars.ts';
import type { RationalText, Scope } from '../../engine/identity/scalars.ts';
import { decodeContainer, digestPayloads, encodeContainer } from './envelope-container.ts';
import type { Container } from './envelope-container.ts';
import { listField, manifestObject, numberField, objectField, textField } from './envelope-fields.ts';
import type { ManifestObject } from './envelope-fields.ts';

/** What a group checkpoint says of itself; every field is required (spec: session.md 17.2). */
export type SessionManifest = {
  readonly checkpointId: string;
  readonly sourceScope: Scope;
  readonly episodeId: string;
  /** Since the episode began, ns. */
  readonly worldTime: RationalText;
  readonly schedulerId: string;
  readonly compositionDigest: string;
  readonly portMap: readonly { readonly portId: string; readonly agentId: string }[];
  readonly compatibility: Compatibility;
  readonly agents: readonly SessionAgent[];
  readonly environment: { readonly workerId: string; readonly payload: string };
  readonly coordinator: {
    /** Payload names. */
    readonly taskLedger: string;
    readonly priorInspection: string;
    readonly executorState: readonly { readonly agentId: string; readonly payload: string }[];
    readonly admissionState: string;
    /** `lastSourceStep` null before the first event. */
    readonly eventWatermarks: { readonly lastSourceStep: string | null; readonly issued: string };
  };
  /** Explicitly empty when there is none. */
  readonly helperState: readonly { readonly helperId: string; readonly payload: string }[];
};

/** What has to be equal before a world's state may be installed. */
export type Compatibility = {
  readonly backendDigest: string;
  readonly contentDigest: string;
  readonly patchDigest: string;
  readonly controllerDigest: string;
  readonly parserDigest: string;
  readonly stateFormatId: string;
};

export type SessionAgent = AgentIdentity & {
  /** U64: neural ticks, warm-up included. */
  readonly brainTicks: string;
  /** World time owed but not yet ticked, ns, below one tick. */
  readonly remainder: RationalText;
  readonly payload: string;
};

export type SessionEnvelope = {
  readonly manifest: SessionManifest;
  readonly payloads: ReadonlyMap<string, Uint8Array>;
};

const ENVELOPE_VERSION = 1;

/** @throws InvariantError CONTAINER; DataError SESSION_MANIFEST when a field or a payload it names is missing */
export function encodeSessionEnvelope({ manifest, payloads }: SessionEnvelope): Uint8Array {
  const digests = digestPayloads(payloads);
  const whole = { ...manifest, envelopeVersion: ENVELOPE_VERSION, payloads: listPayloads(payloads, digests) };
  parseManifest({ manifest: whole, payloads, digests });
  return encodeContainer(whole, payloads, digests);
}

/**
 * Reads a whole group or nothing.
 * @throws DataError CONTAINER_*, SESSION_MANIFEST, MANIFEST_FIELD or SCALAR
 */
export function decodeSessionEnvelope(bytes: Uint8Array): SessionEnvelope {
  const container = decodeContainer(bytes);
  return { manifest: parseManifest(container), payloads: container.payloads };
}

/**
 * The first reason why a saved group may not be installed here, or null. Names what is saved and what is here.
 * @param here what the running composition consists of, agents in its order
 */
export function sessionMismatch(
  saved: SessionManifest,
  here: { readonly compatibility: Compatibility; readonly agents: readonly AgentIdentity[] },
): string | null {
  return worldMismatch(saved, here.compatibility) ?? agentsMismatch(saved, here.agents);
}

/** As `sessionMismatch`, of the world alone, in the order of session.md 16. */
export function worldMismatch(saved: Pick<SessionManifest, 'compatibility'>, here: Compatibility): string | null {
  const { stateFormatId, backendDigest, contentDigest, patchDigest, controllerDigest, parserDigest } = here;
  const ordered = { stateFormatId, backendDigest, contentDigest, patchDigest, controllerDigest, parserDigest };
  const difference = firstDifference(saved.compatibility, ordered);
  return difference === null ? null : `the world's ${difference}`;
}

/** As `sessionMismatch`, of the flies alone. */
export function agentsMismatch(
  saved: Pick<SessionManifest, 'agents'>,
  agents: readonly AgentIdentity[],
): string | null {
  const [savedIds, hereIds] = [saved.agents, agents].map((group) => group.map(({ agentId }) => agentId).join());
  if (savedIds !== hereIds) return `agents are ${savedIds} in the checkpoint, ${hereIds} here`;
  for (const [i, agent] of agents.entries()) {
    const { agentId, profileDigest, datasetDigest, indexDigest, modelVersion, plasticityVersion, seed } = agent;
    // the seed first: it is part of the profile too, and the one an operator can act on
    const identity = { agentId, seed, profileDigest, datasetDigest, indexDigest, modelVersion, plasticityVersion };
    const difference = firstDifference(saved.agents[i]!, identity);
    if (difference !== null) return `${agentId}'s ${difference}`;
  }
  return null;
}

function firstDifference(saved: object, here: object): string | null {
  const found = saved as Readonly<Record<string, unknown>>;
  for (const [key, value] of Object.entries(here)) {
    if (found[key] !== value) return `${key} is ${short(found[key])} in the checkpoint, ${short(value)} here`;
  }
  return null;
}

/** Twelve digits of a digest tell two apart. */
function short(value: unknown): string {
  return isDigest(value) ? value.slice(0, 12) : String(value);
}

type PayloadEntry = { readonly name: string; readonly byteLength: string; readonly digest: string };

function listPayloads(payloads: Container['payloads'], digests: Container['digests']): PayloadEntry[] {
  return [...payloads].map(([name, bytes]) => ({
    name,
    byteLength: String(bytes.byteLength),
    digest: Buffer.from(digests.get(name)!).toString('hex'),
  }));
}

function parseManifest({ manifest: value, payloads, digests }: Container): SessionManifest {
  const root = manifestObject(value, 'manifest');
  const version = numberField(root, 'envelopeVersion');
  if (version !== ENVELOPE_VERSION) throw refused(`envelopeVersion ${version}; this program reads ${ENVELOPE_VERSION}`);
  requireSamePayloads(root, listPayloads(payloads, digests));
  const payload = (object: ManifestObject, name: string): string => {
    const named = textField(object, name);
    if (!payloads.has(named)) throw refused(`${object.where}.${name} names ${named}, which is not in the file`);
    return named;
  };
  const environment = objectField(root, 'environment');
  const coordinator = objectField(root, 'coordinator');
  const watermarks = objectField(coordinator, 'eventWatermarks');
  const manifest: SessionManifest = {
    checkpointId: id(root, 'checkpointId'),
    sourceScope: parseScope(root.value['sourceScope'], 'manifest.sourceScope'),
    episodeId: id(root, 'episodeId'),
    worldTime: rational(root, 'worldTime'),
    schedulerId: id(root, 'schedulerId'),
    compositionDigest: digest(root, 'compositionDigest'),
    portMap: listField(root, 'portMap').map((row) => ({ portId: id(row, 'portId'), agentId: id(row, 'agentId') })),
    compatibility: parseCompatibility(objectField(root, 'compatibility')),
    agents: listField(root, 'agents').map((row) => ({ ...parseAgent(row), payload: payload(row, 'payload') })),
    environment: { workerId: id(environment, 'workerId'), payload: payload(environment, 'payload') },
    coordinator: {
      taskLedger: payload(coordinator, 'taskLedger'),
      priorInspection: payload(coordinator, 'priorInspection'),
      executorState: listField(coordinator, 'executorState').map((row) => ({
        agentId: id(row, 'agentId'),
        payload: payload(row, 'payload'),
      })),
      admissionState: payload(coordinator, 'admissionState'),
      eventWatermarks: {
        lastSourceStep: watermarks.value['lastSourceStep'] === null ? null : u64(watermarks, 'lastSourceStep'),
        issued: u64(watermarks, 'issued'),
      },
    },
    helperState: listField(root, 'helperState').map((row) => ({
      helperId: id(row, 'helperId'),
      payload: payload(row, 'payload'),
    })),
  };
  requireOneAgentPerPort(manifest);
  return manifest;
}

/** The manifest's list is a second spelling of the table; both have to say the same. */
function requireSamePayloads(root: ManifestObject, found: readonly PayloadEntry[]): void {
  const listed = listField(root, 'payloads').map((row) => ({
    name: id(row, 'name'),
    byteLength: u64(row, 'byteLength'),
    digest: digest(row, 'digest'),
  }));
  const at = found.findIndex((entry, i) => firstDifference(listed[i] ?? {}, entry) !== null);
  if (at >= 0 || listed.length !== found.length) {
    throw refused(`its payload list differs from its table at ${found[at]?.name ?? `entry ${found.length}`}`);
  }
}

function requireOneAgentPerPort({ agents, portMap, coordinator }: SessionManifest): void {
  const agentIds = agents.map(({ agentId }) => agentId);
  const isUnique = (names: readonly string[]): boolean => new Set(names).size === names.length;
  const mapped = portMap.map(({ agentId }) => agentId);
  const executors = coordinator.executorState.map(({ agentId }) => agentId);
  if (!isUnique(agentIds) || !isUnique(mapped) || !isUnique(portMap.map(({ portId }) => portId))) {
    throw refused('an agent or a port is listed twice');
  }
  if ([...mapped].sort().join() !== [...agentIds].sort().join()) throw refused('agents and port map differ');
  const stranger = executors.find((agentId) => !agentIds.includes(agentId));
  if (stranger !== undefined) throw refused(`executor state of ${stranger}, who is no agent of this group`);
}

function parseCompatibility(object: ManifestObject): Compatibility {
  return {
    backendDigest: digest(object, 'backendDigest'),
    contentDigest: digest(object, 'contentDigest'),
    patchDigest: digest(object, 'patchDigest'),
    controllerDigest: digest(object, 'controllerDigest'),
    parserDigest: digest(object, 'parserDigest'),
    stateFormatId: id(object, 'stateFormatId'),
  };
}

function parseAgent(row: ManifestObject): Omit<SessionAgent, 'payload'> {
  const seed = numberField(row, 'seed');
  if (!Number.isInteger(seed) || seed === 0 || seed !== (seed | 0)) throw refused(`${row.where}.seed is ${seed}`);
  return {
    agentId: id(row, 'agentId'),
    profileDigest: digest(row, 'profileDigest'),
    datasetDigest: digest(row, 'datasetDigest'),
    indexDigest: digest(row, 'indexDigest'),
    modelVersion: textField(row, 'modelVersion'),
    plasticityVersion: textField(row, 'plasticityVersion'),
    seed,
    brainTicks: u64(row, 'brainTicks'),
    remainder: rational(row, 'remainder'),
  };
}

function id(object: ManifestObject, name: string): string {
  const found = textField(object, name);
  if (!isId(found)) throw refused(`${object.where}.${name} is no Id`);
  return found;
}

function digest(object: ManifestObject, name: string): string {
  const found = textField(object, name);
  if (!isDigest(found)) throw refused(`${object.where}.${name} is no SHA-256`);
  return found;
}

function u64(object: ManifestObject, name: string): string {
  const found = textField(object, name);
  if (!isU64(found)) throw refused(`${object.where}.${name} is no U64`);
  return found;
}

function rational(object: ManifestObject, name: string): RationalText {
  const { numerator, denominator } = parseRational(object.value[name], `${object.where}.${name}`);
  return { numerator: String(numerator), denominator: String(denominator) };
}

function refused(what: string): DataError {
  return new DataError('SESSION_MANIFEST', `group checkpoint: ${what}. Nothing was restored; use another checkpoint.`);
}
