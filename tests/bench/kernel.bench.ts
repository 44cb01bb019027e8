import { availableParallelism, cpus, loadavg } from 'node:os';
import type { Brain, BrainState } from '../../engine/contract/brain.ts';
import type { Connectome } from '../../engine/contract/connectome.ts';
import { createBrainHost } from '../../systems/kernel/brain-host.ts';
import { resolveKernelParameters } from '../../systems/kernel/parameters.ts';
import type { KernelOverrides } from '../../systems/kernel/parameters.ts';
import { createReferenceBrain } from '../../systems/kernel/reference.ts';
import { measureBrian2 } from './brian2-peer.ts';
import { noteFlies, notePhases } from './kernel-notes.ts';
import { createSyntheticConnectome } from './synthetic-connectome.ts';

export type KernelBenchOptions = {
  /** Default: a synthetic graph of a whole brain's size. */
  readonly connectome?: Connectome;
  /** Mean rates to set the drive for. Default 2, 5 and 15 Hz. */
  readonly ratesHz?: readonly number[];
  /** Flies at once, each in its thread; 1 is stepped in the calling thread. Default 1, 2 and 4. */
  readonly flies?: readonly number[];
  readonly plasticity?: readonly boolean[];
  /** Measured brain time per row, rounded up to batches. Default 2,000. */
  readonly brainMs?: number;
  /** Also run Brian2 at the middle rate, where it can be imported. Default false. */
  readonly peer?: boolean;
  /** Called with each row as it is measured. */
  readonly onRow?: (row: KernelBenchRow) => void;
  /** What the rows cannot say: a peer left out, several flies against one, where the time goes. */
  readonly onNote?: (line: string) => void;
};

export type KernelBenchRow = {
  /** `brian2` is a peer: the same graph and neuron, no plasticity, its own noise, one thread. */
  readonly kernel: 'reference' | 'wasm' | 'brian2';
  readonly flies: number;
  readonly plasticity: boolean;
  /** Measured mean rate per neuron. */
  readonly rateHz: number;
  /** Per fly and second of brain time. */
  readonly spikesPerSecond: number;
  /** Brain time over wall time; with several flies the time until the last has finished. */
  readonly realTimeFactor: number;
  /** CPU time of the reference over CPU time of this row, per fly and brain second, same run and same drive. */
  readonly ratioToReference: number;
  /** The first fly's state equals the reference's, bit for bit, after the whole run; null for a peer. */
  readonly exact: boolean | null;
  /** CPU time of the process per fly and brain second. */
  readonly cpuMsPerBrainSecond: number;
  /** Wall time of one batch of 17 ticks (a Game Boy frame) of all flies. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
};

export type KernelBenchReport = {
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly node: string;
    /** Mean of the last minute, before and after: above `cores` the wall times are somebody else's too. */
    readonly load1: readonly [number, number];
  };
  readonly neurons: number;
  readonly edges: number;
  readonly rows: readonly KernelBenchRow[];
};

const BATCH_TICKS = 17;
/** Lets the rates settle and the compilers finish. */
const SETTLE_BATCHES = 40;
/** Luminance of the grey picture all brains see. */
const LIGHT = 128;
const SEEDS = [22_222, -184_946_063, 535_504_990, -1_247_653_395];

type Timed = { spikes: number; wallMs: number; cpuMs: number; batchMs: Float64Array };
type Measured = Timed & { state: BrainState };

/** Reference and compiled kernel side by side: every ratio is taken within one run and checked for equality. */
export async function benchKernel(options: KernelBenchOptions = {}): Promise<KernelBenchReport> {
  const {
    connectome = createSyntheticConnectome(),
    ratesHz = [2, 5, 15],
    flies = [1, 2, 4],
    plasticity = [true, false],
    brainMs = 2_000,
    peer = false,
    onRow = () => {},
    onNote = () => {},
  } = options;
  const loadBefore = loadavg()[0]!;
  const batches = Math.ceil(brainMs / BATCH_TICKS);
  const brainSeconds = (batches * BATCH_TICKS) / 1_000;
  const rows: KernelBenchRow[] = [];
  let kernelBytes = 0;

  const peerRate = ratesHz[Math.floor(ratesHz.length / 2)];
  for (const targetHz of ratesHz) {
    const firstRow = rows.length;
    const parameters = await driveForRate(connectome, targetHz);
    for (const isLearning of plasticity) {
      const openReference = (): Brain =>
        createReferenceBrain({ agentId: 'reference', seed: SEEDS[0]!, connectome, parameters });
      const reference = await measure([openReference()], isLearning, batches);
      addRow('reference', 1, isLearning, reference, reference, true);
      for (const count of flies) {
        const host = createBrainHost(connectome, { flies: count });
        const thread = count === 1 ? 'inline' : 'worker';
        const brains = await Promise.all(
          Array.from({ length: count }, (_, index) =>
            host.openBrain({ agentId: `fly-${index}`, seed: SEEDS[index % SEEDS.length]!, parameters, thread }),
          ),
        );
        kernelBytes = Math.max(kernelBytes, host.usedBytes());
        const measured = await measure(brains, isLearning, batches);
        await host.close();
        addRow('wasm', count, isLearning, measured, reference, isSameState(measured.state, reference.state));
      }
      if (peer && !isLearning && targetHz === peerRate) await addPeer(parameters, reference);
    }
    noteFlies(rows.slice(firstRow), onNote);
    await notePhases(connectome, rows.slice(firstRow), onNote);
  }

  async function addPeer(parameters: KernelOverrides, reference: Timed): Promise<void> {
    const measured = await measureBrian2({
      connectome,
      parameters,
      seed: SEEDS[0]!,
      light: Math.fround((LIGHT / 255) * resolveKernelParameters(parameters).retina.gain),
      settleTicks: SETTLE_BATCHES * BATCH_TICKS,
      batches,
      batchTicks: BATCH_TICKS,
    });
    if (measured.kind === 'skipped') onNote(`no Brian2 row: ${measured.reason}`);
    else {
      onNote(
        `Brian2 ${measured.version}, cython, one thread, without plasticity; its rate must be near the wasm row's`,
      );
      addRow('brian2', 1, false, measured, reference, null);
    }
  }

  function addRow(
    kernel: KernelBenchRow['kernel'],
    count: number,
    isLearning: boolean,
    measured: Timed,
    reference: Timed,
    exact: boolean | null,
  ): void {
    const spikesPerSecond = measured.spikes / count / brainSeconds;
    const cpuMsPerBrainSecond = measured.cpuMs / count / brainSeconds;
    const sorted = measured.batchMs.toSorted();
    const row: KernelBenchRow = {
      kernel,
      flies: count,
      plasticity: isLearning,
      rateHz: spikesPerSecond / connectome.neurons,
      spikesPerSecond,
      realTimeFactor: (brainSeconds * 1_000) / measured.wallMs,
      ratioToReference: reference.cpuMs / brainSeconds / cpuMsPerBrainSecond,
      exact,
      cpuMsPerBrainSecond,
      p50Ms: quantile(sorted, 0.5),
      p95Ms: quantile(sorted, 0.95),
      p99Ms: quantile(sorted, 0.99),
      maxMs: sorted.at(-1) ?? 0,
    };
    rows.push(row);
    onRow(row);
  }

  onNote(
    `${connectome.name}; kernel memory ${toMb(kernelBytes)} MB for the wiring and up to ${Math.max(0, ...flies)} flies, ` +
      `process ${toMb(process.memoryUsage.rss())} MB`,
  );
  return {
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: availableParallelism(),
      node: process.version,
      load1: [loadBefore, loadavg()[0]!],
    },
    neurons: connectome.neurons,
    edges: connectome.edges,
    rows,
  };
}

/** Plays `batches` transitions under grey light, a pulse and a reward each second or so. */
async function measure(brains: readonly Brain[], isLearning: boolean, batches: number): Promise<Measured> {
  const light = new Uint8Array(160 * 144 * 4).fill(LIGHT);
  for (const brain of brains) {
    brain.setLearning(isLearning);
    brain.installFrame(light, 160, 144);
  }
  const batchMs = new Float64Array(batches);
  let spikes = 0;
  let startMs = 0;
  let startCpu = process.cpuUsage();
  for (let batch = -SETTLE_BATCHES; batch < batches; batch++) {
    if (batch === 0) {
      startCpu = process.cpuUsage();
      startMs = performance.now();
    }
    const batchStartMs = performance.now();
    const counts = await Promise.all(brains.map((brain) => brain.advance(BATCH_TICKS)));
    if (batch >= 0) {
      batchMs[batch] = performance.now() - batchStartMs;
      for (const count of counts) spikes += count;
    }
    if (batch % 60 === 0) {
      for (const brain of brains) {
        brain.stimulate(120);
        brain.reinforce(0.5);
      }
    }
  }
  const wallMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(startCpu);
  return { spikes, wallMs, cpuMs: (user + system) / 1_000, batchMs, state: brains[0]!.exportState() };
}

/** Scales the fixed drive until the population fires at about `targetHz` under the same light. */
async function driveForRate(connectome: Connectome, targetHz: number): Promise<KernelOverrides> {
  const { baselineMax } = resolveKernelParameters();
  const host = createBrainHost(connectome, { flies: 1 });
  let low = 0;
  let high = 4 * baselineMax;
  for (let round = 0; round < 9; round++) {
    const middle = (low + high) / 2;
    const parameters = { baselineMax: middle };
    const brain = await host.openBrain({ agentId: 'drive', seed: SEEDS[0]!, parameters, thread: 'inline' });
    const { spikes } = await measure([brain], true, 20);
    await brain.close();
    if ((spikes * 1_000) / (20 * BATCH_TICKS) / connectome.neurons < targetHz) low = middle;
    else high = middle;
  }
  return { baselineMax: (low + high) / 2 };
}

function toMb(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}

function quantile(sorted: Float64Array, fraction: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(fraction * sorted.length) - 1)]!;
}

function isSameState(a: BrainState, b: BrainState): boolean {
  const arrays = (state: BrainState): ArrayBufferView[] => [
    state.membrane,
    state.refractory,
    state.lastSpikeMs,
    state.visualDrive,
    state.plasticity.gains,
    state.plasticity.traces,
    state.plasticity.touched,
  ];
  const others = arrays(b);
  return (
    arrays(a).every((array, index) => Buffer.compare(bytes(array), bytes(others[index]!)) === 0) &&
    JSON.stringify(scalars(a)) === JSON.stringify(scalars(b))
  );
}

function scalars({ rng, ms, rewardRemaining, populationRate, rates, plasticity }: BrainState): unknown {
  return [rng, ms, rewardRemaining, populationRate, rates, plasticity.updates, plasticity.signal];
}

function bytes(array: ArrayBufferView): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}
