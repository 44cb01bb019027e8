import { Kind, NEURONS } from './cell-kinds.ts';
import { allocateCells } from './twin-cells.ts';
import type { TwinCells } from './twin-cells.ts';

/** Descending neurons whose index leaves remainder 0..7 by 8; these are the command pools (spec: brain.md 2). */
export const POOL_SIZES: readonly number[] = [151, 174, 171, 141, 163, 161, 149, 195];

/** Indices of the four moonwalker neurons in FAFB v783, kept in the twin (spec: brain.md 2, role `backward`). */
export const BACKWARD_INDICES: readonly number[] = [8_850, 25_965, 102_597, 129_708];

/**
 * Index order from the viewer's left to right, so that growth sweeps across the picture, with two facts kept: every
 * command pool has its published size, and the `backward` neurons their published indices.
 */
export function orderCells(cells: TwinCells): TwinCells {
  const { positions } = cells;
  const order = new Uint32Array(NEURONS);
  for (let i = 0; i < NEURONS; i++) order[i] = i;
  order.sort((a, b) => positions[3 * a]! - positions[3 * b]! || a - b);
  keepBackwardIndices(cells, order);
  keepPoolSizes(cells, order);
  return permute(cells, order);
}

function keepBackwardIndices(cells: TwinCells, order: Uint32Array): void {
  const descending = placesOf(cells, order);
  BACKWARD_INDICES.forEach((index, k) => {
    // evenly from both tracts
    const from = descending[Math.floor((descending.length * (2 * k + 1)) / (2 * BACKWARD_INDICES.length))]!;
    swap(order, from, index);
  });
}

/** Moves descending neurons to a near free place of the wanted remainder, at most a few dozen places away. */
function keepPoolSizes(cells: TwinCells, order: Uint32Array): void {
  const open = [...POOL_SIZES];
  for (const index of BACKWARD_INDICES) open[index % 8]!--;
  const isDescending = (at: number): boolean => cells.kind[order[at]!] === Kind.Descending;
  const settled = new Set<number>(BACKWARD_INDICES);
  for (const at of placesOf(cells, order)) {
    if (settled.has(at)) continue;
    const pool = neediest(open, at);
    let target = at - (at % 8) + pool;
    while ((target !== at && isDescending(target)) || settled.has(target))
      target += target + 8 < NEURONS ? 8 : -8 * 400;
    swap(order, at, target);
    settled.add(target);
    open[pool]!--;
  }
}

/** The pool with the largest unfilled share; ties go round so that every pool gets neurons along both tracts. */
function neediest(open: readonly number[], at: number): number {
  let best = at % 8;
  for (let step = 1; step < 8; step++) {
    const pool = (at + step) % 8;
    if (open[pool]! * POOL_SIZES[best]! > open[best]! * POOL_SIZES[pool]!) best = pool;
  }
  return best;
}

function placesOf(cells: TwinCells, order: Uint32Array): number[] {
  const places: number[] = [];
  for (let at = 0; at < NEURONS; at++) if (cells.kind[order[at]!] === Kind.Descending) places.push(at);
  return places;
}

function swap(order: Uint32Array, a: number, b: number): void {
  const kept = order[a]!;
  order[a] = order[b]!;
  order[b] = kept;
}

function permute(cells: TwinCells, order: Uint32Array): TwinCells {
  const sorted = allocateCells();
  for (let i = 0; i < NEURONS; i++) {
    const from = order[i]!;
    sorted.kind[i] = cells.kind[from]!;
    sorted.half[i] = cells.half[from]!;
    sorted.side[i] = cells.side[from]!;
    sorted.transmitter[i] = cells.transmitter[from]!;
    sorted.column[i] = cells.column[from]!;
    sorted.slot[i] = cells.slot[from]!;
    sorted.fieldX[i] = cells.fieldX[from]!;
    sorted.fieldY[i] = cells.fieldY[from]!;
    for (let axis = 0; axis < 3; axis++) sorted.positions[3 * i + axis] = cells.positions[3 * from + axis]!;
  }
  return sorted;
}
