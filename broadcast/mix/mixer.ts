import { InvariantError } from '../../engine/errors.ts';
import type { EffectId } from './effects.ts';
import { EFFECTS, renderEffect } from './effects.ts';
import { levelDb } from './level.ts';
import type { StreamFormat, StreamReader } from './stream-reader.ts';
import { createStreamReader } from './stream-reader.ts';

export type MixerStats = {
  /** Sound held back for the first stream, ms; 0 without one. */
  readonly fillMs: number;
  readonly underruns: number;
  /** Cut because too much had piled up, ms. */
  readonly droppedMs: number;
  /** Present change of speed, a share within +-0.003. */
  readonly correction: number;
  /** Level of the last second or so, dB below full scale; -120 for digital silence. */
  readonly rmsDb: number;
  /** Largest sample of the last second or so. */
  readonly peak: number;
  /** How long nothing at all has come out, ms (spec: broadcast.md 66). */
  readonly silenceMs: number;
};

/** Everything that sounds on air: the environment's streams and the show's effects. */
export type Mixer = {
  /** Replaces the streams, in descriptor order: another show, another world. */
  configure(streams: readonly StreamFormat[]): void;
  /** @param samples interleaved f32, not changed @param worldMs media time of the first one */
  push(streamIndex: number, samples: Float32Array, worldMs: number): void;
  /** Starts an effect now; the tier `silent` is not calling this. */
  playEffect(id: EffectId): void;
  /** Exactly `frames48k` interleaved stereo frames. The buffer belongs to the mixer and lasts until the next pull. */
  pull(frames48k: number): Float32Array;
  /** World time of the sample that leaves next, ms: draw this moment. Null while no stream has delivered. */
  mediaMs(): number | null;
  stats(): MixerStats;
  /** Drops what is buffered of the old timeline; playing effects go on (spec: broadcast.md 61). */
  reset(): void;
};

/** spec: broadcast.md 59, show.md 103 */
export const MASTER_GAIN = 0.9;
export const GAME_GAIN = 0.8;
export const EFFECTS_GAIN = 0.5;

const RATE_HZ = 48_000;
/** Share of the meters' memory that one second leaves. */
const METER_DECAY_PER_SECOND = 0.1;
/** Below one step of 16-bit sound counts as nothing. */
const SILENCE = 1 / 65_536;
const MAX_EFFECTS = 8;

export function createMixer(streams: readonly StreamFormat[] = []): Mixer {
  const effects = new Map<EffectId, Float32Array>();
  for (const id of Object.keys(EFFECTS) as EffectId[]) effects.set(id, renderEffect(id));
  let readers: readonly StreamReader[] = streams.map(createStreamReader);
  let voices: { readonly samples: Float32Array; at: number }[] = [];
  let out = new Float32Array(0);
  let meanSquare = 0;
  let peak = 0;
  let silentFrames = 0;
  let pastUnderruns = 0;
  let pastDroppedMs = 0;

  function addEffects(frames: number): void {
    const gain = MASTER_GAIN * EFFECTS_GAIN;
    for (const voice of voices) {
      const { samples } = voice;
      const count = Math.min(frames, samples.length - voice.at);
      for (let i = 0; i < count; i++) {
        const value = samples[voice.at + i]! * gain;
        out[2 * i] = out[2 * i]! + value;
        out[2 * i + 1] = out[2 * i + 1]! + value;
      }
      voice.at += count;
    }
    if (voices.length > 0) voices = voices.filter((voice) => voice.at < voice.samples.length);
  }

  function limitAndMeter(frames: number): void {
    const keep = METER_DECAY_PER_SECOND ** (frames / RATE_HZ);
    let squares = 0;
    let highest = 0;
    for (let i = 0; i < 2 * frames; i++) {
      const value = Math.max(-1, Math.min(1, out[i]!));
      out[i] = value;
      squares += value * value;
      const size = Math.abs(value);
      if (size > highest) highest = size;
    }
    meanSquare = highest === 0 && peak * keep < SILENCE ? 0 : meanSquare * keep + (squares / (2 * frames)) * (1 - keep);
    peak = Math.max(highest, peak * keep);
    silentFrames = highest < SILENCE ? silentFrames + frames : 0;
  }

  return {
    configure(next) {
      for (const reader of readers) {
        pastUnderruns += reader.underruns();
        pastDroppedMs += reader.droppedMs();
      }
      readers = next.map(createStreamReader);
    },
    push(streamIndex, samples, worldMs) {
      const reader = readers[streamIndex];
      if (reader === undefined) {
        throw new InvariantError(
          'AUDIO_STREAM',
          `sound of stream ${streamIndex} came; ${readers.length} are declared.`,
        );
      }
      reader.push(samples, worldMs);
    },
    playEffect(id) {
      if (voices.length >= MAX_EFFECTS) voices.shift();
      voices.push({ samples: effects.get(id)!, at: 0 });
    },
    pull(frames48k) {
      if (out.length !== 2 * frames48k) out = new Float32Array(2 * frames48k);
      else out.fill(0);
      for (const reader of readers) reader.addTo(out, frames48k, MASTER_GAIN * GAME_GAIN);
      addEffects(frames48k);
      if (frames48k > 0) limitAndMeter(frames48k);
      return out;
    },
    mediaMs: () => readers[0]?.mediaMs() ?? null,
    stats() {
      let underruns = pastUnderruns;
      let droppedMs = pastDroppedMs;
      for (const reader of readers) {
        underruns += reader.underruns();
        droppedMs += reader.droppedMs();
      }
      return {
        fillMs: readers[0]?.fillMs() ?? 0,
        underruns,
        droppedMs,
        correction: readers[0]?.correction() ?? 0,
        rmsDb: levelDb(meanSquare),
        peak,
        silenceMs: (silentFrames * 1_000) / RATE_HZ,
      };
    },
    reset() {
      for (const reader of readers) reader.reset();
    },
  };
}
