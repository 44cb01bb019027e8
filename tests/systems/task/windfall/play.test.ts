import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { ControlBatch, Environment, Observation } from '../../../../engine/contract/environment.ts';
import type { Task, TaskOutcome } from '../../../../engine/contract/task.ts';
import { environmentModule } from '../../../../systems/environment/gameboy/environment.ts';
import { readSample } from '../../../../systems/task/windfall/sample.ts';
import { taskModule } from '../../../../systems/task/windfall/task.ts';
import { TEST_CORES_FOLDER, provideTestCore, titleWithCore } from '../../environment/provide-test-core.ts';

const core = await provideTestCore();
const contentPath = fileURLToPath(new URL('../../../../assets/games/windfall/windfall.gb', import.meta.url));
const FRAME_MS = 16.742706298828125; // brain.md 9.1
const BUTTONS = ['up', 'down', 'left', 'right', 'a', 'b', 'start', 'select'];

type Game = { readonly environment: Environment; readonly task: Task; now: Observation; frames: number };
const opened: Environment[] = [];
afterAll(() => Promise.all(opened.map((environment) => environment.close())));

async function boot(): Promise<Game> {
  const environment = await environmentModule.open({
    environmentId: 'windfall-test',
    contentPath,
    slotIds: taskModule.slotIds,
    coresFolder: TEST_CORES_FOLDER,
    report: () => undefined,
  });
  opened.push(environment);
  const task = taskModule.create({ agentCount: 1, contentDigest: environment.descriptor.contentDigest });
  const now = await environment.boot();
  task.bootstrap(now);
  return { environment, task, now, frames: 0 };
}

async function step(game: Game, held: readonly string[]): Promise<TaskOutcome> {
  const before = game.now;
  const buttons = BUTTONS.map((button) => held.includes(button));
  const batch: ControlBatch = { batchId: `b${game.frames}`, ports: [{ portId: 'p1', buttons, axes: [] }] };
  game.now = await game.environment.advance(batch);
  game.frames++;
  const brainMs = [Math.floor(game.frames * FRAME_MS)];
  return game.task.evaluate({ before, after: game.now, applied: batch.ports, brainMs });
}

/** Right with a flap every half second, the way a well-meaning fly would. */
function cruise(frame: number): string[] {
  return frame % 30 < 5 ? ['right', 'a'] : ['right'];
}

describe.skipIf(core.missing !== null)(titleWithCore('Windfall on the real core', core), () => {
  test('the title waits for a button; then ground, fruit and a checkpoint are paid', async () => {
    const game = await boot();
    let outcome = await step(game, []);
    for (let i = 0; i < 120; i++) outcome = await step(game, []);
    expect(outcome.progress).toMatchObject({ mode: 'title', playing: false, rewardTotal: 0 });
    for (let i = 0; i < 5; i++) await step(game, ['b']);
    const paid = new Set<string>();
    const slots: string[] = [];
    for (let i = 0; i < 1_800; i++) {
      outcome = await step(game, cruise(i));
      for (const { ruleId } of outcome.agents[0]!.rewards) paid.add(ruleId);
      if (outcome.saveSlot !== null) slots.push(outcome.saveSlot);
    }
    expect([...paid].sort()).toEqual(['checkpoint', 'fruit', 'ground', 'started']);
    expect(slots.length).toBeGreaterThan(0);
    expect(outcome.progress.rank).toBeGreaterThanOrEqual(2);
  });

  test('a fly that presses nothing still moves: wind and gusts leave no dead end', async () => {
    const game = await boot();
    for (let i = 0; i < 60; i++) await step(game, []);
    for (let i = 0; i < 5; i++) await step(game, ['a']);
    for (let i = 0; i < 4_000; i++) await step(game, []);
    const reading = readSample(game.now.inspection);
    expect(reading.kind === 'valid' ? reading.sample.column : 0).toBeGreaterThan(24);
  });

  test('a frame whose logic is late is rare: at most one in a hundred', async () => {
    const game = await boot();
    for (let i = 0; i < 60; i++) await step(game, []);
    for (let i = 0; i < 5; i++) await step(game, ['a']);
    for (let i = 0; i < 1_500; i++) await step(game, cruise(i));
    expect(game.now.inspection[0xc11f]!).toBeLessThan(15);
  });
});
