import { loadConfig, loadShow } from '../../config/load-config.ts';
import { systemClock } from '../../engine/clock.ts';
import type { Connectome } from '../../engine/contract/connectome.ts';
import { createBehaviourDigest } from '../../engine/identity/behaviour-digest.ts';
import { runLoop } from '../../engine/loop.ts';
import { createPacer } from '../../engine/pacer.ts';
import { createPublisher } from '../../engine/replica/publisher.ts';
import { createSugarLimiter } from '../../systems/admission/sugar-limiter.ts';
import { loadBundle } from '../../systems/kernel/connectome/load-bundle.ts';
import { withTrace } from '../../systems/media/record-trace.ts';
import { compareTraceFiles, openTraceWriter } from '../../systems/media/trace-file.ts';
import type { TraceHeader } from '../../systems/media/trace-file.ts';
import { createSchedule } from '../../systems/schedule.ts';
import { bootSession } from '../../systems/session/boot-session.ts';
import { EXIT } from '../exit-codes.ts';
import { resolveHome } from '../home.ts';
import { composeSession } from '../live/compose-session.ts';
import type { AgentWiring, ComposedSession } from '../live/compose-session.ts';
import { parseWhole } from '../live/live-options.ts';
import { createTerminal } from '../live/terminal.ts';
import { release } from '../release.ts';
import { resolveBundle } from './resolve-bundle.ts';

type RecordFlags = { transitions: string; seed?: string };

const MAX_TRANSITIONS = 100_000_000;

/**
 * Runs a show from its beginning, as fast as it goes and without a picture, and writes what every transition did. A
 * failure ends the recording: a trace never hides a restore.
 */
export async function traceRecordCommand(
  file: string,
  showName: string | undefined,
  flags: RecordFlags,
): Promise<void> {
  const transitions = parseWhole(flags.transitions, '--transitions', 1, MAX_TRANSITIONS);
  const home = resolveHome(process.env);
  const overrides = flags.seed === undefined ? {} : { seed: flags.seed };
  const config = await loadConfig({ home: home.root, environment: process.env, overrides });
  const show = await loadShow(showName ?? config.show, home.root);
  const terminal = createTerminal(process.stderr, () => performance.now());
  const session = await composeSession({
    show,
    config,
    home,
    clock: systemClock,
    report: (line) => terminal.line(line),
    loadWirings: () => loadEach(show.agents.map(({ connectome }) => connectome)),
  });
  try {
    const writer = openTraceWriter(file, describeRun(session));
    try {
      await record(session, BigInt(transitions), (step) => {
        writer.write(step);
        if (step.step % 100 === 0) terminal.progress('recording', step.step, transitions);
      });
    } finally {
      writer.close();
    }
    process.stdout.write(`${file}: ${transitions} transitions of ${show.id}, digest ${writer.digest}\n`);
  } finally {
    await session.close();
  }
}

/** Exit code 0 when both traces say the same to the end, 1 otherwise; the first difference is one line. */
export async function traceCompareCommand(a: string, b: string): Promise<void> {
  const { headers, equalSteps, difference, endsFirst } = await compareTraceFiles(a, b);
  for (const line of unlikeStarts(headers)) process.stdout.write(`${line}\n`);
  if (difference !== null) {
    const { step, system, agentId, field, all } = difference;
    process.stdout.write(
      `equal for ${equalSteps} transitions, then at step ${step}: ${system}, ${agentId ?? 'world'}, ${field}\n`,
    );
    process.stdout.write(`  ${a}: ${difference.a}\n  ${b}: ${difference.b}\n`);
    if (all.length > 1) process.stdout.write(`  in the same step also ${all.slice(1).join(', ')}\n`);
  } else if (endsFirst !== null) {
    process.stdout.write(`equal for ${equalSteps} transitions, then ${endsFirst === 'a' ? a : b} ends\n`);
  } else {
    process.stdout.write(`equal: ${equalSteps} transitions\n`);
  }
  process.exitCode = difference === null && endsFirst === null ? EXIT.done : EXIT.failed;
}

async function record(
  { world, descriptor }: ComposedSession,
  maxTransitions: bigint,
  onStep: Parameters<typeof withTrace>[1],
): Promise<void> {
  await bootSession(world, () => undefined);
  const schedule = createSchedule({
    publisher: createPublisher(),
    limiter: createSugarLimiter(world.clock),
    revision: descriptor.revision,
    trace: createBehaviourDigest(),
    eventLog: NO_LOG,
    pacer: createPacer({ clock: world.clock, periodMs: 0, onLag: () => undefined }),
  });
  const recover = (_: unknown, failure: unknown): Promise<void> =>
    Promise.reject(failure instanceof Error ? failure : new Error(String(failure)));
  await runLoop({ world, schedule: withTrace(schedule, onStep), recover, maxTransitions });
}

/** A recording is its own log. */
const NO_LOG = {
  append: (): void => undefined,
  record: (): void => undefined,
  recent: (): readonly [] => [],
  waiting: 0,
  lost: 0,
  flushIfDue: (): void => undefined,
  close: (): Promise<void> => Promise.resolve(),
};

/** Agents that name the same bundle share it. */
async function loadEach(names: readonly string[]): Promise<AgentWiring[]> {
  const loaded = new Map<string, Connectome>();
  for (const name of names) if (!loaded.has(name)) loaded.set(name, await loadBundle(await resolveBundle(name)));
  return names.map((name) => ({ connectome: loaded.get(name)! }));
}

function describeRun({ world, descriptor, seeds }: ComposedSession): TraceHeader {
  const { environment, brains } = world.handles;
  const { kind, backendDigest, contentDigest, stepDuration } = environment.descriptor;
  return {
    form: 'fly-trace-v1',
    release,
    runtime: process.version,
    showId: descriptor.showId,
    taskId: descriptor.task.taskId,
    stepNs: `${stepDuration.numerator}/${stepDuration.denominator}`,
    world: { kind, backend: backendDigest, content: contentDigest },
    agents: descriptor.agents.map(({ agentId, portId, connectome }, i) => ({
      agentId,
      portId,
      seed: seeds[i]!,
      kernel: brains[i]!.kernelVersion,
      plasticity: brains[i]!.plasticityVersion,
      connectome: connectome.identity,
    })),
  };
}

/** What the two recordings started with that was not the same. */
function unlikeStarts([a, b]: readonly [TraceHeader, TraceHeader]): string[] {
  const flat = (value: unknown, path = ''): [string, string][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => flat(inner, path === '' ? key : `${path}.${key}`))
      : [[path, String(value)]];
  const right = new Map(flat(b));
  const names = a.agents.map(({ agentId }) => agentId);
  return flat(a)
    .filter(([path, value]) => right.get(path) !== value)
    .map(([path, value]) => {
      const shown = path.replace(/^agents\.(\d+)/, (_, index: string) => names[Number(index)] ?? index);
      return `started with another ${shown}: ${value} and ${right.get(path) ?? 'nothing'}`;
    });
}
