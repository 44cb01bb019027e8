/**
 * The state block of one fly in linear memory. Nothing lives in module globals, so that a worker and the main thread
 * may each instantiate the module over the same shared memory. The host writes every field; the order here is the order
 * of `fly-block.ts`. A `...At` field is the address of an array.
 */
@unmanaged
export class Fly {
  ms: f64;
  rewardRemaining: f64;
  populationRate: f64;
  signal: f64;
  updates: f64;
  decay: f64;
  threshold: f64;
  membraneFloor: f64;
  synapseScale: f64;
  noiseAmount: f64;
  rateAlpha: f64;
  stimulationDrive: f64;
  traceMs: f64;
  pairMs: f64;
  pairWindowMs: f64;
  potentiation: f64;
  depression: f64;
  learningRate: f64;
  restoring: f64;
  minGain: f64;
  maxGain: f64;

  rng: i32;
  enabled: u32;
  /** Position of the running tick in the ring of spike lists. */
  ringIndex: u32;
  /** Neurons whose refractory time came with an imported state. */
  importedCount: u32;
  /** Written by the prefetch pass so that its loads stay. */
  touch: u32;
  neurons: u32;
  noiseKicks: u32;
  /** Already modulo 256. */
  refractoryTicks: u32;
  columnCount: u32;
  stimulatedCount: u32;
  roleCount: u32;
  slotCount: u32;
  pairTableSize: u32;
  traceTableSize: u32;

  /** f32, padded to a multiple of 8. */
  membraneAt: u32;
  /** f64 copies of the float32 baselines; padding is far below any threshold. */
  baselineAt: u32;
  lastSpikeAt: u32;
  /** u8, current only after `exportRefractory`. */
  refractoryAt: u32;
  visualDriveAt: u32;
  visualNeuronAt: u32;
  stimulatedAt: u32;
  ratesAt: u32;
  roleCountsAt: u32;
  roleSizesAt: u32;
  spikeBitsAt: u32;
  /** u32, 2 * neurons: the spike lists of the refractory ticks, one after the other. */
  spikeListsAt: u32;
  /** 256 x (address, length): where the list of each of the last ticks lies. */
  ringAt: u32;
  importedAt: u32;
  /** u8 beside `importedAt`: ticks each of them has left. */
  importedLeftAt: u32;
  /** f32, one per hidden neuron. */
  stashAt: u32;
  /** u32, row address per spike of the tick. */
  jobsAt: u32;
  gainsAt: u32;
  tracesAt: u32;
  touchedAt: u32;
  pairTableAt: u32;
  traceTableAt: u32;

  /** u32 per neuron: row address in units of 16 bytes from `rowsAt`. */
  rowStartsAt: u32;
  rowsAt: u32;
  /** 16 bytes each: incoming begin and end, outgoing begin and end. */
  plasticNeuronsAt: u32;
  slotSourceAt: u32;
  slotTargetAt: u32;
  /** u32 per slot: position inside its row. */
  slotPositionAt: u32;
  /** u32: slots sorted by target, then slot. */
  incomingAt: u32;
}
