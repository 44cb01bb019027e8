import type { AudioPosition } from '../../engine/audio-timeline.ts';
import type { PortControl } from '../../engine/contract/environment.ts';
import type { DecisionContext } from '../../engine/contract/task.ts';
import { DataError } from '../../engine/errors.ts';
import type { AgentCapture, AgentTally, GroupCapture } from '../../engine/group-capture.ts';
import { canonicalJsonBytes } from '../../engine/identity/canonical-json.ts';
import type { JsonValue } from '../../engine/identity/canonical-json.ts';
import type { AgentIdentity } from '../../engine/identity/digest-recipes.ts';
import { formatRational, parseRational, parseU64 } from '../../engine/identity/scalars.ts';
import { parseCanonicalJson } from '../../engine/identity/strict-json.ts';
import { multiplyRational, rationalNs } from '../../engine/rational.ts';
import type { RationalNs } from '../../engine/rational.ts';
import { decodeAgentEnvelope, encodeAgentEnvelope } from './agent-envelope.ts';
import {
  booleanField,
  countField,
  listField,
  manifestObject,
  numberField,
  objectField,
  textField,
} from './envelope-fields.ts';
import type { ManifestObject } from './envelope-fields.ts';
import { agentsMismatch, decodeSessionEnvelope, encodeSessionEnvelope, worldMismatch } from './envelope-session.ts';
import type { Compatibility, SessionAgent, SessionManifest } from './envelope-session.ts';
import type { StoredGeneration } from './store-manifest.ts';
import { recordMismatch } from './store-record.ts';

/** What a running composition is, as far as its checkpoints care. Agents in agent order. */
export type GroupIdentity = {
  readonly sessionId: string;
  readonly environmentId: string;
  /** Whose ledger is in the file. */
  readonly taskId: string;
  readonly stepDuration: RationalNs;
  readonly compositionDigest: string;
  readonly portMap: readonly { readonly portId: string; readonly agentId: string }[];
  readonly compatibility: Compatibility;
  readonly agents: readonly AgentIdentity[];
};

export const SCHEDULER = 'lockstep-v1';
const NS_PER_TICK = 1_000_000n;
const WORLD = 'world';
const TASK_LEDGER = 'task-ledger';
/** Empty: the world's own state brings the observation back, memory image included. */
const PRIOR_INSPECTION = 'prior-inspection';
const COORDINATOR = 'coordinator-admission';

/**
 * One committed boundary as a FLYSESS1 file (spec: session.md 17). Nothing of the capture is left out; interactions
 * that were still waiting are declared absent.
 * @throws DataError CANONICAL_JSON when the task's ledger is no plain JSON
 */
export function encodeGroup(capture: GroupCapture, checkpointId: string, group: GroupIdentity): Uint8Array {
  const { stepDuration, agents } = group;
  const payloads = new Map<string, Uint8Array>();
  const rows = capture.agents.map((agent, i): SessionAgent => {
    const payload = `agent-${agent.agentId}`;
    payloads.set(payload, encodeAgentPayload(agent, agents[i]!, stepDuration));
    const remainder = formatRational(rationalNs(agent.owed, stepDuration.denominator));
    return { ...agents[i]!, brainTicks: String(agent.ticks), remainder, payload };
  });
  payloads.set(WORLD, capture.environment);
  payloads.set(TASK_LEDGER, canonicalJsonBytes(capture.taskLedger));
  payloads.set(PRIOR_INSPECTION, new Uint8Array(0));
  payloads.set(COORDINATOR, canonicalJsonBytes(coordinatorRecord(capture, group.taskId)));
  const manifest = {
    checkpointId,
    sourceScope: { sessionId: group.sessionId, epoch: capture.epoch, step: String(capture.step) },
    episodeId: episodeId(capture),
    worldTime: formatRational(multiplyRational(stepDuration, capture.episodeSteps)),
    schedulerId: SCHEDULER,
    compositionDigest: group.compositionDigest,
    portMap: group.portMap,
    compatibility: group.compatibility,
    agents: rows,
    environment: { workerId: group.environmentId, payload: WORLD },
    coordinator: {
      taskLedger: TASK_LEDGER,
      priorInspection: PRIOR_INSPECTION,
      executorState: [],
      admissionState: COORDINATOR,
      eventWatermarks: { lastSourceStep: String(capture.step), issued: String(capture.nextEventId - 1) },
    },
    helperState: [],
  };
  return encodeSessionEnvelope({ manifest, payloads });
}

export function episodeId({ episode }: Pick<GroupCapture, 'episode'>): string {
  return `episode-${episode}`;
}

/**
 * Reads a group back for the composition that runs here: all of it, or nothing.
 * @param listed what the store says of the file; null for a file from elsewhere
 * @throws DataError GROUP_MISMATCH with what differs; CONTAINER_*, SESSION_MANIFEST, AGENT_* and the like when damaged
 */
export function decodeGroup(
  bytes: Uint8Array,
  here: GroupIdentity,
  listed: StoredGeneration | null = null,
): GroupCapture {
  const { manifest, payloads } = decodeSessionEnvelope(bytes);
  const mismatch = groupMismatch(manifest, here, listed);
  if (mismatch !== null) {
    throw new DataError(
      'GROUP_MISMATCH',
      `checkpoint ${manifest.checkpointId}: ${mismatch}. Nothing was restored; run the show it was saved by.`,
    );
  }
  const record = manifestObject(parseCanonicalJson(payloads.get(manifest.coordinator.admissionState)!), COORDINATOR);
  const taskId = textField(record, 'taskId');
  if (taskId !== here.taskId) throw refused(`its ledger is task ${taskId}'s, here plays ${here.taskId}`);
  const step = u64Field(record, 'committedStep');
  if (step !== BigInt(manifest.sourceScope.step)) throw refused(`its parts stand at different boundaries (${step})`);
  const rows = listField(record, 'agents');
  return {
    reason: textField(record, 'reason'),
    epoch: manifest.sourceScope.epoch,
    step,
    runSteps: u64Field(record, 'runSteps'),
    episodeSteps: u64Field(record, 'episodeSteps'),
    episode: countField(record, 'episode'),
    environment: payloads.get(manifest.environment.payload)!,
    taskLedger: parseCanonicalJson(payloads.get(manifest.coordinator.taskLedger)!),
    agents: here.agents.map((identity, i) => {
      const row = manifest.agents[i]!;
      return decodeAgentRow(row, rows[i], payloads.get(row.payload)!, identity, here.stepDuration);
    }),
    nextEventId: countField(record, 'nextEventId'),
    bestRank: numberField(record, 'bestRank'),
    slotRank: numberField(record, 'slotRank'),
    rungSinceStep: u64Field(record, 'rungSinceStep'),
    rollbacks: countField(record, 'rollbacks'),
    filledSlots: textsField(record, 'filledSlots'),
    epochs: countField(record, 'epochs'),
    nextInteraction: countField(record, 'nextInteraction'),
    lastControls: record.value['lastControls'] === null ? null : listField(record, 'lastControls').map(parseControl),
    ...(record.value['audio'] === undefined ? {} : { audio: listField(record, 'audio').map(parseAudioPosition) }),
  };
}

/** One by one, in the order of session.md 16; the first that differs, with both values. */
function groupMismatch(saved: SessionManifest, here: GroupIdentity, listed: StoredGeneration | null): string | null {
  const { sourceScope, schedulerId, portMap, environment } = saved;
  const differing = (what: string, found: string, wanted: string): string | null =>
    found === wanted ? null : `${what} is ${found} in the checkpoint, ${wanted} here`;
  const ports = (map: GroupIdentity['portMap']): string =>
    map.map(({ portId, agentId }) => `${agentId} on ${portId}`).join(', ');
  return (
    differing('the session', sourceScope.sessionId, here.sessionId) ??
    differing('the scheduler', schedulerId, SCHEDULER) ??
    (listed === null ? null : recordMismatch(saved, listed)) ??
    worldMismatch(saved, here.compatibility) ??
    differing('the port map', ports(portMap), ports(here.portMap)) ??
    differing('the environment', environment.workerId, here.environmentId) ??
    agentsMismatch(saved, here.agents)
  );
}

function parseControl(object: ManifestObject): PortControl {
  const buttons = object.value['buttons'];
  const axes = object.value['axes'];
  if (!isListOf(buttons, 'boolean') || !isListOf(axes, 'number'))
    throw refused(`${object.where} is no set of controls`);
  return { portId: textField(object, 'portId'), buttons, axes };
}

function parseAudioPosition(object: ManifestObject): AudioPosition {
  return { streamId: textField(object, 'streamId'), nextSample: countField(object, 'nextSample') };
}

function isListOf(value: JsonValue | undefined, type: 'boolean'): value is readonly boolean[];
function isListOf(value: JsonValue | undefined, type: 'number'): value is readonly number[];
function isListOf(value: JsonValue | undefined, type: string): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === type);
}

function encodeAgentPayload(agent: AgentCapture, identity: AgentIdentity, step: RationalNs): Uint8Array {
  return encodeAgentEnvelope({
    identity,
    // For other readers; the exact remainder stands in the manifest.
    remainderMs: Number(agent.owed) / Number(NS_PER_TICK * step.denominator),
    warmedUp: agent.warmupTicks > 0n,
    brain: agent.brain,
    readout: agent.readout,
  });
}

function coordinatorRecord(capture: GroupCapture, taskId: string): object {
  return {
    admission: 'none',
    committedStep: String(capture.step),
    reason: capture.reason,
    runSteps: String(capture.runSteps),
    episodeSteps: String(capture.episodeSteps),
    episode: capture.episode,
    nextEventId: capture.nextEventId,
    bestRank: capture.bestRank,
    slotRank: capture.slotRank,
    rungSinceStep: String(capture.rungSinceStep),
    rollbacks: capture.rollbacks,
    filledSlots: capture.filledSlots,
    taskId,
    epochs: capture.epochs,
    nextInteraction: capture.nextInteraction,
    lastControls: capture.lastControls,
    ...(capture.audio === undefined ? {} : { audio: capture.audio }),
    agents: capture.agents.map(({ agentId, warmupTicks, context, tally }) => ({
      agentId,
      warmupTicks: String(warmupTicks),
      context,
      tally,
    })),
  };
}

function decodeAgentRow(
  row: SessionAgent,
  record: ManifestObject | undefined,
  payload: Uint8Array,
  identity: AgentIdentity,
  step: RationalNs,
): AgentCapture {
  const { agentId } = identity;
  if (record === undefined || textField(record, 'agentId') !== agentId) throw refused(`${agentId} has no record`);
  const { brain, readout } = decodeAgentEnvelope(payload, identity);
  const ticks = BigInt(row.brainTicks);
  if (BigInt(brain.ms) !== ticks) throw refused(`${agentId} ran ${brain.ms} ticks, its row says ${ticks}`);
  const warmupTicks = u64Field(record, 'warmupTicks');
  if (warmupTicks > ticks) throw refused(`${agentId} warmed up for ${warmupTicks} of ${ticks} ticks`);
  return {
    agentId,
    brain,
    readout,
    ticks,
    owed: owedUnits(row, step),
    warmupTicks,
    context: parseContext(objectField(record, 'context')),
    tally: parseTally(objectField(record, 'tally')),
  };
}

/** The remainder in units of 1/denominator ns, as `Cadence` counts. */
function owedUnits({ agentId, remainder }: SessionAgent, step: RationalNs): bigint {
  const span = parseRational(remainder, `${agentId}.remainder`);
  const scaled = span.numerator * step.denominator;
  if (scaled % span.denominator !== 0n || span.numerator >= NS_PER_TICK * span.denominator) {
    throw refused(`${agentId} owes ${span.numerator}/${span.denominator} ns, which no step of this world leaves`);
  }
  return scaled / span.denominator;
}

function parseContext(object: ManifestObject): DecisionContext {
  const bound = textsField(object, 'bound');
  const boot = booleanField(object, 'boot');
  if (object.value['location'] === null) return { boot, bound, location: null };
  const place = objectField(object, 'location');
  const location = { area: countField(place, 'area'), x: countField(place, 'x'), y: countField(place, 'y') };
  return { boot, bound, location };
}

function parseTally(object: ManifestObject): AgentTally {
  return {
    spikesTotal: countField(object, 'spikesTotal'),
    rewardTotal: numberField(object, 'rewardTotal'),
    rewards: countField(object, 'rewards'),
    presses: countField(object, 'presses'),
  };
}

function u64Field(object: ManifestObject, name: string): bigint {
  return parseU64(object.value[name], `${object.where}.${name}`);
}

function textsField(object: ManifestObject, name: string): string[] {
  const found: JsonValue | undefined = object.value[name];
  if (!Array.isArray(found)) throw refused(`${object.where}.${name} is no list`);
  return (found as readonly JsonValue[]).map((text) => {
    if (typeof text !== 'string') throw refused(`${object.where}.${name} holds ${JSON.stringify(text)}, no text`);
    return text;
  });
}

function refused(what: string): DataError {
  return new DataError('GROUP_STATE', `group checkpoint: ${what}. Nothing was restored; use another checkpoint.`);
}
