import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../engine/clock.ts';
import type { Candidate } from '../../../broadcast/encode/open-encoder.ts';
import { x264 } from '../../../broadcast/encode/x264.ts';
import { createProgram } from '../../../broadcast/program.ts';
import type { Media } from './read-media.ts';
import { beepTimes, flashTimes, keyframeTimes, readMedia } from './read-media.ts';
import { HEIGHT, WIDTH, sendCalmly, startTestProgram } from './test-signal.ts';

let folder = '';
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fly-program-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

test('rule 1, 3, 33: 30 fps H.264 High with B-frames, a keyframe every 2.000 s, AAC 48 kHz, every frame once', async () => {
  const test = await startTestProgram({ x264Preset: 'veryfast' });
  record(test.program);
  await sendCalmly(test, 250);
  await test.program.close();
  const media = await recorded();
  expect([media.videoCodec, media.audioCodec, media.audioRateHz]).toEqual(['h264', 'aac', 48_000]);
  expect(media.pictures.length).toBe(250);
  for (let i = 1; i < media.pictures.length; i++) {
    expect(Math.abs(media.pictures[i]!.ptsMs - media.pictures[i - 1]!.ptsMs - 1_000 / 30)).toBeLessThan(0.05);
  }
  const keys = keyframeTimes(media);
  expect(keys.length).toBe(5);
  for (let i = 1; i < keys.length; i++) expect(keys[i]! - keys[i - 1]!).toBeCloseTo(2_000, 5);
  expect(media.video.some((packet) => packet.ptsMs - packet.dtsMs > 34)).toBe(true); // reordered: B-frames
});

test('a recording that begins between two keyframes holds the pictures since the one before', async () => {
  const test = await startTestProgram();
  await sendCalmly(test, 100);
  record(test.program);
  await sendCalmly(test, 50);
  await test.program.close();
  const media = await recorded();
  expect(media.pictures.length).toBe(90); // frames 60 to 149
  expect(media.video[0]!.keyframe).toBe(true);
  const flashes = flashTimes(media);
  expect(flashes.map((flash) => Math.round(flash - media.pictures[0]!.ptsMs))).toEqual([0, 1_000, 2_000]);
  expect(Math.abs(beepTimes(media)[0]! - flashes[0]!)).toBeLessThan(50);
});

test('rule 65: flash and beep stay within 50 ms of each other', async () => {
  const test = await startTestProgram();
  record(test.program);
  await sendCalmly(test, 300);
  await test.program.close();
  const media = await recorded();
  const beeps = beepTimes(media);
  const flashes = flashTimes(media).slice(1);
  expect(flashes.length).toBe(9);
  for (const flash of flashes) {
    expect(Math.min(...beeps.map((beep) => Math.abs(beep - flash)))).toBeLessThan(25);
  }
});

test('colours are BT.709 limited range: pure red, white and black come back as 63, 235 and 16', async () => {
  const program = await small();
  record(program);
  const rgba = new Uint8Array(WIDTH * HEIGHT * 4);
  for (const colour of [
    [255, 0, 0],
    [255, 255, 255],
    [0, 0, 0],
  ] as const) {
    for (let i = 0; i < rgba.length; i += 4) rgba.set([...colour, 255], i);
    for (let frame = 0; frame < 30; frame++) await program.video(rgba);
  }
  await program.close();
  const { pictures } = await recorded();
  const at = (frame: number): readonly number[] => pictures[frame]!.middle;
  near(at(20), [63, 102, 240]); // ITU-R BT.709: Y 16 + 219 x 0.2126
  near(at(50), [235, 128, 128]);
  near(at(80), [16, 128, 128]);
});

test('rule 2, 17: a still picture is padded to the full rate', async () => {
  const program = await small({ videoKbps: 1_000 });
  const rgba = new Uint8Array(WIDTH * HEIGHT * 4).fill(90);
  for (let frame = 0; frame < 240; frame++) await program.video(rgba);
  expect(program.stats().videoKbps).toBeGreaterThan(900);
  expect(program.stats().videoKbps).toBeLessThan(1_100);
  expect(program.stats().changedFrames).toBe(1);
  await program.close();
});

test('pictures without sound get silence, and it is counted', async () => {
  const program = await small();
  record(program);
  for (let frame = 0; frame < 90; frame++) await program.video(new Uint8Array(WIDTH * HEIGHT * 4).fill(frame));
  expect(program.stats().audioPaddedMs).toBeGreaterThan(2_400);
  await program.close();
  expect((await recorded()).sound.samples.every((value) => Math.abs(value) < 1e-3)).toBe(true);
});

test('rule 26, 29, 150: NVENC that dies young gives way to x264 once; recordings go on with new headers', async () => {
  const events: string[] = [];
  const program = await small({
    encoder: 'auto',
    devices: { candidates: [dyingNvenc(40), x264] },
    onEvent: (event) => events.push(event.kind === 'encoder-opened' ? `opened ${event.backend}` : event.kind),
  });
  record(program);
  const rgba = new Uint8Array(WIDTH * HEIGHT * 4);
  for (let frame = 0; frame < 120; frame++) {
    rgba.fill(frame * 2);
    await program.video(rgba);
  }
  expect(program.stats().backend).toBe('x264');
  expect(program.stats().fallbacks).toBe(1);
  expect(events.filter((kind) => kind.startsWith('opened'))).toEqual(['opened nvenc', 'opened x264']);
  await program.close();
  const files = segments();
  expect(files.length).toBe(2);
  expect((await readMedia(files.at(-1))).pictures.length).toBeGreaterThanOrEqual(79);
});

test('rule 28: a show that insists on NVENC is told, and gets no software stream', async () => {
  const program = await small({ encoder: 'nvenc', devices: { candidates: [dyingNvenc(3), x264] } });
  const rgba = new Uint8Array(WIDTH * HEIGHT * 4);
  await expect(
    (async () => {
      for (let frame = 0; frame < 10; frame++) await program.video(rgba);
    })(),
  ).rejects.toMatchObject({ code: 'ENCODER_FAILED' });
  expect(program.stats().fallbacks).toBe(0);
  await program.close();
});

test('a picture of the wrong size is our bug and says so', async () => {
  const program = await small();
  await expect(program.video(new Uint8Array(16))).rejects.toMatchObject({ code: 'ENCODER_PICTURE' });
  await program.close();
});

test('outputs come and go while the others run', async () => {
  const test = await startTestProgram();
  const staying = record(test.program);
  await sendCalmly(test, 70);
  const leaving = test.program.addOutput({
    kind: 'preview',
    name: 'p',
    onInit: () => undefined,
    onFragment: () => undefined,
  });
  await sendCalmly(test, 130);
  expect(test.program.stats().outputs.map((output) => output.state)).toEqual(['active', 'active']);
  await test.program.removeOutput(leaving.id);
  await test.program.removeOutput('output-99');
  await sendCalmly(test, 10);
  expect(leaving.stats().state).toBe('closed');
  expect(test.program.stats().outputs.map((output) => output.id)).toEqual([staying.id]);
  await test.program.close();
  expect((await recorded()).pictures.length).toBe(210);
});

test('an uplink address without a key is refused before anything is opened', async () => {
  const program = await small();
  expect(() => program.addOutput({ kind: 'rtmp', name: 'x', url: 'rtmp://host/app/' })).toThrow(
    expect.objectContaining({ code: 'RTMP_URL' }),
  );
  await program.close();
});

function small(overrides: Partial<Parameters<typeof createProgram>[0]> = {}): ReturnType<typeof createProgram> {
  return createProgram({
    widthPx: WIDTH,
    heightPx: HEIGHT,
    fps: 30,
    videoKbps: 400,
    audioKbps: 96,
    encoder: 'x264',
    x264Preset: 'ultrafast',
    clock: systemClock,
    onEvent: () => undefined,
    ...overrides,
  });
}

function record(program: Awaited<ReturnType<typeof small>>): ReturnType<typeof program.addOutput> {
  return program.addOutput({ kind: 'recording', name: 'disk', folder });
}

function segments(): string[] {
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(folder, name))
    .sort((a, b) => fs.statSync(a).mtimeMs - fs.statSync(b).mtimeMs);
}

async function recorded(): Promise<Media> {
  const files = segments();
  expect(files.length).toBe(1);
  return readMedia(files[0]!);
}

function near(actual: readonly number[], wanted: readonly number[]): void {
  actual.forEach((value, i) =>
    expect(Math.abs(value - wanted[i]!), `${actual.join()} against ${wanted.join()}`).toBeLessThanOrEqual(2),
  );
}

/** x264 under NVENC's name whose session is lost after `pictures` pictures. */
function dyingNvenc(pictures: number): Candidate {
  return {
    name: 'nvenc',
    async open(options) {
      const opened = await x264.open(options);
      if (opened.kind === 'refused') return opened;
      const { context } = opened.codec;
      const send = context.sendFrame.bind(context);
      let sent = 0;
      context.sendFrame = (frame) => (sent++ < pictures ? send(frame) : Promise.resolve(-542_398_533));
      return { kind: 'open', codec: { ...opened.codec, name: 'nvenc' } };
    },
  };
}
