import { expect, test } from 'vitest';
import { createFakeClock } from '../../../engine/clock.ts';
import { LIGHT_INTERVAL_MS, LOOKS_PER_FULL } from '../../../broadcast/probe/output-probe.ts';
import type { Program, ProgramEvent } from '../../../broadcast/program.ts';
import { createProgram } from '../../../broadcast/program.ts';
import { HEIGHT, WIDTH, startTestProgram } from '../program/test-signal.ts';

test('rule 37: a moving picture with sound is healthy, judged on what was encoded', async () => {
  const test = await startTestProgram();
  await test.send(200);
  const report = await test.program.probeNow();
  expect(report.decodedFrames).toBe(90);
  expect(report.identicalFrames).toBeLessThanOrEqual(6); // healthy reads 0 to 6 (broadcast.md 36)
  expect(report.rmsDb).toBeGreaterThan(-30);
  expect(test.program.stats().probe).toEqual(report);
  await test.program.close();
});

test('a still, black, silent program is found frozen, black and silent', async () => {
  const { program } = await still(0);
  const report = await program.probeNow();
  expect(report.decodedFrames).toBe(90);
  expect(report.identicalFrames).toBeGreaterThanOrEqual(80);
  expect(report.blackFrames).toBe(90);
  expect(report.rmsDb).toBeLessThan(-90);
  await program.close();
});

test('rule 151: ten minutes of one picture raise one alarm by themselves', async () => {
  const { program, clock, events } = await still(100);
  for (let look = 1; look <= 2 * LOOKS_PER_FULL; look++) {
    await send(program, 100, 4); // the output stays young
    const before = program.stats().probe;
    clock.advanceMs(LIGHT_INTERVAL_MS);
    while (program.stats().probe === before) await new Promise<void>((resolve) => setImmediate(resolve));
  }
  const alarms = events.flatMap((event) => (event.kind === 'alarm' ? [`${event.alarm} ${event.raised}`] : []));
  expect(alarms).toEqual(['silent true', 'frozen true']);
  await program.close();
});

async function still(value: number): Promise<{
  program: Program;
  clock: ReturnType<typeof createFakeClock>;
  events: ProgramEvent[];
}> {
  const clock = createFakeClock();
  const events: ProgramEvent[] = [];
  const program = await createProgram({
    widthPx: WIDTH,
    heightPx: HEIGHT,
    fps: 30,
    videoKbps: 300,
    audioKbps: 96,
    encoder: 'x264',
    x264Preset: 'ultrafast',
    clock,
    onEvent: (event) => events.push(event),
  });
  await send(program, value, 200);
  return { program, clock, events };
}

async function send(program: Program, value: number, frames: number): Promise<void> {
  const rgba = new Uint8Array(WIDTH * HEIGHT * 4).fill(value);
  const silence = new Float32Array(3_200);
  for (let frame = 0; frame < frames; frame++) {
    program.audio(silence);
    await program.video(rgba);
  }
}
