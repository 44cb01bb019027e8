import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Connectome } from '../../engine/contract/connectome.ts';
import { drawBaseline } from '../../systems/kernel/draw-baseline.ts';
import { resolveKernelParameters } from '../../systems/kernel/parameters.ts';
import type { KernelOverrides } from '../../systems/kernel/parameters.ts';

const run = promisify(execFile);
/** Reading 2.7 M synapses and generating code take most of it; then the peer is left out. */
const LIMIT_MS = 180_000;
const SCRIPT = fileURLToPath(new URL('./brian2_peer.py', import.meta.url));

export type PeerJob = {
  readonly connectome: Connectome;
  readonly parameters: KernelOverrides;
  readonly seed: number;
  /** Membrane step per tick of every retina column's neuron: even light. */
  readonly light: number;
  readonly settleTicks: number;
  readonly batches: number;
  readonly batchTicks: number;
};

export type PeerResult =
  | {
      readonly kind: 'measured';
      readonly version: string;
      readonly spikes: number;
      readonly wallMs: number;
      readonly cpuMs: number;
      readonly batchMs: Float64Array;
    }
  | { readonly kind: 'skipped'; readonly reason: string };

/**
 * Runs the same graph in Brian2 (cython, one thread), where `python` can import it. Same decay, drive, threshold, reset, refractory
 * period, per-edge clamp and mean noise; no plasticity. Never fails: what cannot run is skipped with its reason.
 */
export async function measureBrian2(
  job: PeerJob,
  python: string = process.env.FLY_BENCH_PYTHON ?? 'python3',
): Promise<PeerResult> {
  try {
    await run(python, ['-c', 'import brian2'], { timeout: 60_000 });
  } catch {
    return { kind: 'skipped', reason: `${python} cannot import brian2` };
  }
  const folder = await mkdtemp(join(tmpdir(), 'fly-brian2-'));
  try {
    await writeJob(folder, job);
    const { stdout } = await run(python, [SCRIPT, folder], { timeout: LIMIT_MS, maxBuffer: 2 ** 24 });
    const result = JSON.parse(stdout.trim().split('\n').at(-1)) as PeerOutput;
    return { kind: 'measured', ...result, batchMs: Float64Array.from(result.batchMs) };
  } catch (error) {
    const why = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
    return { kind: 'skipped', reason: `brian2 did not finish: ${why}` };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type PeerOutput = {
  readonly version: string;
  readonly spikes: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly batchMs: readonly number[];
};

async function writeJob(folder: string, job: PeerJob): Promise<void> {
  const { connectome, seed, light, settleTicks, batches, batchTicks } = job;
  const { neurons, indptr, targets, weights, retina } = connectome;
  const parameters = resolveKernelParameters(job.parameters);
  const decay = Math.fround(Math.exp(-1 / parameters.decayMs));
  const drive = Float64Array.from(drawBaseline(neurons, seed, parameters.baselineMax).baseline);
  const lit = new Float64Array(neurons);
  for (const neuron of retina.neuron) lit[neuron] = lit[neuron]! + light;
  const sources = new Uint32Array(targets.length);
  for (let s = 0; s < neurons; s++) sources.fill(s, indptr[s], indptr[s + 1]);
  const arrays = { sources, targets, weights, drive, light: lit };
  await Promise.all(
    Object.entries(arrays).map(([name, array]) =>
      writeFile(join(folder, `${name}.bin`), new Uint8Array(array.buffer, array.byteOffset, array.byteLength)),
    ),
  );
  await writeFile(
    join(folder, 'job.json'),
    JSON.stringify({
      neurons,
      decay,
      threshold: parameters.threshold,
      refractoryTicks: parameters.refractoryMs,
      floor: parameters.membraneFloor,
      synapseScale: parameters.synapseScale,
      noiseKicks: parameters.noiseKicks,
      noiseAmount: parameters.noiseAmount,
      settleTicks,
      batches,
      batchTicks,
    }),
  );
}
