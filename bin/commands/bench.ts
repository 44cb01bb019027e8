import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, loadShow } from '../../config/load-config.ts';
import type { Show } from '../../config/schema.ts';
import type { Connectome } from '../../engine/contract/connectome.ts';
import { ConfigError, DeviceError } from '../../engine/errors.ts';
import { nearest } from '../../engine/nearest.ts';
import { ensureTwin } from '../../systems/kernel/connectome/grow-in-worker.ts';
import { loadBundle } from '../../systems/kernel/connectome/load-bundle.ts';
import { namesOfBroken } from '../../tests/bench/rule.ts';
import type { BenchRule } from '../../tests/bench/rule.ts';
import { resolveHome } from '../home.ts';
import { parseWhole } from '../live/live-options.ts';
import { TWIN_SEED } from '../live/load-connectomes.ts';
import { createTerminal } from '../live/terminal.ts';
import { formatRows } from './bench-table.ts';

type BenchFlags = {
  readonly json?: boolean;
  readonly seeds: string;
  /** Each part has a length of its own. */
  readonly minutes?: string;
  readonly show: string;
  readonly kills: string;
  readonly rounds: string;
};

const PARTS = ['kernel', 'session', 'picture', 'show', 'soak', 'kill', 'fairness', 'play'] as const;

/** Figures of one part, measured in one run. Timings are ratios or CPU time: a shared machine's wall time says little. */
export async function benchCommand(part: string | undefined, flags: BenchFlags): Promise<void> {
  const chosen = PARTS.find((known) => known === (part ?? 'kernel'));
  if (chosen === undefined) {
    const guess = nearest(part ?? '', PARTS);
    throw new ConfigError(
      'BENCH_PART',
      `there is no bench ${part}. ${guess ? `Did you mean ${guess}?` : `Parts: ${PARTS.join(', ')}.`}`,
    );
  }
  if (chosen === 'kernel') return runKernel(flags);
  const report = await RUN[chosen](flags);
  if (flags.json === true)
    process.stdout.write(`${JSON.stringify({ machine: describeMachine(), ...report }, null, 2)}\n`);
  else printReport(report);
  refuseBroken(report);
}

type Row = object;
type Report = {
  readonly rows: readonly Row[];
  /** The rows as a reader takes them in, where one table of them would be too wide. */
  readonly tables?: () => readonly (readonly Row[])[];
  /** What the rows are held to; absent where the rows are the rules, or nothing is judged. */
  readonly rules?: readonly BenchRule[];
  /** Sentences beside the tables. */
  readonly notes?: readonly string[];
  /** Names of rules that are broken. */
  readonly broken?: readonly string[];
};

/** @throws DeviceError BENCH_BROKEN */
function refuseBroken({ broken = [], rows, rules = [] }: Report): void {
  if (broken.length === 0) return;
  const count = rules.length > 0 ? rules.length : rows.length;
  throw new DeviceError('BENCH_BROKEN', `${broken.length} of ${count} rules are broken: ${broken.join('; ')}.`);
}

function printReport({ notes = [], rows, rules = [], tables = () => [rows] }: Report): void {
  const parts = [...tables(), rules].filter((part) => part.length > 0);
  const text = parts.map((part) => formatRows(part).join('\n')).join('\n\n');
  process.stdout.write(`${[text, ...notes].join('\n')}\n`);
}

/** The table appears as it is measured; with `json` it goes to standard error and the JSON stands alone. */
async function runKernel({ json }: BenchFlags): Promise<void> {
  const { benchKernelOn, requireExact } = await import('./bench-kernel.ts');
  const { judgeKernel } = await import('../../tests/bench/kernel-judge.ts');
  const table = json === true ? process.stderr : process.stdout;
  const { report, notes } = await benchKernelOn(await twin(), (line) => table.write(`${line}\n`));
  const { cpu, cores, node, load1 } = report.machine;
  const load = load1.map((value) => value.toFixed(1)).join(' to ');
  for (const note of [...notes, `${cpu}, ${cores} cores, node ${node}, load ${load}`]) table.write(`${note}\n`);
  const rules = judgeKernel(report.rows, cores);
  const judged = { ...report, rules, broken: namesOfBroken(rules) };
  if (json === true) process.stdout.write(`${JSON.stringify(judged, null, 2)}\n`);
  requireExact(report.rows);
  refuseBroken(judged);
}

const RUN: Readonly<Record<Exclude<(typeof PARTS)[number], 'kernel'>, (flags: BenchFlags) => Promise<Report>>> = {
  async session() {
    const { benchSession, sessionTables } = await import('../../tests/bench/session.bench.ts');
    const home = resolveHome(process.env);
    const config = await loadConfig({ home: home.root, environment: process.env, overrides: {} });
    const [one, two, four] = await Promise.all(
      ['windfall', 'two-fly', 'four-fly'].map((name) => loadShow(name, home.root)),
    );
    const report = await benchSession({
      config,
      home,
      shows: { one: one!, two: two!, four: four! },
      connectome: await twin(),
      transitions: 1_200,
      onRow: ({ run, realTimeFactor }) => printLine(`${run}: ${realTimeFactor.toFixed(2)}x`),
    });
    return { ...report, tables: () => sessionTables(report.rows) };
  },
  async picture() {
    const { benchPicture } = await import('../../tests/bench/picture.bench.ts');
    return { rows: await benchPicture() };
  },
  async show({ show, minutes }) {
    const { benchShow, showTables } = await import('../../tests/bench/show.bench.ts');
    const seconds = minutes === undefined ? SHOW_SECONDS : parseWhole(minutes, '--minutes', 1, 1_440) * 60;
    await requireShow(show);
    const report = await whileHeld(async (folder, signal) =>
      benchShow({
        show,
        seconds,
        folder,
        homes: [await borrowedHome(folder, 'home-paced'), await borrowedHome(folder, 'home-unthrottled')],
        signal,
        report: printLine,
      }),
    );
    return { ...report, tables: () => showTables(report.rows) };
  },
  async soak({ show, minutes }) {
    const { benchSoak } = await import('../../tests/bench/soak.bench.ts');
    const length = parseMinutes(minutes);
    await requireShow(show);
    return whileHeld(async (folder, signal) =>
      benchSoak({ show, minutes: length, home: await borrowedHome(folder), folder, signal, report: printLine }),
    );
  },
  async kill({ show, minutes, kills }) {
    const { benchKill } = await import('../../tests/bench/kill.bench.ts');
    const length = parseMinutes(minutes);
    const count = parseWhole(kills, '--kills', 1, 1_000);
    await requireShow(show);
    return whileHeld(async (folder, signal) =>
      benchKill({
        show,
        minutes: length,
        kills: count,
        homes: [await borrowedHome(folder, 'whole'), await borrowedHome(folder, 'killed')],
        signal,
        report: printLine,
      }),
    );
  },
  async fairness({ show: name, rounds }) {
    const { benchFairness } = await import('../../tests/bench/fairness.bench.ts');
    const count = parseWhole(rounds, '--rounds', 2, 100_000);
    const home = resolveHome(process.env);
    const show = await loadDuel(name);
    const config = await loadConfig({ home: home.root, environment: process.env, overrides: {} });
    const connectome = await twin();
    return whileHeld(async (_, signal) =>
      benchFairness({ show, config, home, connectome, rounds: count, signal, report: printLine }),
    );
  },
  async play({ seeds, minutes }) {
    const { benchPlay } = await import('../../tests/bench/play.bench.ts');
    const home = resolveHome(process.env);
    const config = await loadConfig({ home: home.root, environment: process.env, overrides: {} });
    const show = await loadShow(config.show, home.root);
    const connectome = await twin();
    const rows = await benchPlay({
      show,
      config,
      home,
      connectomes: show.agents.map(() => connectome),
      firstSeed: 1,
      seeds: parseWhole(seeds, '--seeds', 1, 100),
      minutes: parseMinutes(minutes),
      report: printLine,
    });
    return { rows };
  },
};

/** Session time of the paced run of `show` where nobody says another. */
const SHOW_SECONDS = 30;
const DEFAULT_MINUTES = '60';

function parseMinutes(minutes: string = DEFAULT_MINUTES): number {
  return parseWhole(minutes, '--minutes', 1, 1_440);
}

const printLine = (line: string): void => void process.stderr.write(`${line}\n`);

/** A wrong name is refused, and a brain grown, before anything is measured. */
async function requireShow(show: string): Promise<void> {
  const { agents } = await loadShow(show, resolveHome(process.env).root);
  if (agents.some(({ connectome }) => connectome === 'twin')) await twin();
}

async function loadDuel(name: string): Promise<Show> {
  const show = await loadShow(name, resolveHome(process.env).root);
  if (show.task.name === 'arena' && show.agents.length === 2) return show;
  throw new ConfigError('BENCH_DUEL', `sides are compared between two flies in the arena; ${name} is another show.`);
}

/** Gives a run a folder that is thrown away, and a signal that an interruption aborts: its children end with it. */
async function whileHeld<Result>(run: (folder: string, signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, stop);
  const folder = await mkdtemp(join(tmpdir(), 'fly-bench-'));
  try {
    return await run(folder, abort.signal);
  } finally {
    for (const signal of signals) process.off(signal, stop);
    await rm(folder, { recursive: true, force: true });
  }
}

async function twin(): Promise<Connectome> {
  const terminal = createTerminal(process.stderr, () => performance.now());
  const folder = await ensureTwin({
    home: resolveHome(process.env).root,
    seed: TWIN_SEED,
    onProgress: ({ edgesDrawn, total }) => terminal.progress('growing a brain', edgesDrawn, total.edges),
  });
  return loadBundle(folder);
}

/** Brains, cores and settings of the operator's home, but nothing saved: a measured run neither continues nor replaces a show. */
async function borrowedHome(folder: string, name: string = 'home'): Promise<string> {
  const { root } = resolveHome(process.env);
  const home = join(folder, name);
  await mkdir(home);
  for (const part of ['connectomes', 'cores', 'shows', 'config.toml']) {
    if (existsSync(join(root, part))) await symlink(join(root, part), join(home, part));
  }
  return home;
}

function describeMachine(): { cores: number; model: string; node: string } {
  return { cores: cpus().length, model: cpus()[0]?.model ?? 'unknown', node: process.version };
}
