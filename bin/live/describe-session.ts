import type { TaskModule, TaskPresentation } from '../../engine/contract/task.ts';
import { compositionDigest } from '../../engine/identity/digest-recipes.ts';
import { canonicalDigest } from '../../engine/identity/digest.ts';
import type { AgentDescriptor, LearningMode, SessionDescriptor } from '../../engine/replica/descriptor.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { SCHEDULER } from '../../systems/checkpoint/envelope-group.ts';
import { createDecoder } from '../../systems/readout/decoder.ts';
import type { DecoderConfig } from '../../systems/readout/decoder-config.ts';
import { release } from '../release.ts';
import type { AgentWiring } from './compose-session.ts';
import { declareComposition } from './declare-composition.ts';
import { profileDigest } from './session-identity.ts';

export type DescribeInput = {
  readonly world: SessionWorld;
  readonly revision: number;
  /** The show. */
  readonly compositionId: string;
  readonly task: TaskModule;
  readonly presentation: TaskPresentation;
  readonly decoder: DecoderConfig;
  readonly executorId: string;
  /** Agent order. */
  readonly wirings: readonly AgentWiring[];
  readonly learning: LearningMode;
};

/** What viewers are told about a session before it runs (spec: feed-control.md 6.2). */
export function describeSession(input: DescribeInput): SessionDescriptor {
  const { world, revision, compositionId, task, presentation } = input;
  const { descriptor: environment } = world.handles.environment;
  return {
    sessionId: world.sessionId,
    revision,
    showId: compositionId,
    release,
    compositionDigest: digestComposition(input),
    schedulerId: SCHEDULER,
    environment: {
      kind: environment.kind,
      stepDurationNs: {
        numerator: String(environment.stepDuration.numerator),
        denominator: String(environment.stepDuration.denominator),
      },
      ports: environment.ports,
      views: environment.views,
      audio: environment.audio,
      recovery: environment.recovery,
      determinism: environment.determinism,
    },
    task: { taskId: task.id, presentation },
    agents: world.agents.map((_, i) => describeAgent(input, i)),
    chat: false,
  };
}

function describeAgent({ world, decoder, wirings, learning }: DescribeInput, i: number): AgentDescriptor {
  const { connectome, vision = null } = wirings[i]!;
  const { agentId, seed, supportedStimuli, rateRoles } = world.handles.brains[i]!;
  return {
    agentId,
    portId: portOf(world, i),
    seed,
    connectome: {
      name: connectome.name,
      origin: connectome.origin,
      neurons: connectome.neurons,
      edges: connectome.edges,
      retinaColumns: connectome.retina.count,
      credit: connectome.credit,
      identity: connectome.identity,
    },
    learning,
    vision,
    supportedStimuli,
    rateRoles,
    roleSizes: rateRoles.map((role) => connectome.roles.get(role)?.length ?? 0),
    channels: createDecoder(decoder, rateRoles).channels.map(({ channel, role, threshold }) => ({
      channel,
      role,
      threshold,
    })),
  };
}

function digestComposition({ world, wirings, ...input }: DescribeInput): string {
  return compositionDigest({
    sessionId: world.sessionId,
    epoch: world.phase.epoch,
    contractDigest: canonicalDigest({ scheduler: SCHEDULER, release }),
    agents: world.handles.brains.map((brain, i) => ({
      agentId: brain.agentId,
      portId: portOf(world, i),
      profileDigest: profileDigest({ ...input, brain, connectome: wirings[i]!.connectome }),
    })),
    declaration: declareComposition({ ...input, environment: world.handles.environment.descriptor }),
  });
}

function portOf({ handles, portOfAgent }: SessionWorld, agentIndex: number): string {
  return handles.environment.descriptor.ports[portOfAgent[agentIndex]!]!.portId;
}
