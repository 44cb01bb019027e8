import { Fly } from './fly';

/** Planted in a refractory membrane while the sweep passes: no drive lifts it over a threshold. */
const HIDDEN: f32 = -1e30;

/** Room for the running tick's spikes. The lists of the refractory ticks before it hold other neurons and stay whole. */
export function beginList(fly: Fly): u32 {
  const previous = fly.ringAt + (((fly.ringIndex - 1) & 255) << 3);
  const end = load<u32>(previous) + (load<u32>(previous, 4) << 2);
  // two buffers' worth of neurons: past the middle there may be no room for everybody, and the front is free by then
  return end - fly.spikeListsAt > fly.neurons << 2 ? fly.spikeListsAt : end;
}

export function endList(fly: Fly, list: u32, length: u32): void {
  const entry = fly.ringAt + ((fly.ringIndex & 255) << 3);
  store<u32>(entry, list);
  store<u32>(entry, length, 4);
  fly.ringIndex = (fly.ringIndex + 1) & 255;
}

/** Decays every refractory membrane into the stash and hides the neuron from the sweep. */
export function hideRefractory(fly: Fly): void {
  let stash = fly.stashAt;
  for (let age: u32 = 1; age <= fly.refractoryTicks; age++) {
    const entry = fly.ringAt + (((fly.ringIndex - age) & 255) << 3);
    stash = hide(fly, load<u32>(entry), load<u32>(entry, 4), stash);
  }
  if (fly.importedCount) hide(fly, fly.importedAt, fly.importedCount, stash);
}

/** Puts the decayed membranes back, in the same order. */
export function restoreRefractory(fly: Fly): void {
  let stash = fly.stashAt;
  for (let age: u32 = 1; age <= fly.refractoryTicks; age++) {
    const entry = fly.ringAt + (((fly.ringIndex - age) & 255) << 3);
    stash = restore(fly, load<u32>(entry), load<u32>(entry, 4), stash);
  }
  if (fly.importedCount) {
    restore(fly, fly.importedAt, fly.importedCount, stash);
    countDownImported(fly);
  }
}

/** Writes the refractory ticks every neuron has left into the export array (spec: brain.md 4.8). */
export function writeRefractory(fly: Fly): void {
  const left = fly.refractoryAt;
  memory.fill(left, 0, fly.neurons);
  for (let age: u32 = 1; age <= fly.refractoryTicks; age++) {
    const entry = fly.ringAt + (((fly.ringIndex - age) & 255) << 3);
    const list = load<u32>(entry);
    const length = load<u32>(entry, 4);
    for (let at: u32 = 0; at < length; at++) {
      store<u8>(left + load<u32>(list + (at << 2)), <u8>(fly.refractoryTicks + 1 - age));
    }
  }
  for (let at: u32 = 0; at < fly.importedCount; at++) {
    store<u8>(left + load<u32>(fly.importedAt + (at << 2)), load<u8>(fly.importedLeftAt + at));
  }
}

/**
 * Takes the export array as the new refractory state. Any count may stand there, longer ones than this kernel gives
 * included, so these neurons are counted down one by one until they are free.
 */
export function readRefractory(fly: Fly): void {
  memory.fill(fly.ringAt, 0, 2048);
  fly.ringIndex = 0;
  let count: u32 = 0;
  for (let neuron: u32 = 0; neuron < fly.neurons; neuron++) {
    const left = load<u8>(fly.refractoryAt + neuron);
    if (left == 0) continue;
    store<u32>(fly.importedAt + (count << 2), neuron);
    store<u8>(fly.importedLeftAt + count, left);
    count++;
  }
  fly.importedCount = count;
}

function countDownImported(fly: Fly): void {
  let kept: u32 = 0;
  for (let at: u32 = 0; at < fly.importedCount; at++) {
    const left = load<u8>(fly.importedLeftAt + at) - 1;
    if (left == 0) continue;
    store<u32>(fly.importedAt + (kept << 2), load<u32>(fly.importedAt + (at << 2)));
    store<u8>(fly.importedLeftAt + kept, left);
    kept++;
  }
  fly.importedCount = kept;
}

function hide(fly: Fly, list: u32, length: u32, stash: u32): u32 {
  const decay = fly.decay;
  const membrane = fly.membraneAt;
  for (let at: u32 = 0; at < length; at++) {
    const address = membrane + (load<u32>(list + (at << 2)) << 2);
    store<f32>(stash + (at << 2), <f32>(<f64>load<f32>(address) * decay));
    store<f32>(address, HIDDEN);
  }
  return stash + (length << 2);
}

function restore(fly: Fly, list: u32, length: u32, stash: u32): u32 {
  const membrane = fly.membraneAt;
  for (let at: u32 = 0; at < length; at++) {
    store<f32>(membrane + (load<u32>(list + (at << 2)) << 2), load<f32>(stash + (at << 2)));
  }
  return stash + (length << 2);
}
