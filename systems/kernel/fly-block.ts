/** 64-bit floats of a fly's state block, in the order of `assembly/fly.ts`. */
export const FLOAT_FIELDS = [
  'ms',
  'rewardRemaining',
  'populationRate',
  'signal',
  'updates',
  'decay',
  'threshold',
  'membraneFloor',
  'synapseScale',
  'noiseAmount',
  'rateAlpha',
  'stimulationDrive',
  'traceMs',
  'pairMs',
  'pairWindowMs',
  'potentiation',
  'depression',
  'learningRate',
  'restoring',
  'minGain',
  'maxGain',
] as const;

/** 32-bit integers behind them; a name ending in `At` is an address in the same memory. */
export const WORD_FIELDS = [
  'rng',
  'enabled',
  'ringIndex',
  'importedCount',
  'touch',
  'neurons',
  'noiseKicks',
  'refractoryTicks',
  'columnCount',
  'stimulatedCount',
  'roleCount',
  'slotCount',
  'pairTableSize',
  'traceTableSize',
  'membraneAt',
  'baselineAt',
  'lastSpikeAt',
  'refractoryAt',
  'visualDriveAt',
  'visualNeuronAt',
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
  'rowStartsAt',
  'rowsAt',
  'plasticNeuronsAt',
  'slotSourceAt',
  'slotTargetAt',
  'slotPositionAt',
  'incomingAt',
] as const;

export type FloatField = (typeof FLOAT_FIELDS)[number];
export type WordField = (typeof WORD_FIELDS)[number];

export const FLY_BLOCK_BYTES: number = 8 * FLOAT_FIELDS.length + 4 * WORD_FIELDS.length;

const FLOAT_INDEX = new Map<string, number>(FLOAT_FIELDS.map((name, index) => [name, index]));
const WORD_INDEX = new Map<string, number>(WORD_FIELDS.map((name, index) => [name, index]));

/** Named access to one state block. Integers read back signed. */
export type FlyBlock = {
  readonly pointer: number;
  getFloat(name: FloatField): number;
  setFloat(name: FloatField, value: number): void;
  getWord(name: WordField): number;
  setWord(name: WordField, value: number): void;
};

export function openFlyBlock(buffer: ArrayBufferLike, pointer: number): FlyBlock {
  const floats = new Float64Array(buffer, pointer, FLOAT_FIELDS.length);
  const words = new Int32Array(buffer, pointer + 8 * FLOAT_FIELDS.length, WORD_FIELDS.length);
  return {
    pointer,
    getFloat: (name) => floats[FLOAT_INDEX.get(name)!]!,
    setFloat: (name, value) => {
      floats[FLOAT_INDEX.get(name)!] = value;
    },
    getWord: (name) => words[WORD_INDEX.get(name)!]!,
    setWord: (name, value) => {
      words[WORD_INDEX.get(name)!] = value;
    },
  };
}
