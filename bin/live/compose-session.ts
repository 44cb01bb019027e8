import { access } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config, Show } from '../../config/schema.ts';
import type { Clock } from '../../engine/clock.ts';
import type { Brain } from '../../engine/contract/brain.ts';
import type { Connectome } from '../../engine/contract/connectome.ts';
import type { Environment, EnvironmentModule } from '../../engine/contract/environment.ts';
import type { TaskModule, TaskPresentation } from '../../engine/contract/task.ts';
import { ConfigError } from '../../engine/errors.ts';
import { resolveSeeds } from '../../engine/identity/derive-seed.ts';
import type { LearningMode, SessionDescriptor, VisionFact } from '../../engine/replica/descriptor.ts';
import { createSessionWorld } from '../../engine/world.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { IDENTITY_EXECUTOR, identityExecutor } from '../../systems/executor/identity-executor.ts';
import { createBrainHost } from '../../systems/kernel/brain-host.ts';
import type { BrainHost } from '../../systems/kernel/brain-host.ts';
import type { KernelOverrides } from '../../systems/kernel/parameters.ts';
import { freezeLearning, shuffleRewardSigns } from '../../systems/learning/plasticity-controls.ts';
import { createReadout } from '../../systems/readout/readout.ts';
import { decoderPreset } from '../../systems/readout/presets.ts';
import type { GroupIdentity } from '../../systems/checkpoint/envelope-group.ts';
import type { Home } from '../home.ts';
import { checkComposition } from './check-composition.ts';
import { describeSession } from './describe-session.ts';
import { identifySession } from './session-identity.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** A show turned into a world that can boot, and what its viewers are told about it. */
export type ComposedSession = {
  readonly world: SessionWorld;
  readonly descriptor: SessionDescriptor;
  /** What a saved state must have in common with this session. */
  readonly identity: GroupIdentity;
  readonly seeds: readonly number[];
  readonly reopenBrain: (agentIndex: number) => Promise<Brain>;
  close(): Promise<void>;
};

/** What an agent is composed from. */
export type AgentWiring = {
  readonly connectome: Connectome;
  /** Kernel constants that suit this wiring; absent: the defaults. */
  readonly parameters?: KernelOverrides;
  /** Absent when nobody looked. */
  readonly vision?: VisionFact;
};

export type ComposeOptions = {
  readonly show: Show;
  readonly config: Config;
  readonly home: Home;
  readonly clock: Clock;
  /**
   * Loads the bundle of each agent, show file order. Called once the world has opened, so that a wrong cartridge is
   * refused before a brain is grown for it.
   */
  readonly loadWirings: () => Promise<readonly AgentWiring[]>;
  /** Descriptor revision; another session of the same process has another one. Default 1. */
  readonly revision?: number;
  /** Default `on`; the others are control runs (systems/learning/plasticity-controls.ts). */
  readonly learning?: LearningMode;
  readonly report: (line: string) => void;
};

/**
 * Resolves every name of a show once: environment kind, task, ports, seeds, decoder. Anything that does not fit
 * refuses to start (spec: session.md 3.2).
 */
export async function composeSession(options: ComposeOptions): Promise<ComposedSession> {
  const { show, config, clock, report } = options;
  const seeds = resolveSeeds(config.seed, show.agents, show.equal_seeds ?? false);
  const taskModule = await loadTask(show.task.name);
  const environment = await openEnvironment(options, taskModule);
  try {
    checkComposition(show, taskModule, environment.descriptor);
    return await composeAround(options, taskModule, environment);
  } catch (error) {
    await environment.close();
    throw error;
  }

  async function composeAround(
    { loadWirings }: ComposeOptions,
    module: TaskModule,
    opened: Environment,
  ): Promise<ComposedSession> {
    const wirings = await loadWirings();
    const specs = show.agents.map((agent, index) => ({ ...agent, ...wirings[index]! }));
    const world = createSessionWorld({
      sessionId: show.id,
      agents: specs.map((agent) => ({ agentId: agent.id, portId: agent.port })),
      environment: opened,
      environmentId: show.environment.id,
      task: module.create({ agentCount: specs.length, contentDigest: opened.descriptor.contentDigest }),
      slotIds: module.slotIds,
      clock,
    });
    const hosts = openHosts(specs.map((agent) => agent.connectome));
    const openBrain = async (index: number): Promise<Brain> => {
      const { id: agentId, parameters } = specs[index]!;
      const brain = await hosts[index]!.openBrain({
        agentId,
        seed: seeds[index]!,
        thread: 'worker',
        ...(parameters === undefined ? {} : { parameters }),
      });
      return controlLearning(brain, options);
    };
    const preset = decoderPreset(module.decoderPreset);
    for (let i = 0; i < specs.length; i++) {
      const brain = await openBrain(i);
      world.handles.brains[i] = brain;
      world.handles.readouts[i] = createReadout(preset, brain.rateRoles);
      world.handles.executors[i] = identityExecutor;
    }
    report(`composed ${show.id}: ${specs.map((agent, i) => `${agent.id} seed ${seeds[i]!}`).join(', ')}`);
    const { learning = 'on', revision = 1 } = options;
    const descriptor = describeSession({
      world,
      revision,
      compositionId: show.id,
      task: module,
      presentation: presentationOf(module, specs.length),
      decoder: preset,
      executorId: IDENTITY_EXECUTOR,
      wirings: specs,
      learning,
    });
    return {
      world,
      seeds,
      descriptor,
      identity: identifySession({
        world,
        descriptor,
        connectomes: specs.map(({ connectome }) => connectome),
        decoder: preset,
        executorId: IDENTITY_EXECUTOR,
        learning,
      }),
      reopenBrain: openBrain,
      async close() {
        await Promise.allSettled(world.handles.brains.map((brain) => brain.close()));
        await opened.close();
      },
    };
  }
}

function controlLearning(brain: Brain, { learning = 'on' }: ComposeOptions): Brain {
  switch (learning) {
    case 'on':
      return brain;
    case 'frozen':
      return freezeLearning(brain);
    case 'shuffled':
      return shuffleRewardSigns(brain, brain.seed);
    default:
      return learning satisfies never;
  }
}

/** Agents over one connectome share its memory. */
function openHosts(connectomes: readonly Connectome[]): BrainHost[] {
  const hosts = new Map<Connectome, BrainHost>();
  return connectomes.map((connectome) => {
    const known = hosts.get(connectome);
    if (known !== undefined) return known;
    const host = createBrainHost(connectome, { flies: connectomes.filter((other) => other === connectome).length });
    hosts.set(connectome, host);
    return host;
  });
}

/** @throws ConfigError TASK_UNKNOWN */
export async function loadTask(name: string): Promise<TaskModule> {
  const file = join(checkout, 'systems', 'task', name, 'task.ts');
  await requireFile(
    file,
    'TASK_UNKNOWN',
    `there is no task ${name} in systems/task. Correct task.name in the show file.`,
  );
  return ((await import(file)) as { taskModule: TaskModule }).taskModule;
}

/** The words a task has for this many flies. */
export function presentationOf(module: TaskModule, agentCount: number): TaskPresentation {
  return module.presentationFor?.(agentCount) ?? module.presentation;
}

/** @throws ConfigError ENVIRONMENT_UNKNOWN */
async function loadEnvironmentModule(kind: string): Promise<EnvironmentModule> {
  const file = join(checkout, 'systems', 'environment', kind, 'environment.ts');
  await requireFile(
    file,
    'ENVIRONMENT_UNKNOWN',
    `there is no environment ${kind} in systems/environment. Correct environment.kind in the show file.`,
  );
  return ((await import(file)) as { environmentModule: EnvironmentModule }).environmentModule;
}

async function openEnvironment({ show, home, report }: ComposeOptions, task: TaskModule): Promise<Environment> {
  const { environment } = show;
  if (task.environmentKind !== environment.kind) {
    throw new ConfigError(
      'COMPOSITION',
      `task ${task.id} plays on ${task.environmentKind}, the show gives it ${environment.kind}. Correct environment.kind or task.name in the show file.`,
    );
  }
  const module = await loadEnvironmentModule(environment.kind);
  const opened = await module.open({
    environmentId: environment.id,
    contentPath: contentPath(environment.content),
    slotIds: task.slotIds,
    portIds: show.agents.map(({ port }) => port),
    coresFolder: home.cores,
    report,
  });
  const { contentDigest } = opened.descriptor;
  if (task.contentDigests !== null && !task.contentDigests.includes(contentDigest)) {
    await opened.close();
    throw new ConfigError(
      'TASK_CONTENT',
      `${environment.content ?? environment.kind} has SHA-256 ${contentDigest}; task ${task.id} knows ` +
        `${task.contentDigests.join(', ')}. Point environment.content at that file.`,
    );
  }
  return opened;
}

/** Absolute path of a show's content; relative paths start at the checkout. */
export function contentPath(content: string | undefined): string | null {
  if (content === undefined) return null;
  return isAbsolute(content) ? content : join(checkout, content);
}

async function requireFile(file: string, code: string, message: string): Promise<void> {
  try {
    await access(file);
  } catch (cause) {
    throw new ConfigError(code, message, { cause });
  }
}
