import { exp, tanh } from './exp';
import { Fly } from './fly';

/** Pairs this tick's spikes with the partners' spikes of earlier ticks; spikes are not stamped yet (brain.md 6.4). */
export function observe(fly: Fly, count: u32): void {
  const jobs = fly.jobsAt;
  for (let at: u32 = 0; at < count << 2; at += 4) {
    const plastic = load<u32>(load<u32>(jobs + at), 12);
    if (plastic == 0) continue;
    const entry = fly.plasticNeuronsAt + ((plastic - 1) << 4);
    const incomingEnd = load<u32>(entry, 4);
    for (let index = load<u32>(entry); index < incomingEnd; index++) {
      const slot = load<u32>(fly.incomingAt + (index << 2));
      pair(fly, slot, load<u32>(fly.slotSourceAt + (slot << 2)), fly.potentiation);
    }
    const outgoingEnd = load<u32>(entry, 12);
    for (let slot = load<u32>(entry, 8); slot < outgoingEnd; slot++) {
      pair(fly, slot, load<u32>(fly.slotTargetAt + (slot << 2)), -fly.depression);
    }
  }
}

/** One reward-gated update of every gain (spec: brain.md 6.5). */
export function reinforce(pointer: usize, reward: f64): void {
  const fly = changetype<Fly>(pointer);
  if (!fly.enabled || !isFinite<f64>(reward) || reward == 0) return;
  fly.signal = tanh(reward);
  let moved = false;
  for (let slot: u32 = 0; slot < fly.slotCount; slot++) {
    advanceTrace(fly, slot, 0);
    const address = fly.gainsAt + (slot << 2);
    const old = load<f32>(address);
    const gain = <f64>old;
    const trace = <f64>load<f32>(fly.tracesAt + (slot << 2));
    const next = gain + fly.learningRate * fly.signal * trace - fly.restoring * (gain - 1);
    const stored = <f32>max<f64>(fly.minGain, min<f64>(fly.maxGain, next));
    store<f32>(address, stored);
    if (stored != old) moved = true;
  }
  if (moved) fly.updates += 1;
}

/** Drops all eligibility; gains stay (spec: brain.md 6.6). */
export function clearEligibility(pointer: usize): void {
  const fly = changetype<Fly>(pointer);
  memory.fill(fly.tracesAt, 0, fly.slotCount << 2);
  for (let slot: u32 = 0; slot < fly.slotCount; slot++) store<f64>(fly.touchedAt + (slot << 3), fly.ms);
  fly.signal = 0;
}

/** Fills both exponential tables: the same expression as without them, evaluated once per whole millisecond. */
export function fillTables(pointer: usize): void {
  const fly = changetype<Fly>(pointer);
  for (let ms: u32 = 0; ms < fly.pairTableSize; ms++) {
    store<f64>(fly.pairTableAt + (ms << 3), exp(-(<f64>ms) / fly.pairMs));
  }
  for (let ms: u32 = 0; ms < fly.traceTableSize; ms++) {
    store<f64>(fly.traceTableAt + (ms << 3), exp(-(<f64>ms) / fly.traceMs));
  }
}

function pair(fly: Fly, slot: u32, partner: u32, amount: f64): void {
  const apartMs = fly.ms - load<f64>(fly.lastSpikeAt + (partner << 3));
  if (apartMs > 0 && apartMs <= fly.pairWindowMs) {
    advanceTrace(fly, slot, amount * decayOver(apartMs, fly.pairMs, fly.pairTableAt, fly.pairTableSize));
  }
}

/** The only writer of traces (spec: brain.md 6.3). */
function advanceTrace(fly: Fly, slot: u32, pairAmount: f64): void {
  const touchedAt = fly.touchedAt + (slot << 3);
  const traceAt = fly.tracesAt + (slot << 2);
  const gapMs = max<f64>(0, fly.ms - load<f64>(touchedAt));
  const decayed = <f64>load<f32>(traceAt) * decayOver(gapMs, fly.traceMs, fly.traceTableAt, fly.traceTableSize);
  store<f32>(traceAt, <f32>max<f64>(-1, min<f64>(1, decayed + pairAmount)));
  store<f64>(touchedAt, fly.ms);
}

/** exp(-ms / constantMs), looked up when `ms` is whole and inside the table; imported stamps need not be. */
function decayOver(ms: f64, constantMs: f64, table: u32, tableSize: u32): f64 {
  if (ms < <f64>tableSize) {
    const whole = <u32>ms;
    if (<f64>whole == ms) return load<f64>(table + (whole << 3));
  }
  return exp(-ms / constantMs);
}
