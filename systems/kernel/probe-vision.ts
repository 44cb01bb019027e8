import type { Brain, BrainState } from '../../engine/contract/brain.ts';
import { nextXorshift } from './xorshift.ts';

/** Whether what the eye sees reaches the readout. Score units: 1 is a command at its resting rate (spec: brain.md 8.1). */
export type VisionProbe = {
  readonly differs: boolean;
  /** Root mean square over the commands of the change of their mean score from darkness to the picture. */
  readonly effect: number;
  /** The same for two sets of runs under one light whose noise alone differs: the standard error of `effect`. */
  readonly noise: number;
};

export type VisionProbeOptions = {
  /** In darkness, before the commands are calibrated. Default 2,500. */
  readonly warmupTicks?: number;
  /** Per run. Default 400, of which the first quarter is not looked at. */
  readonly runTicks?: number;
  /** Runs per light; at least 2. Default 4. */
  readonly runs?: number;
};

/** Scores are read as often as a Game Boy show reads them. */
const SAMPLE_TICKS = 17;
/** An effect below twice its standard error is noise: with 8 commands and 4 runs one probe in a thousand errs. */
const LEAST_RATIO = 2;
const SIZE = { width: 160, height: 144 } as const;

/**
 * Runs one brain from one settled state under white light and in darkness, several times with other noise, and looks
 * whether light moves the command scores further than the noise does. A brain without commands cannot differ.
 * @param openBrain a fresh brain of the seed in question; it is closed again
 */
export async function probeVision(
  openBrain: () => Promise<Brain>,
  { warmupTicks = 2_500, runTicks = 400, runs = 4 }: VisionProbeOptions = {},
): Promise<VisionProbe> {
  const brain = await openBrain();
  try {
    const commands = brain.rateRoles.flatMap((role, index) => (role.startsWith('command_') ? [index] : []));
    const light = new Uint8Array(SIZE.width * SIZE.height * 4).fill(255);
    const dark = new Uint8Array(light.length);
    brain.setLearning(false);
    brain.installFrame(dark, SIZE.width, SIZE.height);
    await brain.advance(warmupTicks);
    const settled = brain.exportState();
    const baseline = commands.map((role) => brain.rates[role]!);
    const meanScores = async (picture: Uint8Array, state: BrainState): Promise<Float64Array> => {
      brain.importState(state);
      brain.installFrame(picture, SIZE.width, SIZE.height);
      return averageScores(brain, commands, baseline, runTicks);
    };
    const lit: Float64Array[] = [];
    const unlit: Float64Array[] = [];
    for (let run = 0; run < runs; run++) {
      const state = { ...settled, rng: noiseState(settled.rng, run) };
      lit.push(await meanScores(light, state));
      unlit.push(await meanScores(dark, state));
    }
    return judge(commands.length, lit, unlit);
  } finally {
    await brain.close();
  }
}

async function averageScores(
  brain: Brain,
  commands: readonly number[],
  baseline: readonly number[],
  runTicks: number,
): Promise<Float64Array> {
  const sums = new Float64Array(commands.length);
  await brain.advance(Math.floor(runTicks / 4));
  const samples = Math.max(1, Math.floor((runTicks - Math.floor(runTicks / 4)) / SAMPLE_TICKS));
  for (let sample = 0; sample < samples; sample++) {
    await brain.advance(SAMPLE_TICKS);
    for (let c = 0; c < commands.length; c++) sums[c]! += (brain.rates[commands[c]!]! + 1) / (baseline[c]! + 1);
  }
  return sums.map((sum) => sum / samples);
}

function judge(commands: number, lit: readonly Float64Array[], unlit: readonly Float64Array[]): VisionProbe {
  if (commands === 0) return { differs: false, effect: 0, noise: 0 };
  let effect = 0;
  let noise = 0;
  for (let c = 0; c < commands; c++) {
    const [light, dark] = [lit, unlit].map((scores) => moments(scores.map((score) => score[c]!)));
    effect += (light!.mean - dark!.mean) ** 2;
    noise += (light!.variance + dark!.variance) / lit.length;
  }
  effect = Math.sqrt(effect / commands);
  noise = Math.sqrt(noise / commands);
  return { differs: effect > LEAST_RATIO * noise, effect, noise };
}

function moments(values: readonly number[]): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { mean, variance };
}

/** Another place of the noise stream for each run; zero would be its fixed point (spec: brain.md 4.4). */
function noiseState(rng: number, run: number): number {
  return nextXorshift(rng ^ Math.imul(run + 1, 0x9e37_79b1)) || 1;
}

/** The line an operator reads. */
export function describeVision({ differs, effect, noise }: VisionProbe): string {
  const figures = `light moves the command scores by ${effect.toFixed(3)}, noise by ${noise.toFixed(3)}`;
  return differs ? `the picture reaches the readout: ${figures}` : `the picture does NOT reach the readout: ${figures}`;
}
