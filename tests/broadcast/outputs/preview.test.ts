import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { mimeTypeOf } from '../../../broadcast/outputs/mime-type.ts';
import { beepTimes, flashTimes, readMedia } from '../program/read-media.ts';
import { sendCalmly, startTestProgram } from '../program/test-signal.ts';

type Fragment = { readonly bytes: Uint8Array; readonly keyframe: boolean };

test('a browser gets one init segment and half-second fragments, the first and every fourth with a keyframe', async () => {
  const { inits, fragments } = await preview(240);
  expect(inits.length).toBe(1);
  expect(boxes(inits[0]!.bytes)).toEqual(['ftyp', 'moov']);
  expect(inits[0]!.mimeType).toBe('video/mp4; codecs="avc1.640029, mp4a.40.2"'); // High, level 4.1
  for (const fragment of fragments) expect(boxes(fragment.bytes)).toEqual(['moof', 'mdat']);
  expect(fragments.map((fragment) => fragment.keyframe)).toEqual(
    Array.from({ length: fragments.length }, (_, i) => i % 4 === 0),
  );
  expect(fragments.length).toBe(16);
});

test('the joined fragments play: 30 fps from the first frame on, sound in step', async () => {
  const { inits, fragments } = await preview(180);
  const media = await readBytes([inits[0]!.bytes, ...fragments.map((fragment) => fragment.bytes)]);
  expect(media.pictures.length).toBe(180);
  for (let i = 1; i < media.pictures.length; i++) {
    expect(Math.abs(media.pictures[i]!.ptsMs - media.pictures[i - 1]!.ptsMs - 1_000 / 30)).toBeLessThan(0.5);
  }
  const beeps = beepTimes(media);
  for (const flash of flashTimes(media).slice(1)) {
    expect(Math.min(...beeps.map((beep) => Math.abs(beep - flash)))).toBeLessThan(50);
  }
});

test('a viewer who comes late starts at any keyframe fragment', async () => {
  const { inits, fragments } = await preview(240);
  const media = await readBytes([inits[0]!.bytes, ...fragments.slice(4).map((fragment) => fragment.bytes)]);
  expect(media.video[0]!.keyframe).toBe(true);
  expect(media.pictures.length).toBe(180);
});

test('the codec string is read from the sequence parameters', () => {
  expect(mimeTypeOf(Uint8Array.of(0, 0, 0, 1, 0x67, 0x4d, 0x40, 0x1f, 0xec))).toBe(
    'video/mp4; codecs="avc1.4d401f, mp4a.40.2"',
  );
  expect(mimeTypeOf(Uint8Array.of(0, 0, 0, 1, 0x68, 1, 2, 3))).toBeNull();
});

async function preview(frames: number): Promise<{
  inits: { bytes: Uint8Array; mimeType: string }[];
  fragments: Fragment[];
}> {
  const inits: { bytes: Uint8Array; mimeType: string }[] = [];
  const fragments: Fragment[] = [];
  const test = await startTestProgram({ x264Preset: 'veryfast' });
  test.program.addOutput({
    kind: 'preview',
    name: 'console',
    onInit: (bytes, mimeType) => inits.push({ bytes, mimeType }),
    onFragment: (bytes, keyframe) => fragments.push({ bytes, keyframe }),
  });
  await sendCalmly(test, frames);
  await test.program.close();
  return { inits, fragments };
}

async function readBytes(parts: readonly Uint8Array[]): ReturnType<typeof readMedia> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fly-preview-'));
  const file = path.join(folder, 'preview.mp4');
  fs.writeFileSync(file, Buffer.concat(parts));
  try {
    return await readMedia(file);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** Names of the top-level boxes. */
function boxes(bytes: Uint8Array): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const names: string[] = [];
  for (let at = 0; at < bytes.length; at += view.getUint32(at)) {
    names.push(String.fromCharCode(...bytes.subarray(at + 4, at + 8)));
  }
  return names;
}
