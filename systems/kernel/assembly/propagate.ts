import { Fly } from './fly';

/** Set in a row's first word when its edges are two words each: target, weight. See `pack-rows.ts`. */
const WIDE_ROW: u32 = 0x80000000;
const ROW_HEAD_BYTES: u32 = 16;

/**
 * Finds the row of every spike and touches it, so that the misses of different rows overlap; nothing waits for one.
 */
export function findRows(fly: Fly, list: u32, count: u32): void {
  const starts = fly.rowStartsAt;
  const rows = fly.rowsAt;
  const jobs = fly.jobsAt;
  let touched: u32 = 0;
  for (let at: u32 = 0; at < count << 2; at += 4) {
    const row = rows + (load<u32>(starts + (load<u32>(list + at) << 2)) << 4);
    store<u32>(jobs + at, row);
    touched ^= load<u32>(row) ^ load<u32>(row, 64);
  }
  fly.touch = touched;
}

/** Stamps and counts every spike and adds its edges, in list order and edge order (spec: brain.md 4.3, step 6). */
export function propagate(fly: Fly, list: u32, count: u32): void {
  const jobs = fly.jobsAt;
  const lastSpike = fly.lastSpikeAt;
  const roleCounts = fly.roleCountsAt;
  const ms = fly.ms;
  for (let at: u32 = 0; at < count << 2; at += 4) {
    const row = load<u32>(jobs + at);
    store<f64>(lastSpike + (load<u32>(list + at) << 3), ms);
    const head = load<u32>(row);
    const plastic = load<u32>(row, 12);
    if (head & WIDE_ROW) wideRow(fly, row + ROW_HEAD_BYTES, head & ~WIDE_ROW, plastic);
    else if (plastic) plasticRow(fly, row + ROW_HEAD_BYTES, head, plastic);
    else plainEdges(fly, row + ROW_HEAD_BYTES, row + ROW_HEAD_BYTES + (head << 2));
    tally(roleCounts, load<u32>(row, 4));
    tally(roleCounts + 128, load<u32>(row, 8));
  }
}

function tally(roleCounts: u32, mask: u32): void {
  while (mask) {
    const address = roleCounts + (ctz<u32>(mask) << 2);
    store<u32>(address, load<u32>(address) + 1);
    mask &= mask - 1;
  }
}

/** Edges of one word: weight in the upper 14 bits, target in the lower 18. No two neighbours share a target. */
function plainEdges(fly: Fly, edge: u32, end: u32): void {
  const membrane = fly.membraneAt;
  const scale = fly.synapseScale;
  const floor = fly.membraneFloor;
  const scales = f64x2.splat(scale);
  const floors = f64x2.splat(floor);
  while (edge + 4 < end) {
    const first = membrane + ((load<u32>(edge) & 0x3ffff) << 2);
    const second = membrane + ((load<u32>(edge, 4) & 0x3ffff) << 2);
    const weights = f64x2.convert_low_i32x4_s(i32x4.shr_s(v128.load64_zero(edge), 18));
    const before = v128.load32_lane(second, v128.load32_zero(first), 1);
    const after = f64x2.add(f64x2.promote_low_f32x4(before), f64x2.mul(weights, scales));
    const stored = f32x4.demote_f64x2_zero(f64x2.pmax(floors, after));
    v128.store32_lane(first, stored, 0);
    v128.store32_lane(second, stored, 1);
    edge += 8;
  }
  if (edge < end) {
    const word = load<u32>(edge);
    const address = membrane + ((word & 0x3ffff) << 2);
    const value = <f64>load<f32>(address) + <f64>((<i32>word) >> 18) * scale;
    store<f32>(address, <f32>(floor < value ? value : floor));
  }
}

/** A row with plastic edges: those keep their place between the others, so each target sees the reference's order. */
function plasticRow(fly: Fly, edges: u32, length: u32, plastic: u32): void {
  const entry = fly.plasticNeuronsAt + ((plastic - 1) << 4);
  const end = load<u32>(entry, 12);
  let edge = edges;
  for (let slot = load<u32>(entry, 8); slot < end; slot++) {
    const own = edges + (load<u32>(fly.slotPositionAt + (slot << 2)) << 2);
    plainEdges(fly, edge, own);
    const word = load<u32>(own);
    weightedEdge(fly, word & 0x3ffff, <f64>((<i32>word) >> 18) * <f64>load<f32>(fly.gainsAt + (slot << 2)));
    edge = own + 4;
  }
  plainEdges(fly, edge, edges + (length << 2));
}

/** Two words an edge, one edge at a time: for big weights, high targets and neighbours that share a target. */
function wideRow(fly: Fly, edges: u32, length: u32, plastic: u32): void {
  let slot: u32 = 0;
  let end: u32 = 0;
  if (plastic) {
    const entry = fly.plasticNeuronsAt + ((plastic - 1) << 4);
    slot = load<u32>(entry, 8);
    end = load<u32>(entry, 12);
  }
  for (let position: u32 = 0; position < length; position++) {
    const edge = edges + (position << 3);
    let weight = <f64>load<i32>(edge, 4);
    if (slot < end && load<u32>(fly.slotPositionAt + (slot << 2)) == position) {
      weight *= <f64>load<f32>(fly.gainsAt + (slot << 2));
      slot++;
    }
    weightedEdge(fly, load<u32>(edge), weight);
  }
}

function weightedEdge(fly: Fly, target: u32, weight: f64): void {
  const address = fly.membraneAt + (target << 2);
  const value = <f64>load<f32>(address) + weight * fly.synapseScale;
  store<f32>(address, <f32>(fly.membraneFloor < value ? value : fly.membraneFloor));
}
