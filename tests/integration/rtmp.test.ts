import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../engine/clock.ts';
import type { Clock } from '../../engine/clock.ts';
import type { OutputStats } from '../../broadcast/outputs/output.ts';
import { beepTimes, flashTimes, keyframeTimes, readMedia } from '../broadcast/program/read-media.ts';
import type { TestProgram } from '../broadcast/program/test-signal.ts';
import { fastClock, sendCalmly, sendUntil, startTestProgram } from '../broadcast/program/test-signal.ts';
import type { RtmpServer } from './rtmp-server.ts';
import { createPipe, createRtmpServer, freePort, missingRtmpServer, readConnect } from './rtmp-server.ts';

const KEY = 'sk_9f3c77aa1b_secret';
const missing = missingRtmpServer();

let programs: TestProgram[] = [];
let folders: string[] = [];

afterEach(async () => {
  for (const { program } of programs) await program.close();
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
  programs = [];
  folders = [];
});

describe.skipIf(missing !== null)(`a real nginx-rtmp${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let server: RtmpServer;

  beforeEach(async () => {
    server = await createRtmpServer();
    await server.start();
    return () => server.remove();
  });

  test('rule 148: it receives H.264 and AAC, 30 fps, a keyframe every 2.000 s, flash and beep within 50 ms', async () => {
    const test = await start({ clock: systemClock });
    const stats = uplink(test, `rtmp://127.0.0.1:${server.port}/live/${KEY}?bandwidthtest=true`);
    await sendUntil(test, () => stats().state === 'active');
    await sendCalmly(test, 300);
    await test.program.close();
    await server.stop();
    const [file] = server.recordings();
    const media = await readMedia(file!);
    expect([media.videoCodec, media.audioCodec]).toEqual(['h264', 'aac']);
    expect([media.widthPx, media.heightPx, media.audioRateHz]).toEqual([320, 180, 48_000]);
    expect(media.video.length).toBeGreaterThan(240);
    expect(media.video[0]!.keyframe).toBe(true);
    const keys = keyframeTimes(media);
    expect(keys.length).toBeGreaterThan(4);
    for (let i = 1; i < keys.length; i++) expect(keys[i]! - keys[i - 1]!).toBe(2_000);
    const shown = media.pictures.map((picture) => picture.ptsMs);
    for (let i = 1; i < shown.length; i++) expect(Math.abs(shown[i]! - shown[i - 1]! - 1_000 / 30)).toBeLessThan(1);
    const flashes = flashTimes(media);
    const beeps = beepTimes(media);
    expect(flashes.length).toBeGreaterThan(6);
    for (const flash of flashes.slice(1, -1)) {
      expect(Math.min(...beeps.map((beep) => Math.abs(beep - flash)))).toBeLessThan(50);
    }
    expect(stats().droppedFrames).toBe(0);
    expect(stats().bytes).toBeGreaterThan(100_000);
    expectNoKey(test);
  });

  test('the program is closed only when an ingest that reads late has the last picture', async () => {
    const pipe = await createPipe(server.port);
    const test = await start({ clock: systemClock });
    const recording = record(test);
    const stats = uplink(test, `rtmp://127.0.0.1:${pipe.port}/live/${KEY}`);
    await sendUntil(test, () => stats().state === 'active');
    pipe.pause();
    await sendCalmly(test, 60);
    let isClosed = false;
    const closing = test.program.close().then(() => {
      isClosed = true;
    });
    while (recording().state !== 'closed') await new Promise((resolve) => setTimeout(resolve, 1));
    expect(isClosed).toBe(false);
    pipe.resume();
    await closing;
    await server.stop();
    const disk = await readMedia(path.join(recording().target, onlySegment(recording().target)));
    const received = await readMedia(server.recordings()[0]!);
    const kept = disk.pictures.slice(-60).map(({ luma }) => Math.round(luma));
    expect(received.pictures.slice(-60).map(({ luma }) => Math.round(luma))).toEqual(kept);
    expect(stats().droppedFrames).toBe(0);
    await pipe.close();
  });

  test('a server that restarts gets the stream again from a keyframe with fresh headers', async () => {
    const test = await start();
    const stats = uplink(test, `rtmp://127.0.0.1:${server.port}/live/${KEY}`);
    await sendUntil(test, () => stats().state === 'active');
    await sendCalmly(test, 90);
    await server.stop();
    await sendUntil(test, () => stats().state === 'retrying');
    await server.start();
    await sendUntil(test, () => stats().state === 'active');
    await sendCalmly(test, 90);
    await test.program.close();
    await server.stop();
    const second = await readMedia(server.recordings().at(-1));
    expect(server.recordings().length).toBe(2);
    expect(second.video[0]!.keyframe).toBe(true);
    expect(second.pictures.length).toBeGreaterThan(60);
    expect(second.video[0]!.dtsMs).toBeLessThan(100);
    expect(stats().reconnects).toBeGreaterThan(0);
    expectNoKey(test);
  });

  test('an ingest that refuses to publish is asked again and disturbs nothing else', async () => {
    const test = await start();
    const recording = record(test);
    const stats = uplink(test, `rtmp://127.0.0.1:${server.port}/closed/${KEY}`);
    await sendUntil(test, () => stats().reconnects >= 2);
    expect(stats().lastError).toMatch(/UPLINK_/);
    expect(stats().target).toBe(`rtmp://127.0.0.1:${server.port}/closed/<key>`);
    expect(recording().state).toBe('active');
    expect(recording().droppedFrames).toBe(0);
    expectNoKey(test);
  });

  test('rule 44, 149: an ingest that stops reading is cut and retried; the recording loses nothing', async () => {
    const pipe = await createPipe(server.port);
    const test = await start({ videoKbps: 12_000 });
    const recording = record(test);
    const stats = uplink(test, `rtmp://127.0.0.1:${pipe.port}/live/${KEY}`);
    await sendUntil(test, () => stats().state === 'active');
    pipe.pause();
    for (let i = 0; i < 100 && stats().reconnects === 0; i++) await sendPaced(test, 30);
    expect(stats().reconnects).toBeGreaterThan(0);
    pipe.resume();
    await sendUntil(test, () => stats().state === 'active');
    expect(stats().droppedFrames).toBeGreaterThan(0);
    expect(recording().droppedFrames).toBe(0);
    const sent = test.sent();
    await test.program.close();
    const media = await readMedia(path.join(recording().target, onlySegment(recording().target)));
    expect(media.video.length).toBe(sent);
    expectNoKey(test);
    await pipe.close();
  });
});

test('a server that accepts and then says nothing is given up after 10 s and asked again', async () => {
  const sockets: net.Socket[] = [];
  const server = net.createServer((socket) => sockets.push(socket.on('error', () => socket.destroy())));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const test = await start();
  const recording = record(test);
  const { port } = server.address() as net.AddressInfo;
  const stats = uplink(test, `rtmp://127.0.0.1:${port}/live/${KEY}`);
  await sendUntil(test, () => stats().reconnects >= 1, 20_000);
  expect(stats().lastError).toContain('did not answer in time');
  expect(recording().droppedFrames).toBe(0);
  expectNoKey(test);
  await test.program.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('five silent ingests at once leave the encoder and the disk their threads', async () => {
  const sockets: net.Socket[] = [];
  const server = net.createServer((socket) => sockets.push(socket.on('error', () => socket.destroy())));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  const test = await startTestProgram();
  programs.push(test);
  const recording = record(test);
  const silent = Array.from({ length: 5 }, () => uplink(test, `rtmp://127.0.0.1:${port}/live/${KEY}`));
  await sendUntil(test, () => sockets.length === 5);
  await sendPaced(test, 120);
  await sendUntil(test, () => recording().state === 'active');
  expect(silent.map((stats) => stats().reconnects)).toEqual([0, 0, 0, 0, 0]); // all of it before the first gave up
  await test.program.close();
  expect(recording().droppedFrames).toBe(0);
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('the ingest is told the address the operator wrote, not the relay in between', async () => {
  const { port, command } = await readConnect();
  const test = await start();
  uplink(test, `rtmp://localhost:${port}/live/${KEY}`);
  const text = (await command).toString('latin1');
  expect(text).toContain(
    `tcUrl\x02\x00${String.fromCharCode(`rtmp://localhost:${port}/live`.length)}rtmp://localhost:${port}/live\x00`,
  );
  expect(text).toContain('connect');
  expect(text).not.toContain('127.0.0.1');
  expect(text).not.toContain(KEY);
});

test('a refused connection and an unknown host are named and retried for ever', async () => {
  const test = await start();
  const port = await freePort();
  const refused = uplink(test, `rtmp://127.0.0.1:${port}/live/${KEY}`);
  const unknown = uplink(test, `rtmps://ingest.invalid/live/${KEY}`);
  await sendUntil(test, () => refused().reconnects >= 3 && unknown().reconnects >= 2, 20_000);
  expect(refused().lastError).toContain('connection refused');
  expect(unknown().lastError).toMatch(/unknown host/);
  expect(unknown().target).toBe('rtmps://ingest.invalid/live/<key>');
  expectNoKey(test);
});

async function start(overrides: { videoKbps?: number; clock?: Clock } = {}): Promise<TestProgram> {
  const test = await startTestProgram({ clock: fastClock(20), ...overrides });
  programs.push(test);
  return test;
}

function uplink(test: TestProgram, url: string): () => OutputStats {
  const output = test.program.addOutput({ kind: 'rtmp', name: 'twitch', url });
  return () => output.stats();
}

function record(test: TestProgram): () => OutputStats {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fly-record-'));
  folders.push(folder);
  const output = test.program.addOutput({ kind: 'recording', name: 'disk', folder });
  return () => output.stats();
}

function onlySegment(folder: string): string {
  const files = fs.readdirSync(folder).filter((name) => name.endsWith('.ts'));
  expect(files.length).toBe(1);
  return files[0]!;
}

/** Frames at most as fast as the recording takes them, whatever the uplink does. */
async function sendPaced(test: TestProgram, frames: number): Promise<void> {
  for (let i = 0; i < frames; i++) {
    await test.send(1);
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
  }
}

function expectNoKey(test: TestProgram): void {
  const told = JSON.stringify([test.events, test.program.stats()]);
  expect(told).not.toContain(KEY.slice(0, 8));
}
