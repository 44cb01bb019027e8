import { Fly } from './fly';
import { observe } from './plasticity';
import { findRows, propagate } from './propagate';
import { beginList, endList, hideRefractory, readRefractory, restoreRefractory, writeRefractory } from './refractory';
import { sweep } from './sweep';

export { exp, tanh } from './exp';
export { clearEligibility, fillTables, reinforce } from './plasticity';

/** Bytes of a state block; the host checks it against its own list. */
export function flyBytes(): u32 {
  return offsetof<Fly>();
}

/** Runs whole neural ticks and returns their spikes. The spike bits are those of these ticks. */
export function advance(pointer: usize, ticks: u32): f64 {
  const fly = changetype<Fly>(pointer);
  memory.fill(fly.spikeBitsAt, 0, (fly.neurons + 7) >> 3);
  let spikes: f64 = 0;
  for (let done: u32 = 0; done < ticks; done++) spikes += <f64>tick(fly);
  return spikes;
}

export function exportRefractory(pointer: usize): void {
  writeRefractory(changetype<Fly>(pointer));
}

export function importRefractory(pointer: usize): void {
  readRefractory(changetype<Fly>(pointer));
}

/** One millisecond in the order of brain.md 4.3. */
function tick(fly: Fly): u32 {
  kick(fly);
  drive(fly);
  const list = beginList(fly);
  hideRefractory(fly);
  const count = sweep(fly, list);
  restoreRefractory(fly);
  endList(fly, list, count);
  findRows(fly, list, count);
  if (fly.enabled) observe(fly, count);
  memory.fill(fly.roleCountsAt, 0, 256);
  propagate(fly, list, count);
  average(fly, count);
  fly.ms += 1;
  return count;
}

function kick(fly: Fly): void {
  const membrane = fly.membraneAt;
  const neurons = fly.neurons;
  const amount = fly.noiseAmount;
  let state = fly.rng;
  for (let left = fly.noiseKicks; left != 0; left--) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const address = membrane + ((<u32>state % neurons) << 2);
    store<f32>(address, <f32>(<f64>load<f32>(address) + amount));
  }
  fly.rng = state;
}

function drive(fly: Fly): void {
  const membrane = fly.membraneAt;
  const columnEnd = fly.columnCount << 2;
  for (let at: u32 = 0; at < columnEnd; at += 4) {
    const address = membrane + (load<u32>(fly.visualNeuronAt + at) << 2);
    store<f32>(address, <f32>(<f64>load<f32>(address) + <f64>load<f32>(fly.visualDriveAt + at)));
  }
  if (!(fly.rewardRemaining > 0)) return;
  const stimulatedEnd = fly.stimulatedCount << 2;
  for (let at: u32 = 0; at < stimulatedEnd; at += 4) {
    const address = membrane + (load<u32>(fly.stimulatedAt + at) << 2);
    store<f32>(address, <f32>(<f64>load<f32>(address) + fly.stimulationDrive));
  }
  fly.rewardRemaining -= 1;
}

function average(fly: Fly, count: u32): void {
  for (let role: u32 = 0; role < fly.roleCount; role++) {
    const size = <f64>load<u32>(fly.roleSizesAt + (role << 2));
    const address = fly.ratesAt + (role << 3);
    const rate = load<f64>(address);
    const instant = size > 0 ? (<f64>load<u32>(fly.roleCountsAt + (role << 2)) * 1000) / size : 0;
    store<f64>(address, rate + (instant - rate) * fly.rateAlpha);
  }
  const instant = (<f64>count * 1000) / <f64>fly.neurons;
  fly.populationRate += (instant - fly.populationRate) * fly.rateAlpha;
}
