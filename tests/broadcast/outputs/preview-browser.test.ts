import fs from 'node:fs';
import puppeteer from 'puppeteer-core';
import { expect, test } from 'vitest';
import { sendCalmly, startTestProgram } from '../program/test-signal.ts';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) =>
  fs.existsSync(file),
);
const reason = CHROMIUM === undefined ? ' (skipped: Chromium is not installed)' : '';

test.skipIf(CHROMIUM === undefined)(
  `a real browser plays the preview from a late keyframe${reason}`,
  async () => {
    const test = await startTestProgram({ x264Preset: 'superfast' });
    let init = '';
    let mimeType = '';
    const fragments: { data: string; keyframe: boolean }[] = [];
    test.program.addOutput({
      kind: 'preview',
      name: 'console',
      onInit: (bytes, mime) => {
        init = Buffer.from(bytes).toString('base64');
        mimeType = mime;
      },
      onFragment: (bytes, keyframe) => fragments.push({ data: Buffer.from(bytes).toString('base64'), keyframe }),
    });
    await sendCalmly(test, 240);
    await test.program.close();
    const late = fragments.slice(fragments.findIndex((fragment, i) => i > 0 && fragment.keyframe));
    const browser = await puppeteer.launch({
      executablePath: CHROMIUM!,
      args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', '--mute-audio'],
    });
    try {
      const page = await browser.newPage();
      const seen = await page.evaluate(playInPage, mimeType, [init, ...late.map((fragment) => fragment.data)]);
      expect(seen).toEqual({ supported: true, error: null, widthPx: 320, heightPx: 180, ranges: 1, moved: true });
    } finally {
      await browser.close();
    }
  },
  30_000,
);

type Seen = {
  supported: boolean;
  error: string | null;
  widthPx: number;
  heightPx: number;
  ranges: number;
  moved: boolean;
};

/** Runs in the page: appends every part, plays half a second, tells what the player found. */
async function playInPage(mimeType: string, parts: string[]): Promise<Seen> {
  const page = globalThis as unknown as {
    MediaSource: (new () => EventTarget & { addSourceBuffer(type: string): SourceBufferLike }) & {
      isTypeSupported(type: string): boolean;
    };
    document: { createElement(name: 'video'): VideoLike; body: { append(node: VideoLike): void } };
  };
  type SourceBufferLike = EventTarget & { appendBuffer(data: Uint8Array): void };
  type VideoLike = EventTarget & {
    src: string;
    muted: boolean;
    currentTime: number;
    videoWidth: number;
    videoHeight: number;
    error: { message: string } | null;
    buffered: { length: number; start(i: number): number };
    play(): Promise<void>;
  };
  const once = (target: EventTarget, name: string): Promise<unknown> =>
    new Promise((resolve) => target.addEventListener(name, resolve, { once: true }));
  const source = new page.MediaSource();
  const video = page.document.createElement('video');
  page.document.body.append(video);
  video.muted = true;
  const open = once(source, 'sourceopen');
  video.src = URL.createObjectURL(source as unknown as Blob);
  await open;
  const buffer = source.addSourceBuffer(mimeType);
  for (const part of parts) {
    const done = once(buffer, 'updateend');
    buffer.appendBuffer(Uint8Array.from(atob(part), (letter) => letter.charCodeAt(0)));
    await done;
  }
  const start = video.buffered.length > 0 ? video.buffered.start(0) : 0;
  video.currentTime = start;
  await video.play();
  while (video.error === null && video.currentTime < start + 0.5) await once(video, 'timeupdate');
  return {
    supported: page.MediaSource.isTypeSupported(mimeType),
    error: video.error?.message ?? null,
    widthPx: video.videoWidth,
    heightPx: video.videoHeight,
    ranges: video.buffered.length,
    moved: video.currentTime > start,
  };
}
