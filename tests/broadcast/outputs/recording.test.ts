import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../../engine/clock.ts';
import { systemClock } from '../../../engine/clock.ts';
import { RECORDING_RETRY_MS } from '../../../broadcast/outputs/recording.ts';
import { SEGMENT_INDEX, parseSegmentIndex } from '../../../broadcast/outputs/segment-index.ts';
import { beepTimes, flashTimes, keyframeTimes, readMedia } from '../program/read-media.ts';
import type { TestProgram } from '../program/test-signal.ts';
import { sendCalmly, startTestProgram } from '../program/test-signal.ts';

const START_UNIX_MS = Date.UTC(2026, 0, 2, 3, 4, 5);

let folder = '';
let clock: Clock & { skewMs: number };

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fly-recording-'));
  clock = skewedClock();
});

afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

test('segments are cut at keyframes, named by UTC, restart at zero and lose no frame (broadcast.md 67, 69)', async () => {
  const test = await startTestProgram({ clock });
  const target = path.join(folder, 'new', 'deep');
  test.program.addOutput({ kind: 'recording', name: 'disk', folder: target, segmentSeconds: 4 });
  for (let second = 0; second < 10; second++) {
    await sendCalmly(test, 30);
    clock.skewMs += 1_000; // wall time at the pace of the pictures
  }
  await test.program.close();
  const rows = parseSegmentIndex(fs.readFileSync(path.join(target, SEGMENT_INDEX), 'utf8'));
  expect(rows.map((row) => row.file)).toEqual(['20260102-030405.ts', '20260102-030409.ts', '20260102-030413.ts']);
  expect(rows.map((row) => row.startUnixMs)).toEqual([START_UNIX_MS, START_UNIX_MS + 4_000, START_UNIX_MS + 8_000]);
  let pictures = 0;
  let packets = 0;
  for (const [index, row] of rows.entries()) {
    const media = await readMedia(path.join(target, row.file));
    expect(media.video[0]!.keyframe).toBe(true);
    expect(keyframeTimes(media).length).toBe(index < 2 ? 2 : 1);
    expect(media.video[0]!.dtsMs).toBeLessThan(1_500); // the timeline starts over
    expect(row.endUnixMs! - row.startUnixMs).toBeGreaterThanOrEqual(index < 2 ? 4_000 : 2_000);
    pictures += media.pictures.length;
    packets += media.audio.length;
    const beeps = beepTimes(media);
    for (const flash of flashTimes(media).slice(1)) {
      expect(Math.min(...beeps.map((beep) => Math.abs(beep - flash)))).toBeLessThan(50);
    }
  }
  expect(pictures).toBe(300);
  expect(packets).toBeGreaterThanOrEqual(468); // 10 s are 468.75 AAC frames
});

test('two recordings of one second in one folder do not touch each other', async () => {
  const test = await startTestProgram({ clock });
  test.program.addOutput({ kind: 'recording', name: 'one', folder });
  test.program.addOutput({ kind: 'recording', name: 'two', folder });
  await sendCalmly(test, 60);
  await test.program.close();
  const files = fs.readdirSync(folder).filter((name) => name.endsWith('.ts'));
  expect(files.sort()).toEqual(['20260102-030405-2.ts', '20260102-030405.ts']);
  for (const file of files) expect((await readMedia(path.join(folder, file))).pictures.length).toBe(60);
});

test('a folder that cannot be made fails the recording alone, is told once, and is tried again (broadcast.md 70)', async () => {
  const blocked = path.join(folder, 'recordings');
  fs.writeFileSync(blocked, 'a file where the folder should be');
  const test = await startTestProgram({ clock });
  const fragments: number[] = [];
  const recording = test.program.addOutput({ kind: 'recording', name: 'disk', folder: blocked });
  test.program.addOutput({
    kind: 'preview',
    name: 'console',
    onInit: () => undefined,
    onFragment: (bytes) => fragments.push(bytes.length),
  });
  await sendCalmly(test, 200);
  expect(recording.stats().state).toBe('failed');
  expect(recording.stats().lastError).toContain('EEXIST');
  expect(failures(test)).toBe(1);
  expect(fragments.length).toBeGreaterThan(5);
  fs.rmSync(blocked);
  clock.skewMs += RECORDING_RETRY_MS;
  await sendCalmly(test, 120);
  expect(recording.stats().state).toBe('active');
  expect(recording.stats().lastError).toBeNull();
  await test.program.close();
  expect(fs.readdirSync(blocked).filter((name) => name.endsWith('.ts')).length).toBe(1);
});

describe.skipIf(!canMount())(`a full disk${canMount() ? '' : ' (skipped: this user may not mount a tmpfs)'}`, () => {
  test('fails the recording alone, and it resumes when there is room', async () => {
    const disk = path.join(folder, 'disk');
    fs.mkdirSync(disk);
    mount(disk);
    try {
      const test = await startTestProgram({ clock, videoKbps: 2_000 });
      const recording = test.program.addOutput({ kind: 'recording', name: 'disk', folder: disk });
      await sendCalmly(test, 150);
      expect(recording.stats().state).toBe('failed');
      expect(recording.stats().lastError).toContain('ENOSPC');
      clock.skewMs += RECORDING_RETRY_MS;
      await sendCalmly(test, 120);
      expect(failures(test)).toBe(1);
      for (const file of fs.readdirSync(disk)) fs.rmSync(path.join(disk, file));
      clock.skewMs += RECORDING_RETRY_MS;
      for (let i = 0; i < 130 && recording.stats().state !== 'active'; i++) await sendCalmly(test, 1);
      expect(recording.stats().state).toBe('active');
      await test.program.close();
    } finally {
      spawnSync('umount', [disk]);
    }
  });
});

function skewedClock(): Clock & { skewMs: number } {
  const skewed = {
    skewMs: 0,
    nowMs: () => systemClock.nowMs() + skewed.skewMs,
    unixMs: () => START_UNIX_MS + skewed.skewMs,
    sleep: systemClock.sleep,
  };
  return skewed;
}

function failures(test: TestProgram): number {
  return test.events.filter((event) => event.kind === 'output-state' && event.state === 'failed').length;
}

function canMount(): boolean {
  const probe = fs.mkdtempSync(path.join(os.tmpdir(), 'fly-mount-'));
  const mounted = mount(probe);
  if (mounted) spawnSync('umount', [probe]);
  fs.rmdirSync(probe);
  return mounted;
}

function mount(at: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', at]).status === 0;
}
