import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createFakeClock, systemClock } from '../../../../engine/clock.ts';
import type { FakeClock } from '../../../../engine/clock.ts';
import type { Clock } from '../../../../engine/clock.ts';
import type { ControlBatch, Observation } from '../../../../engine/contract/environment.ts';
import { sha256Hex } from '../../../../engine/identity/digest.ts';
import { openGameboy } from '../../../../systems/environment/gameboy/environment.ts';
import type { GameboyEnvironment } from '../../../../systems/environment/gameboy/environment.ts';
import { DEFAULT_LCD_PALETTE } from '../../../../systems/environment/gameboy/screen-colours.ts';
import type { LcdPalette } from '../../../../systems/environment/gameboy/screen-colours.ts';
import { TEST_CORES_FOLDER, provideTestCore, titleWithCore } from '../provide-test-core.ts';
import { createTinyCartridge } from './tiny-cartridge.ts';
import type { TinyCartridgeOptions } from './tiny-cartridge.ts';

const core = await provideTestCore();
const folder = await mkdtemp(join(tmpdir(), 'fly-gameboy-'));
const opened: GameboyEnvironment[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((environment) => environment.close()));
});
afterAll(() => rm(folder, { recursive: true }));

type OpenTest = {
  readonly rom?: TinyCartridgeOptions;
  readonly contentPath?: string;
  readonly clock?: Clock;
  readonly palette?: LcdPalette;
  readonly slotIds?: readonly string[];
  readonly report?: (line: string) => void;
};

let cartridges = 0;
async function openTest(options: OpenTest = {}): Promise<GameboyEnvironment> {
  let { contentPath } = options;
  if (contentPath === undefined) {
    contentPath = join(folder, `cartridge-${cartridges++}.gb`);
    await writeFile(contentPath, createTinyCartridge(options.rom));
  }
  const environment = await openGameboy(
    {
      environmentId: 'test-1',
      contentPath,
      slotIds: options.slotIds ?? ['best'],
      coresFolder: TEST_CORES_FOLDER,
      report: options.report ?? (() => undefined),
    },
    { clock: options.clock ?? systemClock, palette: options.palette ?? DEFAULT_LCD_PALETTE },
  );
  opened.push(environment);
  return environment;
}

function press(mask: number): ControlBatch {
  const buttons = Array.from({ length: 8 }, (_, bit) => ((mask >> bit) & 1) === 1);
  return { batchId: 'batch-test', ports: [{ portId: 'p1', buttons, axes: [] }] };
}

/** A fixed, lively input: every button is pressed and released at its own period. */
function inputAt(step: number): ControlBatch {
  let mask = 0;
  for (let bit = 0; bit < 8; bit++) if ((step >> (bit % 4)) % (bit + 2) === 0) mask |= 1 << bit;
  return press(mask);
}

/** One observation as a digest; with sound when asked. */
function digestOf({ engineFrame, views, inspection, audio }: Observation, isHeard: boolean): string {
  const sound = isHeard ? Buffer.from(audio[0]!.buffer, audio[0]!.byteOffset, audio[0]!.byteLength) : Buffer.alloc(0);
  return sha256Hex(Buffer.concat([Buffer.from(engineFrame), views[0]!, inspection, sound]));
}

async function play(environment: GameboyEnvironment, from: number, to: number, isHeard: boolean): Promise<string[]> {
  const digests: string[] = [];
  for (let step = from; step < to; step++) digests.push(digestOf(await environment.advance(inputAt(step)), isHeard));
  return digests;
}

async function secondPasses(clock: FakeClock): Promise<void> {
  clock.advanceMs(1_000);
  await new Promise(setImmediate);
}

describe.skipIf(core.missing !== null)(titleWithCore('a Game Boy on the real core', core), () => {
  test('declares one step of exactly 8572265625/512 ns (session.md 3.2) and one lcd view (12.1)', async () => {
    const { descriptor } = await openTest();
    expect(descriptor.stepDuration).toEqual({ numerator: 8_572_265_625n, denominator: 512n });
    // 70,224 clocks a frame at 4,194,304 Hz, in nanoseconds, by cross-multiplication
    expect(8_572_265_625n * 4_194_304n).toBe(70_224n * 1_000_000_000n * 512n);
    expect(descriptor.views).toMatchObject([{ viewId: 'lcd', widthPx: 160, heightPx: 144, observationDelaySteps: 0 }]);
    expect(descriptor.ports).toEqual([
      { portId: 'p1', buttons: ['up', 'down', 'left', 'right', 'a', 'b', 'start', 'select'], axes: [] },
    ]);
    expect(descriptor).toMatchObject({ kind: 'gameboy', recovery: 'exact-checkpoint', determinism: 'fixed-build' });
    expect(descriptor.backendDigest).toBe(sha256Hex(readFileSync(core.path!)));
  });

  test('boots to boundary 0: one set-up frame, no button, engine frame "1", no sound (session.md 6)', async () => {
    const environment = await openTest();
    const start = await environment.boot();
    expect(start.engineFrame).toBe('1');
    expect(start.audio[0]).toHaveLength(0);
    expect(start.inspection[0xc000]).toBe(1);
    expect(start.inspection[0xc001]).toBe(0);
    const again = digestOf(start, true);
    await environment.advance(press(0xff));
    expect(digestOf(await environment.boot(), true)).toBe(again);
  });

  test('each button reaches the game in the step it was applied to, under its own bit (session.md 9.4)', async () => {
    const environment = await openTest();
    await environment.boot();
    // hardware order of the two joypad rows: right left up down, then a b select start
    const seenAs = [0x04, 0x08, 0x02, 0x01, 0x10, 0x20, 0x80, 0x40];
    for (let bit = 0; bit < 8; bit++) {
      const { inspection } = await environment.advance(press(1 << bit));
      expect(inspection[0xc001]).toBe(seenAs[bit]);
    }
    expect((await environment.advance(press(0))).inspection[0xc001]).toBe(0);
    expect((await environment.advance(press(0xff))).inspection[0xc001]).toBe(0xff);
  });

  test('two runs with the same input are equal in picture, memory and sound', async () => {
    const [a, b] = await Promise.all([openTest(), openTest()]);
    await Promise.all([a.boot(), b.boot()]);
    expect(await play(a, 0, 240, true)).toEqual(await play(b, 0, 240, true));
  });

  test('runs exactly one frame a step and hands over all its sound', async () => {
    const environment = await openTest();
    await environment.boot();
    const { sampleRateHz, channels } = environment.descriptor.audio[0]!;
    let frames = 0;
    let loudest = 0;
    for (let step = 1; step <= 300; step++) {
      const { inspection, audio, engineFrame } = await environment.advance(press(0));
      expect(inspection[0xc000]).toBe((1 + step) & 0xff);
      expect(engineFrame).toBe(String(1 + step));
      frames += audio[0]!.length / channels;
      for (const sample of audio[0]!) loudest = Math.max(loudest, Math.abs(sample));
    }
    const expected = (300 * sampleRateHz * 70_224) / 4_194_304;
    expect(Math.abs(frames - expected)).toBeLessThan(1024); // the core's own buffer holds back less than this
    expect(loudest).toBeGreaterThan(0.01);
    expect(loudest).toBeLessThanOrEqual(1);
  });

  test('the picture has the four shades of the configuration and no other', async () => {
    const palette: LcdPalette = [0xffffff, 0xaa0000, 0x00bb00, 0x0000cc];
    const plain = await openTest();
    const coloured = await openTest({ palette });
    await plain.boot();
    await coloured.boot();
    expect(coloursOf(await plain.advance(press(0)))).toEqual(['16291fff', '4a7a58ff', 'a3bf6cff', 'e8efc4ff']);
    expect(coloursOf(await coloured.advance(press(0)))).toEqual(['0000ccff', '00bb00ff', 'aa0000ff', 'ffffffff']);
    expect(plain.descriptor.configurationDigest).not.toBe(coloured.descriptor.configurationDigest);
  });

  test('a restored capture continues exactly, in the same process and in a fresh one', async () => {
    const environment = await openTest({ rom: { type: 0x1b, romCode: 1, ramCode: 3 } });
    await environment.boot();
    await play(environment, 0, 90, false);
    const state = await environment.capture();
    const future = await play(environment, 90, 300, false);
    const end = await environment.capture();

    await environment.restore(state);
    expect(await play(environment, 90, 300, false)).toEqual(future);
    expect(sha256Hex(await environment.capture())).toBe(sha256Hex(end));

    await environment.restart();
    const back = await environment.restore(state);
    expect(back.engineFrame).toBe('91');
    expect(back.audio[0]).toHaveLength(0);
    expect(await play(environment, 90, 300, false)).toEqual(future);
  });

  test('a restored boundary looks as it did when it was captured', async () => {
    const environment = await openTest();
    await environment.boot();
    await play(environment, 0, 50, false);
    const then = await environment.advance(press(0x11));
    const seen = digestOf({ ...then, audio: [new Float32Array(0)] }, true);
    const state = await environment.capture();
    await play(environment, 51, 80, false);
    expect(digestOf(await environment.restore(state), true)).toBe(seen);
  });

  test('capturing every step changes neither picture, memory nor sound (MED-05)', async () => {
    const [a, b] = await Promise.all([openTest(), openTest()]);
    await Promise.all([a.boot(), b.boot()]);
    for (let step = 0; step < 120; step++) {
      const first = await b.capture();
      expect(sha256Hex(await b.capture())).toBe(sha256Hex(first));
      const [alone, captured] = await Promise.all([a.advance(inputAt(step)), b.advance(inputAt(step))]);
      expect(digestOf(captured, true)).toBe(digestOf(alone, true));
    }
  });

  test('a slot keeps state and picture, releases the buttons and leaves the engine frame going (session.md 13)', async () => {
    const environment = await openTest();
    await environment.boot();
    await play(environment, 0, 40, false);
    const kept = await environment.advance(press(0x10));
    const keptMemory = sha256Hex(kept.inspection);
    const keptPicture = sha256Hex(kept.views[0]!);
    await environment.saveSlot('best');
    await play(environment, 41, 60, false);

    const back = await environment.restoreSlot('best');
    expect(sha256Hex(back.inspection)).toBe(keptMemory);
    expect(sha256Hex(back.views[0]!)).toBe(keptPicture);
    expect(back.audio[0]).toHaveLength(0);
    expect(back.engineFrame).toBe('61');
    const next = await environment.advance(press(0));
    expect(next.engineFrame).toBe('62');
    expect(next.inspection[0xc001]).toBe(0);
  });

  test('slots travel inside a capture', async () => {
    const environment = await openTest();
    await environment.boot();
    await expect(environment.restoreSlot('best')).rejects.toMatchObject({ code: 'SLOT_EMPTY' });
    const kept = sha256Hex((await environment.advance(press(0x08))).inspection);
    await environment.saveSlot('best');
    await play(environment, 1, 30, false);
    const state = await environment.capture();
    await environment.restart();
    await environment.restore(state);
    expect(sha256Hex((await environment.restoreSlot('best')).inspection)).toBe(kept);
    await environment.boot();
    await expect(environment.restoreSlot('best')).rejects.toMatchObject({ code: 'SLOT_EMPTY' });
    await expect(environment.saveSlot('other')).rejects.toMatchObject({ code: 'SLOT_UNKNOWN' });
  });

  test('a refused capture leaves the running world untouched', async () => {
    const [environment, twin, other] = await Promise.all([
      openTest(),
      openTest(),
      openTest({ rom: { title: 'OTHER' } }),
    ]);
    await Promise.all([environment.boot(), twin.boot(), other.boot()]);
    await Promise.all([play(environment, 0, 30, false), play(twin, 0, 30, false)]);
    const own = await environment.capture();
    const damaged = own.slice();
    damaged[damaged.length - 5]! ^= 1;
    for (const state of [damaged, own.slice(0, 1000), new Uint8Array(0), await other.capture()]) {
      await expect(environment.restore(state)).rejects.toMatchObject({ code: 'ENVIRONMENT_STATE' });
    }
    expect(await play(environment, 30, 60, true)).toEqual(await play(twin, 30, 60, true));
  });

  test('an observation stays as it is while the next one is read, and no longer', async () => {
    const environment = await openTest();
    const first = await environment.boot();
    const digest = digestOf(first, true);
    const second = await environment.advance(press(1));
    expect(digestOf(first, true)).toBe(digest);
    expect(second.views[0]).not.toBe(first.views[0]);
    const third = await environment.advance(press(2));
    expect(third.views[0]).toBe(first.views[0]);
    expect(third.inspection).toBe(first.inspection);
  });

  test('an incomplete batch is refused before the world sees anything', async () => {
    const environment = await openTest();
    await environment.boot();
    const whole = press(0);
    const wrong: ControlBatch[] = [
      { batchId: 'none', ports: [] },
      { batchId: 'twice', ports: [whole.ports[0]!, whole.ports[0]!] },
      { batchId: 'port', ports: [{ ...whole.ports[0]!, portId: 'p2' }] },
      { batchId: 'buttons', ports: [{ ...whole.ports[0]!, buttons: [true] }] },
      { batchId: 'axes', ports: [{ ...whole.ports[0]!, axes: [0] }] },
    ];
    for (const batch of wrong)
      await expect(environment.advance(batch)).rejects.toMatchObject({ code: 'CONTROL_BATCH' });
    expect((await environment.advance(whole)).inspection[0xc000]).toBe(2);
  });

  test('a second call while one is pending is refused as a bug of the caller', async () => {
    const environment = await openTest();
    await environment.boot();
    const pending = environment.advance(press(0));
    await expect(environment.advance(press(0))).rejects.toMatchObject({ code: 'ENVIRONMENT_BUSY' });
    expect((await pending).inspection[0xc000]).toBe(2);
  });

  test('nothing is played before boot or restore', async () => {
    const environment = await openTest();
    await expect(environment.advance(press(0))).rejects.toMatchObject({ code: 'ENVIRONMENT_ORDER' });
    await expect(environment.capture()).rejects.toMatchObject({ code: 'ENVIRONMENT_ORDER' });
  });

  test('a native crash is one error that names the signal; a restart plays on from the capture', async () => {
    const environment = await openTest();
    await environment.boot();
    await play(environment, 0, 20, false);
    const state = await environment.capture();
    const future = await play(environment, 20, 50, false);
    const pending = environment.advance(press(0));
    process.kill(environment.emulatorPid(), 'SIGSEGV');
    const outcome = await pending
      .then(
        () => environment.advance(press(0)), // it answered before the signal came
        (error: unknown) => Promise.reject(error as Error),
      )
      .catch((error: unknown) => error);
    expect(outcome).toMatchObject({ name: 'DeviceError', code: 'ENVIRONMENT_DEAD' });
    expect((outcome as Error).message).toMatch(/^emulator test-1 \(pid \d+\) was killed by SIGSEGV/);
    expect((outcome as Error).message).toContain('restores its newest checkpoint');
    await expect(environment.advance(press(0))).rejects.toBe(outcome);
    await environment.restart();
    await environment.restore(state);
    expect(await play(environment, 20, 50, false)).toEqual(future);
  });

  test('a hung core is killed after ten seconds of the clock', async () => {
    const clock = createFakeClock();
    const environment = await openTest({ clock });
    await environment.boot();
    process.kill(environment.emulatorPid(), 'SIGSTOP');
    const pending = environment.advance(press(0)).catch((error: unknown) => error);
    for (let second = 1; second <= 10; second++) await secondPasses(clock);
    expect(isRunning(environment.emulatorPid())).toBe(true);
    await secondPasses(clock);
    expect(await pending).toMatchObject({
      code: 'ENVIRONMENT_DEAD',
      message: expect.stringContaining('gave no answer for 10 s and was killed during step') as unknown,
    });
    await environment.restart();
    expect((await environment.boot()).engineFrame).toBe('1');
  });

  test('a slow but answering core outlives its deadline sleepers', async () => {
    const clock = createFakeClock();
    const environment = await openTest({ clock });
    await environment.boot();
    for (let step = 1; step <= 5; step++) {
      process.kill(environment.emulatorPid(), 'SIGSTOP');
      const pending = environment.advance(press(0));
      for (let second = 1; second <= 9; second++) await secondPasses(clock); // never ten for one request
      process.kill(environment.emulatorPid(), 'SIGCONT');
      expect((await pending).engineFrame).toBe(String(1 + step));
    }
  });

  test('a host that slept for an hour has not waited for its core, and plays on', async () => {
    const clock = createFakeClock();
    const environment = await openTest({ clock });
    await environment.boot();
    process.kill(environment.emulatorPid(), 'SIGSTOP');
    const pending = environment.advance(press(0));
    clock.advanceMs(3_600_000);
    await new Promise(setImmediate);
    expect(isRunning(environment.emulatorPid())).toBe(true);
    process.kill(environment.emulatorPid(), 'SIGCONT');
    expect((await pending).engineFrame).toBe('2');
  });

  test('close leaves no process, and a closed environment answers with one error', async () => {
    const environment = await openTest();
    const pid = environment.emulatorPid();
    await environment.boot();
    const pending = environment.advance(press(0)).catch((error: unknown) => error);
    await environment.close();
    expect(isRunning(pid)).toBe(false);
    await pending;
    await expect(environment.advance(press(0))).rejects.toMatchObject({
      code: 'ENVIRONMENT_DEAD',
      message: expect.stringContaining('was closed') as unknown,
    });
    await environment.close();
  });

  test('the child carries its title and none of the secrets of its parent', async () => {
    process.env.FLY_TEST_SECRET = 'live_123';
    const environment = await openTest();
    delete process.env.FLY_TEST_SECRET;
    const pid = environment.emulatorPid();
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toMatch(/^fly-emulator-test-1/);
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('live_123');
  });

  test.each([
    ['an idle', ''],
    ['a hung', "process.kill(environment.emulatorPid(), 'SIGSTOP');"],
  ])(
    "%s child ends when its parent is killed, and not before: signals to the group are the parent's",
    async (_, hang) => {
      const path = join(folder, 'orphan.gb');
      await writeFile(path, createTinyCartridge());
      const program = join(folder, 'parent.ts');
      const module = fileURLToPath(new URL('../../../../systems/environment/gameboy/environment.ts', import.meta.url));
      const options = { environmentId: 'orphan', contentPath: path, slotIds: [], coresFolder: TEST_CORES_FOLDER };
      await writeFile(
        program,
        `import { environmentModule } from ${JSON.stringify(module)};
       const options = { ...${JSON.stringify(options)}, report: () => undefined };
       const environment = await environmentModule.open(options);
       await environment.boot();
       process.kill(environment.emulatorPid(), 'SIGTERM');
       process.kill(environment.emulatorPid(), 'SIGINT');
       await environment.capture();
       ${hang}
       process.stdout.write(String(environment.emulatorPid()), () => process.kill(process.pid, 'SIGKILL'));`,
      );
      let output = '';
      try {
        execFileSync(process.execPath, [program], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
      } catch (error) {
        output = (error as { stdout: string }).stdout;
      }
      const pid = Number(output);
      expect(pid).toBeGreaterThan(0);
      while (isRunning(pid)) await new Promise(setImmediate);
    },
  );

  test('ten thousand steps grow neither the parent nor the child', async () => {
    const environment = await openTest();
    await environment.boot();
    const batch = press(0x09);
    const run = async (steps: number): Promise<{ parent: number; child: number }> => {
      for (let step = 0; step < steps; step++) await environment.advance(batch);
      return { parent: process.memoryUsage().rss, child: residentBytes(environment.emulatorPid()) };
    };
    const warm = await run(4_000);
    const after = await run(10_000);
    // 165 kB a step would be 1.6 GB if one message were kept; collector noise is far below this
    expect(after.parent - warm.parent).toBeLessThan(150e6);
    expect(after.child - warm.child).toBeLessThan(150e6);
  }, 60_000);

  test.each([
    ['MBC1 + RAM', { type: 0x02, romCode: 1, ramCode: 2 }],
    ['MBC2', { type: 0x06, romCode: 1 }],
    ['MBC3 + timer', { type: 0x10, romCode: 1, ramCode: 3 }],
    ['MBC5 + 128 KiB', { type: 0x1b, romCode: 3, ramCode: 4 }],
    ['ROM + RAM', { type: 0x08, ramCode: 2 }],
    ['colour hardware', { cgbFlag: 0xc0 }],
  ] as const)('a cartridge with %s boots, plays, captures and restores exactly', async (_name, rom) => {
    const environment = await openTest({ rom });
    await environment.boot();
    await play(environment, 0, 10, false);
    const state = await environment.capture();
    const future = await play(environment, 10, 40, false);
    await environment.restore(state);
    expect(await play(environment, 10, 40, false)).toEqual(future);
    expect(environment.descriptor.determinism).toBe('type' in rom && rom.type === 0x10 ? 'unverified' : 'fixed-build');
  });

  test('a missing cartridge is refused before a process is started', async () => {
    await expect(openTest({ contentPath: join(folder, 'absent.gb') })).rejects.toMatchObject({
      code: 'ROM_UNREADABLE',
    });
    await expect(openTest({ slotIds: ['a', 'a'] })).rejects.toMatchObject({ code: 'SLOTS' });
  });

  test('a library that is no libretro core is one line that names it', async () => {
    process.env.FLY_MGBA_CORE = process.execPath;
    const failure = await openTest().catch((error: unknown) => error);
    delete process.env.FLY_MGBA_CORE;
    expect(failure).toMatchObject({ name: 'DeviceError', code: 'CORE_LOAD' });
    expect((failure as Error).message).toContain(process.execPath);
  });

  const windfall = fileURLToPath(new URL('../../../../assets/games/windfall/windfall.gb', import.meta.url));
  test.skipIf(!existsSync(windfall))('the bundled game boots, plays and restores exactly', async () => {
    const environment = await openTest({ contentPath: windfall });
    await environment.boot();
    await play(environment, 0, 200, false);
    const state = await environment.capture();
    const future = await play(environment, 200, 400, false);
    await environment.restore(state);
    expect(await play(environment, 200, 400, false)).toEqual(future);
  });
});

function coloursOf({ views }: Observation): string[] {
  const view = new DataView(views[0]!.buffer, views[0]!.byteOffset, views[0]!.byteLength);
  const colours = new Set<string>();
  for (let at = 0; at < view.byteLength; at += 4) colours.add(view.getUint32(at, false).toString(16).padStart(8, '0'));
  return [...colours].sort();
}

/** Not reaped yet counts as gone: nothing of it runs. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}
