import type { Clock } from '../../../engine/clock.ts';
import { systemClock } from '../../../engine/clock.ts';
import type { Program, ProgramEvent, ProgramOptions } from '../../../broadcast/program.ts';
import { createProgram } from '../../../broadcast/program.ts';

export const WIDTH = 320;
export const HEIGHT = 180;
export const FPS = 30;

export type TestProgram = {
  readonly program: Program;
  readonly events: ProgramEvent[];
  /** Sends `count` frames: a moving bar, and every second a white flash with a 1 kHz beep. */
  send(count: number): Promise<void>;
  /** The next frame's number. */
  sent(): number;
};

/** A small program with a flash-and-beep signal, as fast as it encodes. */
export async function startTestProgram(overrides: Partial<ProgramOptions> = {}): Promise<TestProgram> {
  const events: ProgramEvent[] = [];
  const program = await createProgram({
    widthPx: WIDTH,
    heightPx: HEIGHT,
    fps: FPS,
    videoKbps: 400,
    audioKbps: 96,
    encoder: 'x264',
    x264Preset: 'ultrafast',
    clock: systemClock,
    onEvent: (event) => events.push(event),
    ...overrides,
  });
  const rgba = new Uint8Array(WIDTH * HEIGHT * 4);
  const samples = new Float32Array((2 * 48_000) / FPS);
  let frame = 0;
  return {
    program,
    events,
    sent: () => frame,
    async send(count) {
      for (let i = 0; i < count; i++) {
        drawSignal(rgba, frame);
        beep(samples, frame);
        program.audio(samples);
        await program.video(rgba);
        frame++;
      }
    },
  };
}

/** Sends single frames until `condition` holds; fails after `limit` frames. */
export async function sendUntil(test: TestProgram, condition: () => boolean, limit = 3_000): Promise<void> {
  for (let i = 0; i < limit; i++) {
    if (condition()) return;
    await test.send(1);
    await breathe(test);
  }
  throw new Error(`the condition did not come true within ${limit} frames`);
}

/** Sends frames no faster than every output takes them. */
export async function sendCalmly(test: TestProgram, frames: number): Promise<void> {
  for (let i = 0; i < frames; i++) {
    await test.send(1);
    await breathe(test);
  }
}

async function breathe(test: TestProgram): Promise<void> {
  for (let i = 0; i < 2_000; i++) {
    await new Promise<void>((resolve) => setTimeout(resolve, i === 0 ? 0 : 1));
    if (test.program.stats().outputs.every((output) => output.congestion < 0.3)) return;
  }
}

/** Wall time that runs `factor` times as fast, so that waits of many seconds take none of a test's. */
export function fastClock(factor: number): Clock {
  return {
    nowMs: () => systemClock.nowMs() * factor,
    unixMs: () => systemClock.unixMs(),
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
  };
}

function drawSignal(rgba: Uint8Array, frame: number): void {
  const flash = frame % FPS === 0;
  rgba.fill(flash ? 255 : 20);
  const bar = (frame * 4) % (WIDTH - 40);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = bar; x < bar + 40; x++) {
      const at = (y * WIDTH + x) * 4;
      rgba[at] = 200;
      rgba[at + 1] = (y * 3) & 255;
      rgba[at + 2] = 60;
    }
  }
}

function beep(samples: Float32Array, frame: number): void {
  samples.fill(0);
  if (frame % FPS !== 0) return;
  for (let i = 0; i < samples.length / 2; i++) {
    const value = 0.5 * Math.sin((2 * Math.PI * 1_000 * i) / 48_000);
    samples[2 * i] = value;
    samples[2 * i + 1] = value;
  }
}
