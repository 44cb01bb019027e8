import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EFFECTS_GAIN, GAME_GAIN, MASTER_GAIN, createMixer } from '../../../broadcast/mix/mixer.ts';
import type { Mixer } from '../../../broadcast/mix/mixer.ts';

const GBA = { sampleRateHz: 32_768, channels: 2 };

test('a pull always gives exactly the frames asked for, with or without sound', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4_000 }), { maxLength: 20 }), (pulls) => {
      const mixer = createMixer([GBA]);
      mixer.push(0, tone(GBA.sampleRateHz, 2, 440, 0, 16_384), 0);
      for (const frames of pulls) expect(mixer.pull(frames).length).toBe(2 * frames);
    }),
    { numRuns: 50 },
  );
});

test('a 32,768 Hz tone keeps its pitch and gets the game and master gains (broadcast.md 59)', () => {
  const heard = play(GBA, 1_000, 4);
  const steady = heard.subarray(2 * 48_000, 2 * 4 * 48_000 - 2 * 24_000);
  const { amplitude, residual } = fitTone(steady, 1_000);
  expect(amplitude).toBeCloseTo(0.5 * MASTER_GAIN * GAME_GAIN, 2);
  expect(residual).toBeLessThan(0.01); // the rest: drift control may bend the pitch by 0.3 %
});

test.each([
  { sampleRateHz: 8_000, channels: 1 },
  { sampleRateHz: 44_100, channels: 2 },
  { sampleRateHz: 48_000, channels: 6 },
  { sampleRateHz: 192_000, channels: 8 },
])('a stream of $sampleRateHz Hz and $channels channels is heard (broadcast.md 62)', (format) => {
  const heard = play(format, 500, 2);
  expect(fitTone(heard.subarray(2 * 48_000, 2 * 84_000), 500).amplitude).toBeGreaterThan(0.15);
});

test.each([
  { sampleRateHz: 7_999, channels: 2 },
  { sampleRateHz: 192_001, channels: 2 },
  { sampleRateHz: 48_000, channels: 0 },
  { sampleRateHz: 48_000, channels: 9 },
])('a stream of $sampleRateHz Hz and $channels channels is refused (broadcast.md 62)', (format) => {
  expect(() => createMixer([format])).toThrow(expect.objectContaining({ code: 'AUDIO_FORMAT' }));
});

test('a source 0.2 % fast is held near 250 ms without a gap for five minutes (broadcast.md 57)', () => {
  const mixer = createMixer([GBA]);
  const fills = run(mixer, 300, 1.002);
  const settled = fills.slice(fills.length / 2);
  expect(mixer.stats().underruns).toBe(0);
  expect(mixer.stats().droppedMs).toBe(0);
  expect(Math.min(...settled)).toBeGreaterThan(120);
  expect(Math.max(...settled)).toBeLessThan(400);
});

test('media time follows the sample that leaves, within 1 ms of the truth', () => {
  const mixer = createMixer([GBA]);
  const start = 5_000;
  let pushed = 0;
  for (let frame = 0; frame < 300; frame++) {
    mixer.push(0, tone(GBA.sampleRateHz, 2, 440, pushed, 1_092), start + (pushed * 1_000) / GBA.sampleRateHz);
    pushed += 1_092;
    mixer.pull(1_600);
    const truth = start + (pushed * 1_000) / GBA.sampleRateHz - mixer.stats().fillMs;
    expect(Math.abs(mixer.mediaMs()! - truth)).toBeLessThan(1);
  }
});

test('media time is unknown before any sound and stands still while the world stands still', () => {
  const mixer = createMixer([GBA]);
  mixer.pull(1_600);
  expect(mixer.mediaMs()).toBeNull();
  mixer.push(0, new Float32Array(2 * 16_384), 1_000);
  for (let i = 0; i < 60; i++) mixer.pull(1_600);
  const held = mixer.mediaMs();
  for (let i = 0; i < 60; i++) mixer.pull(1_600);
  expect(mixer.mediaMs()).toBe(held);
  expect(mixer.stats().underruns).toBe(1);
});

test('an empty buffer gives silence, is counted once, and sound returns at 120 ms without a click (broadcast.md 57, 58)', () => {
  const mixer = createMixer([GBA]);
  let pushed = 0;
  const push = (frames: number): void => {
    mixer.push(0, tone(GBA.sampleRateHz, 2, 200, pushed, frames), (pushed * 1_000) / GBA.sampleRateHz);
    pushed += frames;
  };
  const heard: number[] = [];
  const pull = (): number => heard.push(...mixer.pull(1_600).filter((_, i) => i % 2 === 0));
  push(16_384);
  for (let i = 0; i < 30; i++) pull();
  expect(mixer.stats().underruns).toBe(1);
  expect(mixer.stats().silenceMs).toBeGreaterThan(300);
  push(3_277); // 100 ms: not enough
  pull();
  expect(heard.slice(-1_600).every((value) => Math.abs(value) < 1e-6)).toBe(true);
  push(1_311); // 140 ms
  pull();
  expect(mixer.stats().silenceMs).toBe(0);
  let step = 0;
  for (let i = 1; i < heard.length; i++) step = Math.max(step, Math.abs(heard[i]! - heard[i - 1]!));
  expect(step).toBeLessThan(0.03); // the tone's own steepest step is 0.009
});

test('more than twice the target is cut to the target and counted (broadcast.md 58)', () => {
  const mixer = createMixer([GBA]);
  mixer.push(0, new Float32Array(2 * Math.round(0.6 * GBA.sampleRateHz)), 0);
  expect(mixer.stats().fillMs).toBeCloseTo(250, 0);
  expect(mixer.stats().droppedMs).toBeCloseTo(350, 0);
  expect(mixer.mediaMs()).toBeCloseTo(350, 0);
});

test('a jump of the media time starts afresh, as a reset does (broadcast.md 61)', () => {
  for (const explicit of [false, true]) {
    const mixer = createMixer([GBA]);
    mixer.push(0, new Float32Array(2 * 9_830), 60_000);
    if (explicit) mixer.reset();
    mixer.push(0, new Float32Array(2 * 1_092), 20_000);
    expect(mixer.mediaMs()).toBe(20_000);
    expect(mixer.stats().fillMs).toBeCloseTo((1_092 * 1_000) / 32_768, 6);
  }
});

test('MED-04 the DC blocker goes on over a jump and a reset: a constant stays unheard (session.md 12.2)', () => {
  const mixer = createMixer([GBA]);
  const constant = new Float32Array(2 * 16_384).fill(0.5);
  let loudest = 0;
  const hear = (): void => {
    for (const value of mixer.pull(4_800)) loudest = Math.max(loudest, Math.abs(value));
  };
  mixer.push(0, constant, 0);
  for (let i = 0; i < 5; i++) mixer.pull(4_800);
  mixer.reset();
  mixer.push(0, constant, 60_000);
  for (let i = 0; i < 3; i++) hear();
  mixer.push(0, constant, 20_000);
  for (let i = 0; i < 3; i++) hear();
  expect(loudest).toBeLessThan(0.001);
});

test('an effect sounds at once at the effects gain, also with no stream at all', () => {
  const mixer = createMixer();
  mixer.playEffect('stinger');
  const heard = mixer.pull(4_800);
  expect(mixer.stats().peak).toBeGreaterThan(0.5 * MASTER_GAIN * EFFECTS_GAIN * 0.8);
  expect(mixer.stats().peak).toBeLessThanOrEqual(0.5 * MASTER_GAIN * EFFECTS_GAIN);
  expect(heard.some((value) => value !== 0)).toBe(true);
  mixer.pull(48_000);
  for (let i = 0; i < 20; i++) mixer.pull(48_000);
  expect(mixer.stats().rmsDb).toBe(-120);
  expect(mixer.stats().silenceMs).toBeGreaterThan(19_000);
});

test('another show brings its own streams and keeps the counters', () => {
  const mixer = createMixer([GBA]);
  mixer.push(0, new Float32Array(2 * 16_384), 0);
  for (let i = 0; i < 40; i++) mixer.pull(1_600);
  mixer.configure([{ sampleRateHz: 48_000, channels: 1 }]);
  expect(mixer.mediaMs()).toBeNull();
  expect(mixer.stats().underruns).toBe(1);
  mixer.configure([]);
  expect(() => mixer.push(0, new Float32Array(2), 0)).toThrow(expect.objectContaining({ code: 'AUDIO_STREAM' }));
});

function tone(rateHz: number, channels: number, hz: number, first: number, frames: number): Float32Array {
  const samples = new Float32Array(frames * channels);
  for (let i = 0; i < frames; i++) {
    const value = 0.5 * Math.sin((2 * Math.PI * hz * (first + i)) / rateHz);
    for (let channel = 0; channel < channels; channel++) samples[i * channels + channel] = value;
  }
  return samples;
}

/** Plays a tone through the mixer in steps of 1/30 s, one step ahead. */
function play(format: { sampleRateHz: number; channels: number }, hz: number, seconds: number): Float32Array {
  const mixer = createMixer([format]);
  const heard = new Float32Array(2 * 48_000 * seconds);
  let pushed = 0;
  const push = (untilSeconds: number): void => {
    const frames = Math.round(untilSeconds * format.sampleRateHz) - pushed;
    mixer.push(
      0,
      tone(format.sampleRateHz, format.channels, hz, pushed, frames),
      (pushed * 1_000) / format.sampleRateHz,
    );
    pushed += frames;
  };
  push(0.25);
  for (let i = 0; i < 30 * seconds; i++) {
    push(0.25 + (i + 1) / 30);
    heard.set(mixer.pull(1_600), i * 3_200);
  }
  return heard;
}

/** Runs for `seconds` with a source at `ratio` of its nominal speed; returns the fill levels. */
function run(mixer: Mixer, seconds: number, ratio: number): number[] {
  const fills: number[] = [];
  let pushed = 0;
  const chunk = new Float32Array(2 * 1_200);
  for (let frame = 0; frame < seconds * 30; frame++) {
    const until = Math.round(((frame + 8) / 30) * GBA.sampleRateHz * ratio);
    while (pushed < until) {
      const frames = Math.min(1_200, until - pushed);
      mixer.push(0, chunk.subarray(0, 2 * frames), (pushed * 1_000) / GBA.sampleRateHz);
      pushed += frames;
    }
    mixer.pull(1_600);
    fills.push(mixer.stats().fillMs);
  }
  return fills;
}

/** Least-squares amplitude of a tone near `hz` on the left channel, and the share of energy it leaves. */
function fitTone(interleaved: Float32Array, hz: number): { amplitude: number; residual: number } {
  let best = { amplitude: 0, residual: 1 };
  for (let bend = -0.003; bend <= 0.0031; bend += 0.0002) {
    let sine = 0;
    let cosine = 0;
    let energy = 0;
    const frames = Math.min(interleaved.length / 2, 9_600);
    for (let i = 0; i < frames; i++) {
      const value = interleaved[2 * i]!;
      const angle = (2 * Math.PI * hz * (1 + bend) * i) / 48_000;
      sine += value * Math.sin(angle);
      cosine += value * Math.cos(angle);
      energy += value * value;
    }
    const amplitude = (2 / frames) * Math.hypot(sine, cosine);
    const residual = 1 - (amplitude * amplitude * frames) / 2 / energy;
    if (residual < best.residual) best = { amplitude, residual };
  }
  return best;
}
