import type { Connectome } from '../../engine/contract/connectome.ts';
import { InvariantError } from '../../engine/errors.ts';
import { createBrainHost } from '../../systems/kernel/brain-host.ts';
import { DEFAULT_SEED } from '../../systems/kernel/parameters.ts';
import type { KernelBenchRow } from './kernel.bench.ts';

/** Median wall time of a batch of several flies in as many workers over one fly's, same rate, learning on. */
export function noteFlies(rows: readonly KernelBenchRow[], onNote: (line: string) => void): void {
  const one = rows.find(({ kernel, flies, plasticity }) => kernel === 'wasm' && flies === 1 && plasticity);
  if (one === undefined) return;
  const others = rows.filter(({ kernel, flies, plasticity }) => kernel === 'wasm' && flies > 1 && plasticity);
  const ratios = others.map(
    ({ flies, p50Ms }) => `${flies} flies in ${flies} workers ${(p50Ms / one.p50Ms).toFixed(2)}x`,
  );
  if (ratios.length > 0) onNote(`median batch over one fly's at ${one.rateHz.toFixed(1)} Hz: ${ratios.join(', ')}`);
}

/**
 * Where one fly's CPU time goes, by difference: a brain that never fires pays for the sweep alone, and learning off pays
 * for no pair observation. No clock inside the tick.
 */
export async function notePhases(
  connectome: Connectome,
  rows: readonly KernelBenchRow[],
  onNote: (line: string) => void,
): Promise<void> {
  const cpuOf = (isLearning: boolean): number | undefined =>
    rows.find(({ kernel, flies, plasticity }) => kernel === 'wasm' && flies === 1 && plasticity === isLearning)
      ?.cpuMsPerBrainSecond;
  const [learning, frozen] = [cpuOf(true), cpuOf(false)];
  if (learning === undefined || frozen === undefined) return;
  const silent = await silentCpuMs(connectome);
  const parts = [silent, frozen - silent, learning - frozen].map((ms) => ms.toFixed(0));
  onNote(
    `CPU ms per brain second at ${rows[0]!.rateHz.toFixed(1)} Hz, by difference: ` +
      `sweep ${parts[0]}, propagation ${parts[1]}, pair observation ${parts[2]}`,
  );
}

async function silentCpuMs(connectome: Connectome): Promise<number> {
  const host = createBrainHost(connectome, { flies: 1 });
  const parameters = { baselineMax: 0, noiseKicks: 0 };
  const brain = await host.openBrain({ agentId: 'silent', seed: DEFAULT_SEED, parameters, thread: 'inline' });
  await brain.advance(500);
  const startCpu = process.cpuUsage();
  const spikes = await brain.advance(2_000);
  const { user, system } = process.cpuUsage(startCpu);
  await host.close();
  if (spikes !== 0) throw new InvariantError('BENCH_SILENT', `a brain without drive fired ${spikes} times.`);
  return (user + system) / 2_000;
}
