/** Sounds the show adds (spec: show.md 7). All are computed: no recording of anything is shipped. */
export type EffectId = 'reward' | 'badge' | 'milestone' | 'sugar' | 'stuck' | 'stale' | 'rewind' | 'stinger';

type Wave = 'sine' | 'square' | 'triangle';

/** One voice: it starts at a share of the length, slides from one pitch to another and fades out linearly. */
type Voice = {
  readonly wave: Wave;
  readonly fromHz: number;
  readonly toHz: number;
  readonly start: number;
  readonly peak: number;
};

type Effect = { readonly seconds: number; readonly voices: readonly Voice[] };

const steady = (wave: Wave, hz: number, start: number, peak: number): Voice => ({
  wave,
  fromHz: hz,
  toHz: hz,
  start,
  peak,
});

/** Lengths, pitches and starts: spec show.md 7 and 102a; peak gains inside its range of 0.08 to 0.5. */
export const EFFECTS: Readonly<Record<EffectId, Effect>> = {
  reward: { seconds: 0.09, voices: [{ wave: 'sine', fromHz: 880, toHz: 1_180, start: 0, peak: 0.3 }] },
  badge: {
    seconds: 0.75,
    voices: [
      steady('triangle', 523, 0, 0.3),
      steady('triangle', 659, 0.12, 0.3),
      steady('triangle', 784, 0.26, 0.3),
      steady('sine', 1_046, 0.4, 0.4),
    ],
  },
  milestone: { seconds: 0.45, voices: [steady('sine', 587, 0, 0.4), steady('sine', 880, 0.2, 0.4)] },
  sugar: {
    seconds: 0.3,
    voices: [{ wave: 'sine', fromHz: 660, toHz: 1_760, start: 0, peak: 0.4 }, steady('square', 220, 0, 0.08)],
  },
  stuck: { seconds: 0.9, voices: [steady('triangle', 196, 0, 0.4), steady('triangle', 185, 0.25, 0.4)] },
  stale: { seconds: 0.6, voices: [steady('square', 440, 0, 0.1), steady('square', 330, 0.5, 0.1)] },
  rewind: {
    seconds: 0.5,
    voices: [
      { wave: 'triangle', fromHz: 1_320, toHz: 180, start: 0, peak: 0.4 },
      { wave: 'square', fromHz: 660, toHz: 120, start: 0.12, peak: 0.08 },
    ],
  },
  stinger: { seconds: 0.55, voices: [steady('triangle', 392, 0, 0.5), steady('triangle', 587, 0.18, 0.5)] },
};

const RATE_HZ = 48_000;
/** Linear attack, s: no click at the start. */
const ATTACK_SECONDS = 0.005;

/** Mono samples at 48 kHz, within [-1, 1], ending in silence. */
export function renderEffect(id: EffectId): Float32Array {
  const { seconds, voices } = EFFECTS[id];
  const frames = Math.round(seconds * RATE_HZ);
  const out = new Float32Array(frames);
  for (const voice of voices) {
    const first = Math.round(voice.start * frames);
    const length = frames - first;
    let phase = 0;
    for (let i = 0; i < length; i++) {
      const progress = i / length;
      const attack = Math.min(1, i / (ATTACK_SECONDS * RATE_HZ));
      out[first + i] = out[first + i]! + waveAt(voice.wave, phase) * voice.peak * attack * (1 - progress);
      phase += (voice.fromHz + (voice.toHz - voice.fromHz) * progress) / RATE_HZ;
      phase -= Math.floor(phase);
    }
  }
  for (let i = 0; i < frames; i++) out[i] = Math.max(-1, Math.min(1, out[i]!));
  return out;
}

/** @param phase 0..1 */
function waveAt(wave: Wave, phase: number): number {
  switch (wave) {
    case 'sine':
      return Math.sin(2 * Math.PI * phase);
    case 'square':
      return phase < 0.5 ? 1 : -1;
    case 'triangle':
      return 1 - 4 * Math.abs(((phase + 0.25) % 1) - 0.5);
  }
}
