import type { BrainState } from '../../engine/contract/brain.ts';
import type { Connectome } from '../../engine/contract/connectome.ts';
import { plasticityVersion } from '../learning/plasticity-parameters.ts';
import { plasticityStateFault } from '../learning/plasticity-state.ts';
import { gainStatistics } from '../learning/plasticity-statistics.ts';
import { checkBrainState } from './brain-state.ts';
import type { RestorableState } from './brain-state.ts';
import { drawBaseline } from './draw-baseline.ts';
import { FLY_BLOCK_BYTES, openFlyBlock } from './fly-block.ts';
import type { FlyBlock, WordField } from './fly-block.ts';
import type { KernelExports } from './kernel-module.ts';
import type { Kernel } from './kernel.ts';
import { planArrays } from './linear-memory.ts';
import type { LinearMemory } from './linear-memory.ts';
import { kernelVersion } from './parameters.ts';
import type { KernelParameters } from './parameters.ts';
import { projectRetina } from './retina.ts';
import { MAX_RATE_ROLES } from './tracked-rates.ts';
import type { WasmTopology } from './wasm-topology.ts';

/** Whole milliseconds looked up instead of computed: 32 KiB of traces covers the gaps between most pairings. */
const TRACE_TABLE_SIZE = 4_096;
const LONGEST_PAIR_TABLE = 1_024;

/** Membrane drive of the neurons that only round the count up to eight: they never fire. */
const PADDING_DRIVE = -1e30;

export type WasmKernelParts = {
  readonly memory: LinearMemory;
  readonly exports: KernelExports;
  readonly topology: WasmTopology;
  readonly connectome: Connectome;
  readonly parameters: KernelParameters;
  readonly seed: number;
};

export type WasmKernel = Kernel & {
  /** Address of the state block; any instance over the same memory may advance it. */
  readonly pointer: number;
  /** Gives the memory back. Nothing may be called afterwards. */
  release(): void;
};

/** Bytes of private memory one fly needs. */
export function flyBytes(connectome: Connectome, slots: number): number {
  return planFly(connectome, { slots, stimulated: connectome.neurons >> 3, pairTable: LONGEST_PAIR_TABLE }).bytes;
}

/** A brain in linear memory, stepped by compiled code that equals `reference.ts` bit for bit. */
export function createWasmKernel({
  memory,
  exports,
  topology,
  connectome,
  parameters,
  seed,
}: WasmKernelParts): WasmKernel {
  const { neurons, retina } = connectome;
  const { plasticity } = parameters;
  const stimulated = connectome.roles.get(parameters.stimulation.role) ?? new Uint32Array(0);
  const slots = topology.plastic.edge.length;
  const pairTable = Math.max(0, Math.min(Math.floor(plasticity.pairWindowMs) + 1, LONGEST_PAIR_TABLE));
  const plan = planFly(connectome, { slots, stimulated: stimulated.length, pairTable });
  const base = memory.allocate(plan.bytes);
  const buffer = memory.buffer();
  const block = openFlyBlock(buffer, plan.address(base, 'block'));
  for (const name of ARRAYS) block.setWord(name, plan.address(base, name));
  topology.bind(block);
  const at = (name: WordField): number => block.getWord(name) >>> 0;

  const membrane = new Float32Array(buffer, at('membraneAt'), neurons);
  const refractory = new Uint8Array(buffer, at('refractoryAt'), neurons);
  const lastSpikeMs = new Float64Array(buffer, at('lastSpikeAt'), neurons).fill(-1_000_000);
  const visualDrive = new Float32Array(buffer, at('visualDriveAt'), retina.count);
  const rates = new Float64Array(buffer, at('ratesAt'), topology.rateRoles.length);
  const spikeBits = new Uint8Array(buffer, at('spikeBitsAt'), (neurons + 7) >> 3);
  const gains = new Float32Array(buffer, at('gainsAt'), slots).fill(1);
  const traces = new Float32Array(buffer, at('tracesAt'), slots);
  const touched = new Float64Array(buffer, at('touchedAt'), slots);
  new Uint32Array(buffer, at('stimulatedAt'), stimulated.length).set(stimulated);
  new Uint32Array(buffer, at('roleSizesAt'), topology.roleSizes.length).set(topology.roleSizes);
  const drawn = drawBaseline(neurons, seed, parameters.baselineMax);
  const baseline = new Float64Array(buffer, at('baselineAt'), padded(neurons)).fill(PADDING_DRIVE);
  baseline.set(drawn.baseline);

  writeConstants(block, parameters, Math.fround(exports.exp(-1 / parameters.decayMs)));
  block.setWord('rng', drawn.rng);
  block.setWord('enabled', 1);
  block.setWord('neurons', neurons);
  block.setWord('columnCount', retina.count);
  block.setWord('stimulatedCount', stimulated.length);
  block.setWord('roleCount', topology.rateRoles.length);
  block.setWord('slotCount', slots);
  block.setWord('pairTableSize', pairTable);
  block.setWord('traceTableSize', TRACE_TABLE_SIZE);
  exports.fillTables(block.pointer);

  const version = plasticityVersion(plasticity);
  const expected = { version, topology: topology.plastic.topology, slots };

  function exportState(spare?: BrainState): BrainState {
    exports.exportRefractory(block.pointer);
    return {
      membrane: copyOver(spare?.membrane, membrane),
      refractory: copyOver(spare?.refractory, refractory),
      lastSpikeMs: copyOver(spare?.lastSpikeMs, lastSpikeMs),
      visualDrive: copyOver(spare?.visualDrive, visualDrive),
      rng: block.getWord('rng'),
      rewardRemaining: block.getFloat('rewardRemaining'),
      ms: block.getFloat('ms'),
      populationRate: block.getFloat('populationRate'),
      rates: Object.fromEntries(topology.rateRoles.map((name, role) => [name, rates[role]!])),
      plasticity: {
        version,
        topology: topology.plastic.topology,
        enabled: block.getWord('enabled') === 1,
        updates: block.getFloat('updates'),
        signal: block.getFloat('signal'),
        gains: copyOver(spare?.plasticity.gains, gains),
        traces: copyOver(spare?.plasticity.traces, traces),
        touched: copyOver(spare?.plasticity.touched, touched),
      },
    };
  }

  function importState(state: RestorableState): void {
    checkBrainState(state, {
      neurons,
      columns: retina.count,
      plasticityFault: (part) => plasticityStateFault(part, expected, plasticity),
    });
    importPlasticity(state.plasticity);
    membrane.set(state.membrane);
    refractory.set(state.refractory);
    exports.importRefractory(block.pointer);
    lastSpikeMs.set(state.lastSpikeMs);
    visualDrive.set(state.visualDrive);
    block.setWord('rng', state.rng | 0);
    block.setFloat('rewardRemaining', state.rewardRemaining);
    block.setFloat('ms', state.ms);
    block.setFloat('populationRate', state.populationRate);
    topology.rateRoles.forEach((name, role) => {
      rates[role] = state.rates[name] ?? 0;
    });
    spikeBits.fill(0);
  }

  function importPlasticity(state: RestorableState['plasticity']): void {
    if (state === undefined) {
      gains.fill(1);
      traces.fill(0);
      touched.fill(0);
    } else {
      gains.set(state.gains);
      traces.set(state.traces);
      touched.set(state.touched);
      block.setWord('enabled', state.enabled ? 1 : 0);
    }
    block.setFloat('updates', state?.updates ?? 0);
    block.setFloat('signal', state?.signal ?? 0);
  }

  return {
    pointer: block.pointer,
    neuronCount: neurons,
    kernelVersion: kernelVersion(parameters, seed),
    plasticityVersion: version,
    rateRoles: topology.rateRoles,
    supportedStimuli: stimulated.length > 0 ? ['reward-pulse'] : [],
    rates,
    spikeBits,
    visualDrive,
    ticks: () => block.getFloat('ms'),
    populationRateHz: () => block.getFloat('populationRate'),
    stimulusRemainingMs: () => Math.max(0, block.getFloat('rewardRemaining')),
    learning: () => ({
      enabled: block.getWord('enabled') === 1,
      synapses: slots,
      updates: block.getFloat('updates'),
      ...gainStatistics(gains),
      signal: block.getFloat('signal'),
    }),
    isLearning: () => block.getWord('enabled') === 1,
    step: (ticks) => exports.advance(block.pointer, ticks),
    installFrame(rgba, widthPx, heightPx) {
      projectRetina(rgba, widthPx, heightPx, retina, parameters.retina.gain, visualDrive);
    },
    stimulate(ms) {
      block.setFloat('rewardRemaining', Math.max(block.getFloat('rewardRemaining'), ms));
    },
    reinforce: (reward) => exports.reinforce(block.pointer, reward),
    setLearning: (enabled) => block.setWord('enabled', enabled ? 1 : 0),
    clearEligibility: () => exports.clearEligibility(block.pointer),
    exportState,
    importState,
    release: () => memory.release(base, plan.bytes),
  };
}

/** Fresh pages cost more than the copy itself: an array that fits is written again. One given away has no length left. */
function copyOver<A extends Uint8Array | Float32Array | Float64Array>(spare: A | undefined, from: A): A {
  if (spare?.length !== from.length) return from.slice() as A;
  spare.set(from);
  return spare;
}

/** Arrays of the fly's own block; the others belong to the topology. */
const ARRAYS = [
  'membraneAt',
  'baselineAt',
  'lastSpikeAt',
  'refractoryAt',
  'visualDriveAt',
  'stimulatedAt',
  'ratesAt',
  'roleCountsAt',
  'roleSizesAt',
  'spikeBitsAt',
  'spikeListsAt',
  'ringAt',
  'importedAt',
  'importedLeftAt',
  'stashAt',
  'jobsAt',
  'gainsAt',
  'tracesAt',
  'touchedAt',
  'pairTableAt',
  'traceTableAt',
] as const satisfies readonly WordField[];

type FlyArray = 'block' | (typeof ARRAYS)[number];

function planFly(
  { neurons, retina }: Connectome,
  { slots, stimulated, pairTable }: { slots: number; stimulated: number; pairTable: number },
): ReturnType<typeof planArrays<FlyArray>> {
  return planArrays<FlyArray>({
    block: FLY_BLOCK_BYTES,
    membraneAt: 4 * padded(neurons),
    baselineAt: 8 * padded(neurons),
    lastSpikeAt: 8 * neurons,
    refractoryAt: neurons,
    visualDriveAt: 4 * retina.count,
    stimulatedAt: 4 * stimulated,
    ratesAt: 8 * MAX_RATE_ROLES,
    roleCountsAt: 4 * MAX_RATE_ROLES,
    roleSizesAt: 4 * MAX_RATE_ROLES,
    spikeBitsAt: padded(neurons) / 8,
    spikeListsAt: 8 * neurons,
    ringAt: 8 * 256,
    importedAt: 4 * neurons,
    importedLeftAt: neurons,
    stashAt: 4 * neurons,
    jobsAt: 4 * neurons,
    gainsAt: 4 * slots,
    tracesAt: 4 * slots,
    touchedAt: 8 * slots,
    pairTableAt: 8 * pairTable,
    traceTableAt: 8 * TRACE_TABLE_SIZE,
  });
}

function writeConstants(block: FlyBlock, parameters: KernelParameters, decay: number): void {
  const { plasticity } = parameters;
  block.setFloat('decay', decay);
  block.setFloat('threshold', parameters.threshold);
  block.setFloat('membraneFloor', parameters.membraneFloor);
  block.setFloat('synapseScale', parameters.synapseScale);
  block.setFloat('noiseAmount', parameters.noiseAmount);
  block.setFloat('rateAlpha', parameters.rateAlpha);
  block.setFloat('stimulationDrive', parameters.stimulation.drive);
  block.setWord('noiseKicks', parameters.noiseKicks);
  block.setWord('refractoryTicks', parameters.refractoryMs & 255);
  block.setFloat('traceMs', plasticity.traceMs);
  block.setFloat('pairMs', plasticity.pairMs);
  block.setFloat('pairWindowMs', plasticity.pairWindowMs);
  block.setFloat('potentiation', plasticity.potentiation);
  block.setFloat('depression', plasticity.depression);
  block.setFloat('learningRate', plasticity.learningRate);
  block.setFloat('restoring', plasticity.restoring);
  block.setFloat('minGain', plasticity.minGain);
  block.setFloat('maxGain', plasticity.maxGain);
}

function padded(neurons: number): number {
  return Math.ceil(neurons / 8) * 8;
}
