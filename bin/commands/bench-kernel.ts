import type { Connectome } from '../../engine/contract/connectome.ts';
import { InvariantError } from '../../engine/errors.ts';
import { createBrainHost } from '../../systems/kernel/brain-host.ts';
import { DEFAULT_SEED } from '../../systems/kernel/parameters.ts';
import { describeVision, probeVision } from '../../systems/kernel/probe-vision.ts';
import { benchKernel } from '../../tests/bench/kernel.bench.ts';
import type { KernelBenchReport, KernelBenchRow } from '../../tests/bench/kernel.bench.ts';

export type KernelBench = {
  readonly report: KernelBenchReport;
  /** Sentences beside the rows, as they came. */
  readonly notes: readonly string[];
};

/**
 * Rows at about 2, 5 and 15 Hz, learning on and off, 1, 2 and 4 flies, with Brian2 where it can be imported.
 * @param hear the table, line by line as it is measured
 */
export async function benchKernelOn(connectome: Connectome, hear: (line: string) => void): Promise<KernelBench> {
  const notes: string[] = [];
  const host = createBrainHost(connectome, { flies: 1 });
  const vision = await probeVision(() => host.openBrain({ agentId: 'probe', seed: DEFAULT_SEED, thread: 'inline' }));
  notes.push(`${vision.differs ? '' : 'WARNING '}${describeVision(vision)}`);
  hear(formatKernelRows([])[0]!);
  const report = await benchKernel({
    connectome,
    peer: true,
    onRow: (row) => hear(formatKernelRows([row]).at(-1)),
    onNote: (line) => notes.push(line),
  });
  return { report, notes };
}

/** @throws InvariantError KERNEL_EXACT when a compiled row did not end in the reference's state */
export function requireExact(rows: readonly KernelBenchRow[]): void {
  const wrong = rows.filter(({ exact }) => exact === false);
  if (wrong.length === 0) return;
  const which = wrong.map(({ kernel, flies, rateHz }) => `${kernel} x${flies} at ${rateHz.toFixed(1)} Hz`).join(', ');
  throw new InvariantError('KERNEL_EXACT', `${which}: the state differs from the reference's. Run ./fly test kernel.`);
}

type Column = { readonly head: string; readonly cell: (row: KernelBenchRow) => string };

const COLUMNS: readonly Column[] = [
  { head: 'kernel', cell: ({ kernel }) => kernel.padEnd(9) },
  { head: 'flies', cell: ({ flies }) => String(flies) },
  { head: 'learning', cell: ({ plasticity }) => (plasticity ? 'on' : 'off') },
  { head: 'Hz', cell: ({ rateHz }) => rateHz.toFixed(2) },
  { head: 'spikes/s', cell: ({ spikesPerSecond }) => Math.round(spikesPerSecond).toLocaleString('en') },
  { head: 'x real time', cell: ({ realTimeFactor }) => realTimeFactor.toFixed(2) },
  { head: 'x reference', cell: ({ ratioToReference }) => ratioToReference.toFixed(2) },
  { head: 'CPU ms/s', cell: ({ cpuMsPerBrainSecond }) => cpuMsPerBrainSecond.toFixed(0) },
  { head: 'p50 ms', cell: ({ p50Ms }) => p50Ms.toFixed(2) },
  { head: 'p95 ms', cell: ({ p95Ms }) => p95Ms.toFixed(2) },
  { head: 'p99 ms', cell: ({ p99Ms }) => p99Ms.toFixed(2) },
  { head: 'max ms', cell: ({ maxMs }) => maxMs.toFixed(2) },
  { head: 'exact', cell: ({ exact }) => (exact === null ? '-' : exact ? 'yes' : 'NO') },
];

/** Least widths, so that a row printed alone stands under the heads of the whole table. */
const WIDTHS = [9, 5, 8, 5, 9, 11, 11, 8, 6, 6, 6, 6, 5] as const;

/** Heads and one line a row. */
export function formatKernelRows(rows: readonly KernelBenchRow[]): string[] {
  const line = (cells: readonly string[]): string =>
    cells.map((cell, index) => cell.padStart(WIDTHS[index]!)).join('  ');
  return [
    line(COLUMNS.map(({ head }, index) => (index === 0 ? head.padEnd(WIDTHS[0]) : head))),
    ...rows.map((row) => line(COLUMNS.map(({ cell }) => cell(row)))),
  ];
}
