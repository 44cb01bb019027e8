import type { PortControl } from '../../engine/contract/environment.ts';
import { createFakeClock } from '../../engine/clock.ts';
import type { Config, Show } from '../../config/schema.ts';
import { createBehaviourDigest } from '../../engine/identity/behaviour-digest.ts';
import { runLoop } from '../../engine/loop.ts';
import { createPacer } from '../../engine/pacer.ts';
import { rationalToMs } from '../../engine/rational.ts';
import { createPublisher } from '../../engine/replica/publisher.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { createSugarLimiter } from '../../systems/admission/sugar-limiter.ts';
import { createSchedule } from '../../systems/schedule.ts';
import { bootSession } from '../../systems/session/boot-session.ts';
import type { Connectome } from '../../engine/contract/connectome.ts';
import { composeSession, loadTask } from '../../bin/live/compose-session.ts';
import type { Home } from '../../bin/home.ts';
import { createMemoryLog } from '../fixture/test-schedule.ts';

/** How far one player came, minute by minute. */
export type PlayResult = {
  readonly player: 'fly' | 'random, same duty' | 'random, uniform';
  readonly seed: string;
  readonly rank: number;
  readonly label: string;
  /** Highest rank at the end of each tenth of the run. */
  readonly rankByTenth: readonly number[];
  readonly rewardTotal: number;
  readonly places: number;
  readonly attempts: number;
  readonly rollbacks: number;
  /** Share of steps each button was down, port order. */
  readonly duty: readonly number[];
  readonly simulatedPerWall: number;
};

export type PlayBenchOptions = {
  readonly show: Show;
  readonly config: Config;
  readonly home: Home;
  readonly connectomes: readonly Connectome[];
  /** Master seeds `firstSeed` .. `firstSeed + seeds - 1`. */
  readonly firstSeed: number;
  readonly seeds: number;
  readonly minutes: number;
  readonly report: (line: string) => void;
};

/**
 * Lets a fly play, then two players without a brain on the same game: one that holds each button as often as that fly
 * did, one that holds directions evenly. Neither sees the picture. All three run the same number of steps.
 */
export async function benchPlay(options: PlayBenchOptions): Promise<PlayResult[]> {
  const results: PlayResult[] = [];
  for (let seed = options.firstSeed; seed < options.firstSeed + options.seeds; seed++) {
    const fly = await playAsFly(options, String(seed));
    results.push(fly);
    options.report(describe(fly));
    for (const player of ['random, same duty', 'random, uniform'] as const) {
      const random = await playAtRandom(options, String(seed), player, fly.duty);
      results.push(random);
      options.report(describe(random));
    }
  }
  return results;
}

function describe({ player, seed, rank, label, rankByTenth, places, attempts, simulatedPerWall }: PlayResult): string {
  return `seed ${seed} ${player.padEnd(18)} rung ${rank} ${label.padEnd(24)} by tenths ${rankByTenth.join(' ')}, ${places} places, try ${attempts + 1} (${simulatedPerWall.toFixed(1)}x)`;
}

async function playAsFly(options: PlayBenchOptions, seed: string): Promise<PlayResult> {
  const clock = createFakeClock();
  const session = await composeSession({
    show: options.show,
    config: { ...options.config, seed },
    home: options.home,
    clock,
    report: () => undefined,
    loadWirings: () => Promise.resolve(options.connectomes.map((connectome) => ({ connectome }))),
  });
  try {
    const { world } = session;
    await bootSession(world, () => undefined);
    const schedule = createSchedule({
      publisher: createPublisher(),
      limiter: createSugarLimiter(clock),
      revision: 1,
      trace: createBehaviourDigest(),
      eventLog: createMemoryLog(),
      pacer: createPacer({ clock, periodMs: 0, onLag: () => undefined }),
    });
    const meter = createPlayMeter(options, rationalToMs(world.stepDuration));
    const watched = [
      ...schedule,
      {
        ...schedule.at(-1)!,
        name: 'meter',
        run: (w: SessionWorld) => meter.note(controlsOf(w), w.transition.progress!),
      },
    ];
    await runLoop({
      world,
      schedule: watched,
      maxTransitions: meter.steps,
      recover: (_, failure) => Promise.reject(failure as Error),
    });
    return await meter.result('fly', seed, world.transition.progress!, world.rollbacks);
  } finally {
    await session.close();
  }
}

function controlsOf(world: SessionWorld): PortControl {
  return world.transition.batch!.ports[0]!;
}

async function playAtRandom(
  options: PlayBenchOptions,
  seed: string,
  player: Exclude<PlayResult['player'], 'fly'>,
  flyDuty: readonly number[],
): Promise<PlayResult> {
  const { environment, task } = await openGame(options);
  try {
    const port = environment.descriptor.ports[0]!;
    const stepMs = rationalToMs(environment.descriptor.stepDuration);
    const meter = createPlayMeter(options, stepMs);
    const press = createRandomPlayer(
      Number(seed),
      player === 'random, uniform' ? evenDirections(flyDuty) : flyDuty,
      stepMs,
    );
    let before = await environment.boot();
    task.bootstrap(before);
    let rollbacks = 0;
    let progress = task.bootstrap(before).progress;
    for (let step = 0; step < meter.steps; step++) {
      const control: PortControl = { portId: port.portId, buttons: press(), axes: [] };
      const after = await environment.advance({ batchId: `random-${step}`, ports: [control] });
      const outcome = task.evaluate({ before, after, applied: [control], brainMs: [2_500 + step * stepMs] });
      progress = outcome.progress;
      before = after;
      if (outcome.saveSlot !== null) await environment.saveSlot(outcome.saveSlot);
      if (outcome.rollback !== null) {
        before = await environment.restoreSlot(outcome.rollback.slotId);
        progress = task.clearTransients(before).progress;
        rollbacks += 1;
      }
      meter.note(control, progress);
    }
    return await meter.result(player, seed, progress, rollbacks);
  } finally {
    await environment.close();
  }
}

async function openGame({ show, home }: PlayBenchOptions) {
  const module = await loadTask(show.task.name);
  const file = new URL(`../../systems/environment/${show.environment.kind}/environment.ts`, import.meta.url);
  const { environmentModule } = (await import(file.href)) as {
    environmentModule: import('../../engine/contract/environment.ts').EnvironmentModule;
  };
  const { contentPath } = await import('../../bin/live/compose-session.ts');
  const environment = await environmentModule.open({
    environmentId: show.environment.id,
    contentPath: contentPath(show.environment.content),
    slotIds: module.slotIds,
    coresFolder: home.cores,
    report: () => undefined,
  });
  return { environment, task: module.create({ agentCount: 1, contentDigest: environment.descriptor.contentDigest }) };
}

/** Directions are held 800 ms, one at a time; the other buttons 85 ms at a time, as the Game Boy readout does. */
const DIRECTION_HOLD_MS = 800;
const PULSE_HOLD_MS = 85;

/** Buttons 0..3 are the directions of a Game Boy port. */
function createRandomPlayer(seed: number, duty: readonly number[], stepMs: number): () => boolean[] {
  const random = mulberry32(seed);
  let nowMs = 0;
  let direction = -1;
  let decideAtMs = 0;
  const releaseAtMs = duty.map(() => 0);
  const directionTotal = duty[0]! + duty[1]! + duty[2]! + duty[3]!;
  return () => {
    nowMs += stepMs;
    if (nowMs >= decideAtMs) {
      decideAtMs = nowMs + DIRECTION_HOLD_MS;
      let left = random() * Math.max(1, directionTotal);
      direction = -1;
      for (let i = 0; i < 4; i++) {
        left -= duty[i]!;
        if (left < 0) {
          direction = i;
          break;
        }
      }
    }
    return duty.map((share, button) => {
      if (button < 4) return button === direction;
      // A pulse starts with the chance that makes its share of steps come out, given its length.
      const chance = (share * stepMs) / (PULSE_HOLD_MS * Math.max(0.01, 1 - share));
      if (nowMs >= releaseAtMs[button]! && random() < chance) releaseAtMs[button] = nowMs + PULSE_HOLD_MS;
      return nowMs < releaseAtMs[button]!;
    });
  };
}

function evenDirections(duty: readonly number[]): number[] {
  const mean = (duty[0]! + duty[1]! + duty[2]! + duty[3]!) / 4;
  return duty.map((share, button) => (button < 4 ? mean : share));
}

function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Progress = import('../../engine/contract/task.ts').Progress;

function createPlayMeter({ minutes, show }: PlayBenchOptions, stepMs: number) {
  const steps = BigInt(Math.ceil((minutes * 60_000) / stepMs));
  const startedMs = performance.now();
  const tenths: number[] = [];
  let down: number[] = [];
  let count = 0;
  return {
    steps,
    note(control: PortControl, progress: Progress): void {
      if (down.length === 0) down = control.buttons.map(() => 0);
      control.buttons.forEach((pressed, i) => {
        if (pressed) down[i] = down[i]! + 1;
      });
      count += 1;
      if (count % Math.ceil(Number(steps) / 10) === 0 || count === Number(steps)) tenths.push(progress.rank);
    },
    async result(
      player: PlayResult['player'],
      seed: string,
      progress: Progress,
      rollbacks: number,
    ): Promise<PlayResult> {
      const { presentation } = await loadTask(show.task.name);
      return {
        player,
        seed,
        rank: progress.rank,
        label: presentation.rungs[progress.rank] ?? '',
        rankByTenth: tenths,
        rewardTotal: progress.rewardTotal,
        places: progress.uniquePlaces,
        attempts: progress.attempts,
        rollbacks,
        duty: down.map((steps_) => steps_ / count),
        simulatedPerWall: (count * stepMs) / (performance.now() - startedMs),
      };
    },
  };
}
