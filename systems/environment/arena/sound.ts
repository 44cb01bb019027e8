import { HALF_WIDTH, UNIT } from './rules.ts';
import { CUE, PHASE, VOICE, VOICES, WORD, voiceAt } from './state-map.ts';
import { secondsLeft } from './step-arena.ts';
import { BASS, CHORDS, HURRIED_ROW_STEPS, JINGLE, JINGLES, LEAD, ROW_STEPS } from './tune.ts';
import { divide, nextRandom } from './whole-numbers.ts';

/** 32,768 Hz times 8,572,265,625/512 ns: 548 and 5/8 samples a step, so a chunk has 548 or 549. */
const SAMPLES_OF_8_STEPS = 4_389;
export const MAX_SAMPLES = 549;

const WAVE = { square: 0, pulse: 1, triangle: 2, noise: 3 } as const;
const VOICE_OF = { bass: 0, lead: 1, chord: 2, hat: 3, blow: 4, air: 5, pick: 6, jingle: 7 } as const;

/** Levels of 32,767: the bed stays well under what happens on the field. */
const LEVEL = {
  bass: 3_400,
  lead: 1_500,
  chord: 900,
  hat: 700,
  bump: 5_200,
  knock: 8_200,
  air: 3_600,
  pick: 3_600,
  jingle: 4_200,
  land: 3_000,
};

/**
 * The sound of the step just taken, whole numbers up to the last division.
 * @param state voices and their phases are moved on
 * @param out interleaved stereo in [-1, 1], at least `2 * MAX_SAMPLES` long
 * @returns sample frames written, 548 or 549
 */
export function playStep(state: Int32Array, out: Float32Array): number {
  startCues(state);
  playJingle(state);
  playTune(state);
  const step = state[WORD.step]!;
  const frames = Math.floor((step * SAMPLES_OF_8_STEPS) / 8) - Math.floor(((step - 1) * SAMPLES_OF_8_STEPS) / 8);
  mixVoices(state, out, frames);
  return frames;
}

function startCues(state: Int32Array): void {
  const cues = state[WORD.cues]!;
  const pan = divide(state[WORD.cueX]! * 160, HALF_WIDTH);
  const has = (bit: number): boolean => (cues & bit) !== 0;
  if (has(CUE.land))
    sing(state, VOICE_OF.pick, { note: 50, slide: -30, level: LEVEL.land, steps: 9, wave: WAVE.triangle, pan });
  if (has(CUE.bump))
    sing(state, VOICE_OF.blow, { note: 74, slide: -60, level: LEVEL.bump, steps: 8, wave: WAVE.noise, pan });
  if (has(CUE.knock))
    sing(state, VOICE_OF.blow, { note: 86, slide: -70, level: LEVEL.knock, steps: 16, wave: WAVE.noise, pan });
  if (has(CUE.dash))
    sing(state, VOICE_OF.air, { note: 88, slide: 50, level: LEVEL.air, steps: 12, wave: WAVE.noise, pan });
  if (has(CUE.gust))
    sing(state, VOICE_OF.air, { note: 100, slide: -40, level: LEVEL.air, steps: 22, wave: WAVE.noise, pan });
  if (has(CUE.pick))
    sing(state, VOICE_OF.pick, { note: 71, slide: 70, level: LEVEL.pick, steps: 10, wave: WAVE.square, pan });
  const wanted = has(CUE.match)
    ? JINGLE.match
    : has(CUE.round)
      ? JINGLE.round
      : has(CUE.drawn)
        ? JINGLE.drawn
        : has(CUE.sudden)
          ? JINGLE.sudden
          : has(CUE.home)
            ? JINGLE.home
            : has(CUE.go)
              ? JINGLE.go
              : has(CUE.nectar)
                ? JINGLE.nectar
                : has(CUE.tick)
                  ? JINGLE.tick
                  : JINGLE.none;
  if (wanted === JINGLE.none || wanted < state[WORD.jingle]!) return;
  state[WORD.jingle] = wanted;
  state[WORD.jingleSteps] = 0;
}

function playJingle(state: Int32Array): void {
  const { notes, noteSteps } = JINGLES[state[WORD.jingle]!]!;
  if (notes.length === 0) return;
  const at = state[WORD.jingleSteps]!;
  if (at % noteSteps === 0) {
    const note = notes[at / noteSteps]!;
    const next = notes[at / noteSteps + 1];
    const steps = next === undefined ? 3 * noteSteps : noteSteps + 2;
    if (note > 0)
      sing(state, VOICE_OF.jingle, { note, slide: 0, level: LEVEL.jingle, steps, wave: WAVE.square, pan: 0 });
  }
  state[WORD.jingleSteps] = at + 1;
  if (at + 1 === notes.length * noteSteps) state[WORD.jingle] = JINGLE.none;
}

/** Bass and hat all through, the melody while it is played; under the jingle of a round's end there is nothing. */
function playTune(state: Int32Array): void {
  const phase = state[WORD.phase]!;
  if (phase >= PHASE.roundOver && state[WORD.jingle] !== JINGLE.none) {
    state[WORD.tune] = 0;
    return;
  }
  const isHurried = phase === PHASE.sudden || (phase === PHASE.play && secondsLeft(state) <= 10);
  const tune = state[WORD.tune]!;
  state[WORD.tune] = tune + 1;
  const rowSteps = isHurried ? HURRIED_ROW_STEPS : ROW_STEPS;
  if (tune % rowSteps !== 0) return;
  const row = (tune / rowSteps) % LEAD.length;
  const bass = BASS[row]!;
  if (bass > 0)
    sing(state, VOICE_OF.bass, { note: bass, slide: 0, level: LEVEL.bass, steps: 18, wave: WAVE.triangle, pan: 0 });
  if (row % 2 === 0) {
    const level = row % 4 === 0 ? LEVEL.hat : LEVEL.hat >> 1;
    sing(state, VOICE_OF.hat, { note: 119, slide: 0, level, steps: row % 8 === 4 ? 6 : 2, wave: WAVE.noise, pan: 40 });
  }
  if (phase !== PHASE.play && phase !== PHASE.sudden) return;
  const lead = LEAD[row]!;
  if (lead > 0)
    sing(state, VOICE_OF.lead, { note: lead, slide: 0, level: LEVEL.lead, steps: 16, wave: WAVE.pulse, pan: -30 });
  if (row % 2 !== 0) return;
  const chord = CHORDS[row >> 4]!;
  sing(state, VOICE_OF.chord, {
    note: chord[(row >> 1) % 3]!,
    slide: 0,
    level: LEVEL.chord,
    steps: 12,
    wave: WAVE.square,
    pan: 50,
  });
}

type Note = {
  readonly note: number;
  /** Sixteenths of a percent of the pitch gained per step. */
  readonly slide: number;
  readonly level: number;
  /** Steps until it has died away. */
  readonly steps: number;
  readonly wave: number;
  /** -256 left to 256 right. */
  readonly pan: number;
};

function sing(state: Int32Array, voice: number, { note, slide, level, steps, wave, pan }: Note): void {
  const at = voiceAt(voice);
  const increment = incrementOf(note);
  state[at + VOICE.increment] = increment;
  state[at + VOICE.slide] = divide(increment, 1_600) * slide;
  state[at + VOICE.level] = level;
  state[at + VOICE.decay] = divide(level + steps - 1, steps);
  state[at + VOICE.wave] = wave;
  state[at + VOICE.pan] = pan;
}

/** Turns of 2^32 per sample of C8 .. B8 (4,186.009 Hz to 7,902.133 Hz, equal temperament, A4 = 440 Hz). */
const TOP_OCTAVE: readonly number[] = [
  548_668_572, 581_294_096, 615_859_618, 652_480_610, 691_279_102, 732_384_723, 775_934_575, 822_074_016, 870_957_056,
  922_746_880, 977_616_241, 1_035_748_377,
];

/** @param note MIDI number, 12 to 119 */
function incrementOf(note: number): number {
  return TOP_OCTAVE[note % 12]! >> (9 - Math.floor(note / 12));
}

/** Sums of all voices of one step, left and right, before the low-pass. */
const sums = new Int32Array(2 * MAX_SAMPLES);

function mixVoices(state: Int32Array, out: Float32Array, frames: number): void {
  sums.fill(0);
  for (let voice = 0; voice < VOICES; voice++) mixVoice(state, voiceAt(voice), frames);
  let left = state[WORD.toneLeft]!;
  let right = state[WORD.toneRight]!;
  for (let i = 0; i < frames; i++) {
    // half the difference per sample: about 4 kHz, it takes the edge off the square waves
    left += divide(sums[2 * i]! - left, 2);
    right += divide(sums[2 * i + 1]! - right, 2);
    out[2 * i] = clip(left) / 32_768;
    out[2 * i + 1] = clip(right) / 32_768;
  }
  state[WORD.toneLeft] = left;
  state[WORD.toneRight] = right;
}

function mixVoice(state: Int32Array, at: number, frames: number): void {
  const from = state[at + VOICE.level]!;
  if (from === 0) return;
  const to = Math.max(0, from - state[at + VOICE.decay]!);
  const pan = state[at + VOICE.pan]!;
  const leftGain = UNIT - Math.max(0, pan);
  const rightGain = UNIT + Math.min(0, pan);
  const increment = state[at + VOICE.increment]!;
  const wave = state[at + VOICE.wave]!;
  const fall = divide((from - to) * 256, frames);
  let phase = state[at + VOICE.phase]!;
  let noise = state[WORD.noise]!;
  let level = from * 256;
  for (let i = 0; i < frames; i++) {
    const next = (phase + increment) | 0;
    if (wave === WAVE.noise && (next ^ phase) < 0) noise = nextRandom(noise);
    phase = next;
    level -= fall;
    const value = divide(waveAt(wave, phase, noise) * (level >> 8), 256);
    sums[2 * i] = sums[2 * i]! + ((value * leftGain) >> 8);
    sums[2 * i + 1] = sums[2 * i + 1]! + ((value * rightGain) >> 8);
  }
  state[at + VOICE.phase] = phase;
  state[WORD.noise] = noise;
  state[at + VOICE.level] = to;
  state[at + VOICE.increment] = Math.max(1, Math.min(0x3fffffff, increment + state[at + VOICE.slide]!));
}

/** -256..256. @param phase signed 32-bit turn */
function waveAt(wave: number, phase: number, noise: number): number {
  switch (wave) {
    case WAVE.square:
      return phase < 0 ? 256 : -256;
    case WAVE.pulse:
      return phase >>> 30 === 0 ? 256 : -256;
    case WAVE.triangle: {
      const turn = phase >>> 22; // 0..1023
      return turn < 512 ? turn - 256 : 767 - turn;
    }
    default:
      return (noise & 1) === 0 ? -256 : 256;
  }
}

function clip(value: number): number {
  return value > 32_767 ? 32_767 : value < -32_767 ? -32_767 : value;
}
