import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SEGMENT_INDEX, parseSegmentIndex } from '../../broadcast/outputs/segment-index.ts';
import { keyframeTimes, readMedia } from '../broadcast/program/read-media.ts';
import {
  childrenOf,
  controlUrl,
  readSummary,
  recordedSegments,
  scratchFolder,
  startFly,
  statusWhen,
  testHome,
} from '../fixture/fly-process.ts';
import type { FlyRun } from '../fixture/fly-process.ts';
import { createRtmpServer, freePort, missingRtmpServer } from './rtmp-server.ts';

let home: string;
const started: FlyRun[] = [];

beforeAll(async () => {
  home = await testHome('live');
});

afterAll(async () => {
  for (const run of started) run.child.kill('SIGKILL');
  await Promise.all(started.map((run) => run.exit));
});

function live(args: readonly string[], environment: Readonly<Record<string, string>> = {}): FlyRun {
  const run = startFly(['live', '--fresh', '--local', '--port', '0', ...args], { FLY_HOME: home, ...environment });
  started.push(run);
  return run;
}

/** When the newest state of this home was saved, from its event log. */
function lastSaveUnixMs(): number {
  const lines = readFileSync(join(home, 'logs', 'events.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const rows = lines.map((line) => JSON.parse(line) as { wallMs: number; checkpoint?: { reason: string } });
  const last = rows.findLast(({ checkpoint }) => checkpoint !== undefined)!;
  expect(last.checkpoint!.reason).toBe('shutdown');
  return last.wallMs;
}

test.skipIf(missingRtmpServer() !== null)(
  `a live run reaches a real RTMP server and the disk as H.264 and AAC with a keyframe every 2 s (${missingRtmpServer() ?? 'nginx-rtmp'})`,
  async () => {
    const server = await createRtmpServer();
    await server.start();
    const folder = scratchFolder();
    const summaryFile = join(folder, 'summary.json');
    const url = `rtmp://127.0.0.1:${server.port}/live/secretkey1234`;
    const run = live(['--for', '7s', '--rtmp', url, '--record', folder, '--summary', summaryFile]);
    expect(await run.exit).toEqual({ code: 0, signal: null });
    await server.stop();

    const summary = readSummary(summaryFile);
    expect(summary.transitions).toBe(Math.ceil(7_000 / 16.742706298828125));
    expect(summary.outputs.map(({ name, kind, droppedFrames }) => [name, kind, droppedFrames])).toEqual([
      ['rtmp', 'rtmp', 0],
      ['recording', 'recording', 0],
    ]);
    for (const output of summary.outputs) expect(output.firstPacketMs).toBeGreaterThan(0);

    for (const file of [...recordedSegments(folder), ...server.recordings()]) {
      const media = await readMedia(file);
      expect([media.videoCodec, media.audioCodec, media.widthPx, media.heightPx]).toEqual(['h264', 'aac', 1280, 720]);
      const gaps = media.video.slice(1).map((packet, i) => packet.dtsMs - media.video[i]!.dtsMs);
      const meanGap = gaps.reduce((a, b) => a + b, 0) / gaps.length;
      expect(meanGap).toBeCloseTo(1_000 / 30, 0);
      const keys = keyframeTimes(media);
      for (let i = 1; i < keys.length; i++) expect(Math.round(keys[i]! - keys[i - 1]!)).toBe(2_000);
      expect(differingPictures(media.pictures)).toBeGreaterThan(media.pictures.length / 2);
      expect(rms(media.sound.samples)).toBeGreaterThan(0.001);
    }
    const [recording] = await Promise.all(recordedSegments(folder).map(readMedia));
    const [segment] = parseSegmentIndex(readFileSync(join(folder, SEGMENT_INDEX), 'utf8'));
    const streamMs = ((recording!.pictures.length + summary.frames.lost) * 1_000) / 30;
    expect(segment!.startUnixMs + streamMs).toBeGreaterThan(lastSaveUnixMs() - 100); // to the end of the session
    expect(streamMs / 1_000).toBeLessThan(summary.wallSeconds + 5); // and not the wait for it
    expect(run.output()).not.toContain('secretkey');
    expect(run.output()).toContain('pushing to rtmp rtmp://127.0.0.1');
    await server.remove();
  },
  120_000,
);

test('the same seed behaves the same: drawn or not, recorded or not, throttled or not; another seed does not', async () => {
  const digests: string[] = [];
  const variants = [
    ['--no-picture', '--unthrottled', '--seed', '5'],
    ['--record', scratchFolder(), '--seed', '5'],
    ['--unthrottled', '--size', '1080p', '--seed', '5'],
    ['--no-picture', '--unthrottled', '--seed', '6'],
  ];
  for (const variant of variants) {
    const summaryFile = join(scratchFolder(), 'summary.json');
    const run = live(['--transitions', '150', '--summary', summaryFile, ...variant]);
    expect((await run.exit).code).toBe(0);
    digests.push(readSummary(summaryFile).behaviourDigest);
  }
  expect(digests[1]).toBe(digests[0]);
  expect(digests[2]).toBe(digests[0]);
  expect(digests[3]).not.toBe(digests[0]);
}, 180_000);

test('a killed stage costs the session nothing and comes back by itself', async () => {
  const run = live(['--record', scratchFolder()]);
  const url = await controlUrl(run);
  const before = await statusWhen(url, (status) => status.stage.state === 'drawing' && Number(status.step) > 30);
  const [stage] = childrenOf(run.child.pid!, 'fly-stage');
  process.kill(stage!, 'SIGKILL');
  await run.printed('the stage ended (SIGKILL)');
  const after = await statusWhen(
    url,
    (status) => status.stage.state === 'drawing' && status.outputs.some((output) => output.state === 'active'),
  );
  expect(after.status).toBe('running');
  expect(Number(after.step)).toBeGreaterThan(Number(before.step));
  expect(childrenOf(run.child.pid!, 'fly-stage')).not.toContain(stage);
  run.child.kill('SIGINT');
  expect((await run.exit).code).toBe(130);
  expect(run.output()).not.toContain('failed at step');
}, 120_000);

test('a killed emulator is named, and the group continues from its last capture', async () => {
  const run = live(['--no-picture']);
  const url = await controlUrl(run);
  await statusWhen(url, (status) => Number(status.step) > 310);
  const [emulator] = childrenOf(run.child.pid!, 'fly-emulator-gameboy');
  process.kill(emulator!, 'SIGSEGV');
  await run.printed(/session: failed at step \d+: ENVIRONMENT_DEAD.*SIGSEGV/);
  await run.printed(/session: continued from step \d+ \(epoch e2\)/);
  await statusWhen(url, (status) => status.status === 'running' && Number(status.step) > 330);
  run.child.kill('SIGINT');
  expect((await run.exit).code).toBe(130);
}, 120_000);

test('Ctrl-C ends the run with code 130 and a recording that plays to its end', async () => {
  const folder = scratchFolder();
  const run = live(['--record', folder]);
  const url = await controlUrl(run);
  await statusWhen(url, (status) => status.outputs.some((output) => output.bytes > 500_000));
  run.child.kill('SIGINT');
  expect(await run.exit).toEqual({ code: 130, signal: null });
  const media = await readMedia(recordedSegments(folder)[0]!);
  expect(media.pictures.length).toBeGreaterThan(30);
  expect(childrenOf(run.child.pid!, 'fly-')).toEqual([]);
}, 120_000);

test('an unreachable RTMP server is retried for ever and costs the recording nothing', async () => {
  const folder = scratchFolder();
  const run = live(['--rtmp', `rtmp://127.0.0.1:${await freePort()}/live/key`, '--record', folder]);
  const url = await controlUrl(run);
  const status = await statusWhen(
    url,
    ({ outputs }) =>
      outputs.some((output) => output.kind === 'rtmp' && output.reconnects >= 1) &&
      outputs.some((output) => output.kind === 'recording' && output.bytes > 500_000),
  );
  expect(status.alarms.map((alarm) => alarm.code)).toContain('OUTPUT_RETRYING');
  expect(status.outputs.find((output) => output.kind === 'recording')!.droppedFrames).toBe(0);
  run.child.kill('SIGINT');
  await run.exit;
}, 120_000);

test('a recording folder that cannot be made raises an alarm and the show goes on', async () => {
  const file = join(scratchFolder(), 'not-a-folder');
  writeFileSync(file, '');
  const run = live(['--record', file]);
  const url = await controlUrl(run);
  const status = await statusWhen(url, ({ alarms }) => alarms.some((alarm) => alarm.code === 'OUTPUT_FAILED'));
  expect(status.status).toBe('running');
  await statusWhen(url, (later) => Number(later.step) > Number(status.step) + 30);
  run.child.kill('SIGINT');
  await run.exit;
}, 120_000);

test('an operator takes another show and comes back: one unbroken recording, and the first show goes on where it was sealed', async () => {
  const folder = scratchFolder();
  const summaryFile = join(folder, 'summary.json');
  const run = live(['--record', folder, '--summary', summaryFile]);
  const url = await controlUrl(run);
  const take = (id: string): Promise<Response> => post(url, 'show', { id, by: 'operator' });
  await statusWhen(url, (status) => status.showId === 'windfall' && Number(status.step) > 60);
  expect((await take('two-fly')).status).toBe(202);
  const match = await statusWhen(url, (status) => status.showId === 'two-fly' && Number(status.step) > 30);
  expect(match.agents.map(({ agentId }) => agentId)).toEqual(['fly-a', 'fly-b']);
  expect((await take('two-fly')).status).toBe(409);
  expect((await take('nothing')).status).toBe(404);
  expect((await take('windfall')).status).toBe(202);
  await statusWhen(
    url,
    (status) => status.showId === 'windfall' && status.swap === null && status.status === 'running',
  );
  const sealedAt = Number((await run.printed(/windfall sealed at step (\d+)/))[1]);
  await statusWhen(url, (status) => Number(status.step) > sealedAt + 30);
  run.child.kill('SIGINT');
  expect((await run.exit).code).toBe(130);
  const summary = readSummary(summaryFile);
  expect(summary.earlier.map(({ show }) => show)).toEqual(['windfall', 'two-fly']);
  expect(summary.resumedFrom).toMatchObject({ boundary: String(sealedAt) });
  const segments = recordedSegments(folder);
  expect(segments).toHaveLength(1);
  const media = await readMedia(segments[0]!);
  const gaps = media.video.slice(1).map((packet, i) => packet.dtsMs - media.video[i]!.dtsMs);
  expect(Math.max(...gaps)).toBeLessThan(40);
}, 200_000);

test('a show that cannot start after the swap leaves the one before on air', async () => {
  const shows = join(home, 'shows');
  mkdirSync(shows, { recursive: true });
  const file = join(shows, 'broken-cartridge.toml');
  writeFileSync(
    file,
    readFileSync('config/shows/windfall.toml', 'utf8')
      .replace('id = "windfall"', 'id = "broken-cartridge"')
      .replace(/content = .*/, 'content = "package.json"'),
  );
  try {
    const run = live(['--no-picture']);
    const url = await controlUrl(run);
    await statusWhen(url, (status) => Number(status.step) > 30);
    expect((await post(url, 'show', { id: 'broken-cartridge', by: 'operator' })).status).toBe(202);
    await run.printed(/ALARM broken-cartridge cannot start: ROM_\w+.*windfall goes on/);
    const status = await statusWhen(url, (later) => later.showId === 'windfall' && later.status === 'running');
    expect(status.alarms.map(({ code }) => code)).toContain('SHOW_FAILED');
    run.child.kill('SIGINT');
    await run.exit;
  } finally {
    rmSync(file);
  }
}, 120_000);

test('the page of a live run shows it and its stop button ends it', async () => {
  const run = live(['--no-picture']);
  const url = await controlUrl(run);
  await statusWhen(url, (status) => status.status === 'running');
  expect(await (await fetch(url)).text()).toContain('<html');
  const stop = await post(url, 'stop', { by: 'operator' });
  expect(stop.status).toBe(202);
  expect((await run.exit).code).toBe(0);
  expect(run.output()).toContain('ended (stopped by operator)');
}, 120_000);

function post(url: string, path: string, body: object): Promise<Response> {
  return fetch(new URL(path, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

function differingPictures(pictures: readonly { readonly luma: number }[]): number {
  let differing = 0;
  for (let i = 1; i < pictures.length; i++) if (pictures[i]!.luma !== pictures[i - 1]!.luma) differing += 1;
  return differing;
}

function rms(samples: Float32Array): number {
  let squares = 0;
  for (const sample of samples) squares += sample * sample;
  return Math.sqrt(squares / samples.length);
}
