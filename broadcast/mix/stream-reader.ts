import { ConfigError, InvariantError } from '../../engine/errors.ts';
import { createDcBlocker } from './dc-blocker.ts';
import { createSincKernel } from './sinc-kernel.ts';
import { stereoGains } from './stereo-gains.ts';
import { CAPACITY_MS, GROSS_FILL_MS, LOW_FILL_MS, TARGET_FILL_MS, speedCorrection } from './varispeed.ts';

/** One environment stream: takes its chunks, gives 48 kHz stereo at a speed that holds the buffer near its target. */
export type StreamReader = {
  /**
   * @param samples interleaved, not changed @param worldMs media time of the first one
   * @throws InvariantError AUDIO_SHAPE when they are not whole sample frames
   */
  push(samples: Float32Array, worldMs: number): void;
  /** Adds `frames` stereo frames times `gain` to `out`; what is missing stays silent. */
  addTo(out: Float32Array, frames: number, gain: number): void;
  /** Media time of the next sample to leave, ms; null before the first chunk. */
  mediaMs(): number | null;
  fillMs(): number;
  underruns(): number;
  droppedMs(): number;
  correction(): number;
  /** Forgets what is buffered (pause, restore, rollback). The filter goes on: it begins with the stream (session.md 12.2). */
  reset(): void;
};

export type StreamFormat = { readonly sampleRateHz: number; readonly channels: number };

const OUTPUT_HZ = 48_000;
/** A chunk this far from where the last one ended starts a new timeline, ms. */
const JUMP_MS = 100;
/** Chunks whose times are remembered: more than the ring can hold at 120 chunks a second. */
const ANCHORS = 256;
/** Sound comes and goes within 5 ms, so that a gap does not click. */
const RAMP_STEP = 1 / 240;
const TAIL = 0.97;
/** Weight of the newest fill level; chunks make the raw one saw by a frame's worth. */
const FILL_WEIGHT = 0.05;

/** @throws ConfigError AUDIO_FORMAT outside 8,000 to 192,000 Hz and 1 to 8 channels (spec: broadcast.md 62) */
export function createStreamReader(format: StreamFormat): StreamReader {
  const { sampleRateHz, channels } = format;
  if (!(sampleRateHz >= 8_000 && sampleRateHz <= 192_000) || !(channels >= 1 && channels <= 8)) {
    throw new ConfigError(
      'AUDIO_FORMAT',
      `an audio stream of ${sampleRateHz} Hz and ${channels} channels cannot be mixed; use 8,000-192,000 Hz, 1-8 channels.`,
    );
  }
  const capacity = 2 ** Math.ceil(Math.log2((sampleRateHz * CAPACITY_MS) / 1_000));
  const mask = capacity - 1;
  const left = new Float32Array(capacity);
  const right = new Float32Array(capacity);
  const gains = stereoGains(channels);
  const blockers = Array.from({ length: channels }, createDcBlocker);
  const { taps, phases, rows } = createSincKernel(sampleRateHz, OUTPUT_HZ);
  const half = taps / 2;
  const anchorIndex = new Float64Array(ANCHORS);
  const anchorMs = new Float64Array(ANCHORS);
  let scratch = new Float32Array(0);
  let anchors = 0;
  let written = 0; // source frames since the start of this timeline
  let position = 0; // of the next output sample, in source frames
  let playing = false;
  let needMs = TARGET_FILL_MS;
  let smoothFillMs = TARGET_FILL_MS;
  let correction = 0;
  let level = 0;
  let lastLeft = 0;
  let lastRight = 0;
  let tailLeft = 0;
  let tailRight = 0;
  let underruns = 0;
  let droppedMs = 0;

  /** Lets what sounds now die away and the next sound grow, wherever it comes from. */
  function splice(): void {
    tailLeft = lastLeft;
    tailRight = lastRight;
    level = 0;
  }

  const fillMs = (): number => ((written - position) * 1_000) / sampleRateHz;

  function reset(): void {
    written = 0;
    position = 0;
    anchors = 0;
    playing = false;
    needMs = TARGET_FILL_MS;
    splice();
  }

  function timeAt(frame: number): number | null {
    if (anchors === 0) return null;
    const oldest = Math.max(0, anchors - ANCHORS);
    let at = anchors - 1;
    while (at > oldest && anchorIndex[at % ANCHORS]! > frame) at--;
    return anchorMs[at % ANCHORS]! + ((frame - anchorIndex[at % ANCHORS]!) * 1_000) / sampleRateHz;
  }

  /** Cuts the surplus to the target (spec: broadcast.md 58). */
  function cutSurplus(): void {
    const surplusMs = fillMs() - TARGET_FILL_MS;
    position += (surplusMs * sampleRateHz) / 1_000;
    droppedMs += surplusMs;
    smoothFillMs = TARGET_FILL_MS;
    splice();
  }

  return {
    push(samples, worldMs) {
      if (samples.length % channels !== 0) {
        throw new InvariantError(
          'AUDIO_SHAPE',
          `${samples.length} floats are not whole frames of ${channels} channels.`,
        );
      }
      const expectedMs = timeAt(written);
      if (expectedMs !== null && Math.abs(worldMs - expectedMs) > JUMP_MS) reset();
      const frames = samples.length / channels;
      if (scratch.length !== samples.length) scratch = new Float32Array(samples.length);
      scratch.set(samples);
      for (let channel = 0; channel < channels; channel++) blockers[channel]!.run(scratch, channel, channels);
      anchorIndex[anchors % ANCHORS] = written;
      anchorMs[anchors % ANCHORS] = worldMs;
      anchors++;
      for (let frame = 0; frame < frames; frame++) {
        let sumLeft = 0;
        let sumRight = 0;
        for (let channel = 0; channel < channels; channel++) {
          const value = scratch[frame * channels + channel]!;
          sumLeft += value * gains.left[channel]!;
          sumRight += value * gains.right[channel]!;
        }
        left[written & mask] = sumLeft;
        right[written & mask] = sumRight;
        written++;
      }
      if (fillMs() > GROSS_FILL_MS) cutSurplus();
    },
    addTo(out, frames, gain) {
      if (!playing && fillMs() >= needMs) {
        playing = true;
        smoothFillMs = fillMs();
      }
      if (playing) {
        smoothFillMs += (fillMs() - smoothFillMs) * FILL_WEIGHT;
        correction = speedCorrection(smoothFillMs);
      }
      const step = (sampleRateHz / OUTPUT_HZ) * (1 + correction);
      // locals, because a number kept by a closure is a new object at every change: four a sample
      let read = position;
      let [grown, fromLeft, fromRight, nowLeft, nowRight] = [level, tailLeft, tailRight, lastLeft, lastRight];
      for (let frame = 0; frame < frames; frame++) {
        const whole = Math.floor(read);
        if (playing && whole + half >= written) {
          playing = false;
          underruns++;
          needMs = LOW_FILL_MS;
          [fromLeft, fromRight, grown] = [nowLeft, nowRight, 0];
        }
        fromLeft *= TAIL;
        fromRight *= TAIL;
        nowLeft = fromLeft;
        nowRight = fromRight;
        if (playing) {
          const exact = (read - whole) * phases;
          const phase = Math.floor(exact);
          const blend = exact - phase;
          let at = phase * taps;
          let source = whole - half + 1;
          let sumLeft = 0;
          let sumRight = 0;
          for (let tap = 0; tap < taps; tap++, at++, source++) {
            const near = rows[at]!;
            const weight = near + (rows[at + taps]! - near) * blend;
            if (source < 0) continue; // before the first sample there is silence
            sumLeft += left[source & mask]! * weight;
            sumRight += right[source & mask]! * weight;
          }
          read += step;
          if (grown < 1) grown = Math.min(1, grown + RAMP_STEP);
          nowLeft += sumLeft * grown;
          nowRight += sumRight * grown;
        }
        out[2 * frame] = out[2 * frame]! + nowLeft * gain;
        out[2 * frame + 1] = out[2 * frame + 1]! + nowRight * gain;
      }
      position = read;
      [level, tailLeft, tailRight, lastLeft, lastRight] = [grown, fromLeft, fromRight, nowLeft, nowRight];
    },
    mediaMs: () => timeAt(position),
    fillMs,
    underruns: () => underruns,
    droppedMs: () => droppedMs,
    correction: () => correction,
    reset,
  };
}
