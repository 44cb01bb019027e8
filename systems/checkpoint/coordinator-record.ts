import type { AudioPosition } from '../../engine/audio-timeline.ts';
import type { PortControl } from '../../engine/contract/environment.ts';
import type { DecisionContext } from '../../engine/contract/task.ts';
import { DataError } from '../../engine/errors.ts';
import type { AgentCapture, AgentTally, GroupCapture } from '../../engine/group-capture.ts';
import { canonicalJson, canonicalJsonBytes } from '../../engine/identity/canonical-json.ts';
import type { JsonValue } from '../../engine/identity/canonical-json.ts';
import { parseU64 } from '../../engine/identity/scalars.ts';
import { parseCanonicalJson } from '../../engine/identity/strict-json.ts';
import { booleanField, countField, listField, manifestObject, numberField } from './envelope-fields.ts';
import { objectField, textField } from './envelope-fields.ts';
import type { ManifestObject } from './envelope-fields.ts';
import type { GroupIdentity } from './envelope-group.ts';
import type { SessionAgent, SessionManifest } from './envelope-session.ts';

/** Payload name of the record. */
export const COORDINATOR = 'coordinator-admission';
/** Interactions that were still waiting are not saved: whoever asked is told that they ended. */
const ADMISSION = 'none';
/** Each brain is stepped by one thread (docs/decisions/0022). */
const WORKER_THREADS = 1;

/** What the coordinator keeps besides the payloads of others. */
export type CoordinatorRecord = Omit<GroupCapture, 'epoch' | 'environment' | 'taskLedger' | 'agents'> & {
  readonly agents: readonly Pick<AgentCapture, 'agentId' | 'warmupTicks' | 'context' | 'tally'>[];
};

/** How far the numbering of events went (spec: session.md 17.2). */
export function eventWatermarks({
  lastSourceStep,
  nextEventId,
}: Pick<GroupCapture, 'lastSourceStep' | 'nextEventId'>): SessionManifest['coordinator']['eventWatermarks'] {
  return {
    lastSourceStep: lastSourceStep === null ? null : String(lastSourceStep),
    issued: String(nextEventId - 1),
  };
}

/** @param rows what the manifest says of each fly, agent order: every record repeats its own (spec: session.md 17.2) */
export function encodeCoordinator(
  capture: GroupCapture,
  rows: readonly SessionAgent[],
  { portMap, taskId }: Pick<GroupIdentity, 'portMap' | 'taskId'>,
): Uint8Array {
  return canonicalJsonBytes({
    admission: ADMISSION,
    committedStep: String(capture.step),
    eventWatermarks: eventWatermarks(capture),
    audioPositions: capture.audio,
    reason: capture.reason,
    runSteps: String(capture.runSteps),
    episodeSteps: String(capture.episodeSteps),
    episode: capture.episode,
    bestRank: capture.bestRank,
    slotRank: capture.slotRank,
    rungSinceStep: String(capture.rungSinceStep),
    rollbacks: capture.rollbacks,
    filledSlots: capture.filledSlots,
    taskId,
    epochs: capture.epochs,
    nextInteraction: capture.nextInteraction,
    lastControls: capture.lastControls,
    agents: capture.agents.map(({ agentId, warmupTicks, context, tally }, i) => ({
      ...rowFields(rows[i]!, portMap, String(capture.step)),
      agentId,
      workerThreads: WORKER_THREADS,
      warmupTicks: String(warmupTicks),
      context,
      tally,
    })),
  });
}

/**
 * Reads the record and holds it against the manifest: every part stands at one boundary, every fly's record says what
 * its row says. Every field is required.
 * @throws DataError GROUP_STATE with what differs; MANIFEST_FIELD, SCALAR, NOT_CANONICAL
 */
export function decodeCoordinator(
  bytes: Uint8Array,
  manifest: SessionManifest,
  here: Pick<GroupIdentity, 'taskId'>,
): CoordinatorRecord {
  const record = manifestObject(parseCanonicalJson(bytes), COORDINATOR);
  const taskId = textField(record, 'taskId');
  if (taskId !== here.taskId) throw refused(`its ledger is task ${taskId}'s, here plays ${here.taskId}`);
  const step = u64Field(record, 'committedStep');
  if (step !== BigInt(manifest.sourceScope.step)) throw refused(`its parts stand at different boundaries (${step})`);
  const admission = textField(record, 'admission');
  if (admission !== ADMISSION) throw refused(`it holds admissions (${admission}); this program saves none`);
  const watermarks = objectField(record, 'eventWatermarks');
  if (canonicalJson(watermarks.value) !== canonicalJson(manifest.coordinator.eventWatermarks)) {
    throw refused('its record and its manifest number events differently');
  }
  const { lastSourceStep, issued } = manifest.coordinator.eventWatermarks;
  const records = listField(record, 'agents');
  return {
    reason: textField(record, 'reason'),
    step,
    runSteps: u64Field(record, 'runSteps'),
    episodeSteps: u64Field(record, 'episodeSteps'),
    episode: countField(record, 'episode'),
    nextEventId: Number(issued) + 1,
    lastSourceStep: lastSourceStep === null ? null : BigInt(lastSourceStep),
    bestRank: numberField(record, 'bestRank'),
    slotRank: numberField(record, 'slotRank'),
    rungSinceStep: u64Field(record, 'rungSinceStep'),
    rollbacks: countField(record, 'rollbacks'),
    filledSlots: textsField(record, 'filledSlots'),
    epochs: countField(record, 'epochs'),
    nextInteraction: countField(record, 'nextInteraction'),
    lastControls: record.value['lastControls'] === null ? null : listField(record, 'lastControls').map(parseControl),
    audio: listField(record, 'audioPositions').map(parseAudioPosition),
    agents: manifest.agents.map((row, i) => parseAgent(records[i], row, manifest)),
  };
}

/** What a fly's record repeats of its row and of the group, so that each one tells by itself where it stands. */
function rowFields(
  { agentId, brainTicks, profileDigest, remainder, seed }: SessionAgent,
  portMap: SessionManifest['portMap'],
  committedStep: string,
): Readonly<Record<string, JsonValue>> {
  const { portId } = portMap.find((port) => port.agentId === agentId)!;
  return { portId, profile: profileDigest, seed, committedStep, brainTicks, remainder };
}

function parseAgent(
  record: ManifestObject | undefined,
  row: SessionAgent,
  { portMap, sourceScope }: SessionManifest,
): CoordinatorRecord['agents'][number] {
  const { agentId } = row;
  if (record === undefined || textField(record, 'agentId') !== agentId) throw refused(`${agentId} has no record`);
  for (const [name, value] of Object.entries(rowFields(row, portMap, sourceScope.step))) {
    const found = record.value[name];
    if (found !== undefined && canonicalJson(found) === canonicalJson(value)) continue;
    const shown = found === undefined ? 'missing' : canonicalJson(found);
    throw refused(`${agentId}'s ${name} is ${shown} in its record, ${canonicalJson(value)} in the manifest`);
  }
  const threads = countField(record, 'workerThreads');
  if (threads !== WORKER_THREADS) throw refused(`${agentId} ran on ${threads} threads; here each fly has one`);
  const warmupTicks = u64Field(record, 'warmupTicks');
  if (warmupTicks > BigInt(row.brainTicks)) {
    throw refused(`${agentId} warmed up for ${warmupTicks} of ${row.brainTicks} ticks`);
  }
  const context = parseContext(objectField(record, 'context'));
  return { agentId, warmupTicks, context, tally: parseTally(objectField(record, 'tally')) };
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
    reinforcements: countField(object, 'reinforcements'),
    presses: countField(object, 'presses'),
  };
}

function isListOf(value: JsonValue | undefined, type: 'boolean'): value is readonly boolean[];
function isListOf(value: JsonValue | undefined, type: 'number'): value is readonly number[];
function isListOf(value: JsonValue | undefined, type: string): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === type);
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
