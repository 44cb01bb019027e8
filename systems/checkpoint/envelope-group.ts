import { DataError } from '../../engine/errors.ts';
import type { AgentCapture, GroupCapture } from '../../engine/group-capture.ts';
import { canonicalJsonBytes } from '../../engine/identity/canonical-json.ts';
import type { AgentIdentity } from '../../engine/identity/digest-recipes.ts';
import { formatRational, parseRational } from '../../engine/identity/scalars.ts';
import { parseCanonicalJson } from '../../engine/identity/strict-json.ts';
import { multiplyRational, rationalNs } from '../../engine/rational.ts';
import type { RationalNs } from '../../engine/rational.ts';
import { decodeAgentEnvelope, encodeAgentEnvelope } from './agent-envelope.ts';
import { COORDINATOR, decodeCoordinator, encodeCoordinator, eventWatermarks } from './coordinator-record.ts';
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
/** Empty: the world's own state brings the observation back, memory image included (docs/decisions/0022). */
const PRIOR_INSPECTION = 'prior-inspection';

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
  payloads.set(COORDINATOR, encodeCoordinator(capture, rows, group));
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
      eventWatermarks: eventWatermarks(capture),
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
  const { agents, ...record } = decodeCoordinator(payloads.get(manifest.coordinator.admissionState)!, manifest, here);
  return {
    ...record,
    epoch: manifest.sourceScope.epoch,
    environment: payloads.get(manifest.environment.payload)!,
    taskLedger: parseCanonicalJson(payloads.get(manifest.coordinator.taskLedger)!),
    agents: here.agents.map((identity, i) => {
      const row = manifest.agents[i]!;
      const payload = payloads.get(row.payload)!;
      return { ...decodeAgentRow(row, payload, identity, here.stepDuration), ...agents[i]! };
    }),
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

function decodeAgentRow(
  row: SessionAgent,
  payload: Uint8Array,
  identity: AgentIdentity,
  step: RationalNs,
): Pick<AgentCapture, 'brain' | 'readout' | 'ticks' | 'owed'> {
  const { brain, readout } = decodeAgentEnvelope(payload, identity);
  const ticks = BigInt(row.brainTicks);
  if (BigInt(brain.ms) !== ticks) throw refused(`${identity.agentId} ran ${brain.ms} ticks, its row says ${ticks}`);
  return { brain, readout, ticks, owed: owedUnits(row, step) };
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

function refused(what: string): DataError {
  return new DataError('GROUP_STATE', `group checkpoint: ${what}. Nothing was restored; use another checkpoint.`);
}
