import type { SessionDescriptor } from './descriptor.ts';
import type { Snapshot } from './snapshot.ts';
import type { Attachment } from './wire.ts';

/**
 * Where a boundary disagrees with the descriptor it names: another session, other agents or controls, a picture, sound or
 * spike bitset of another owner or length (spec: session.md 19, feed-control.md 66, 85). Null when it agrees.
 */
export function findMismatch(
  { agents, environment, sessionId }: SessionDescriptor,
  snapshot: Snapshot,
  attachments: readonly Attachment[],
): string | null {
  if (snapshot.sessionId !== sessionId) return `it is of session ${snapshot.sessionId}, described is ${sessionId}`;
  if (snapshot.agents.length !== agents.length) return `it has ${snapshot.agents.length} agents, not ${agents.length}`;
  for (let i = 0; i < agents.length; i++) {
    const { agentId, portId, rateRoles } = agents[i]!;
    const { appliedAxes, appliedButtons, ratesHz } = snapshot.agents[i]!;
    const port = environment.ports.find((one) => one.portId === portId);
    if (ratesHz.length !== rateRoles.length) return `${agentId} has ${ratesHz.length} rates, not ${rateRoles.length}`;
    if (appliedButtons !== null && appliedButtons.length !== port?.buttons.length) {
      return `${agentId} has ${appliedButtons.length} buttons, its port ${portId} ${port?.buttons.length ?? 'is unknown'}`;
    }
    if (appliedAxes !== null && appliedAxes.length !== port?.axes.length) {
      return `${agentId} has ${appliedAxes.length} axes, its port ${portId} ${port?.axes.length ?? 'is unknown'}`;
    }
  }
  for (const { kind, index, bytes } of attachments) {
    const fits = lengthRule(kind, index, agents, environment);
    if (fits === undefined) return `${kind} ${index} belongs to nobody`;
    if (!fits(bytes.byteLength)) return `${kind} ${index} has ${bytes.byteLength} bytes, which is not its length`;
  }
  return null;
}

/** Which lengths an attachment may have; undefined when the descriptor has no owner for it. */
function lengthRule(
  kind: Attachment['kind'],
  index: number,
  agents: SessionDescriptor['agents'],
  { audio, views }: SessionDescriptor['environment'],
): ((bytes: number) => boolean) | undefined {
  switch (kind) {
    case 'view': {
      const view = views[index];
      return view && ((bytes) => bytes === view.widthPx * view.heightPx * 4);
    }
    case 'audio': {
      const stream = audio[index];
      return stream && ((bytes) => bytes % (4 * stream.channels) === 0);
    }
    case 'spikes': {
      const agent = agents[index];
      return agent && ((bytes) => bytes === Math.ceil(agent.connectome.neurons / 8));
    }
    case 'preview':
    case 'state':
      return () => true; // of no boundary: skipped where they are not asked for
    default:
      return kind satisfies never;
  }
}
