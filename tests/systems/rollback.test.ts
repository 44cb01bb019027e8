import { expect, test } from 'vitest';
import { createFakeClock } from '../../engine/clock.ts';
import type { TaskInput, TaskOutcome } from '../../engine/contract/task.ts';
import type { Snapshot } from '../../engine/replica/snapshot.ts';
import { createSessionWorld } from '../../engine/world.ts';
import { projectRetina } from '../../systems/kernel/retina.ts';
import type { DecoderState } from '../../systems/readout/decoder-state.ts';
import type { ReadoutHostState } from '../../systems/readout/host-state.ts';
import { closedAfterEach } from '../fixture/closed-after-each.ts';
import { createCounterTask } from '../fixture/counter-task.ts';
import { createCounterWorld } from '../fixture/counter-world.ts';
import { openTestMatch } from '../fixture/test-match.ts';
import { openTestSession } from '../fixture/test-session.ts';
import type { TestSession } from '../fixture/test-session.ts';
import { syntheticConnectome } from './kernel/test-graphs.ts';

const open = closedAfterEach(openTestSession);
const openMatch = closedAfterEach(openTestMatch);

const SAVED_AT = 40;
const ROLLED_BACK_AT = 80;
/** Brain time at that boundary, ms: the warm-up and the closed form of session.md 4. */
const NOW_MS = 2_500 + Math.floor((ROLLED_BACK_AT * 548_625) / 32_768);
const PLACE_OF_SLOT = { area: 3, x: 70, y: 7 };
/** Bright above, dark below: nothing like the grey of the world when it is set back. */
const PICTURE_OF_SLOT = Uint8Array.from({ length: 160 * 144 * 4 }, (_, at) => (at < 160 * 72 * 4 ? 250 : 5));

/** Keeps a slot at one boundary and goes back to it at another; the place the fly is at changes all the time. */
function rollsBack(step: bigint, plain: TaskOutcome): TaskOutcome {
  const moving = { ...plain, contexts: [{ boot: false, bound: [], location: { area: 1, x: Number(step), y: 0 } }] };
  if (step === BigInt(SAVED_AT)) return { ...moving, saveSlot: 'best' };
  if (step === BigInt(ROLLED_BACK_AT)) return { ...moving, rollback: { slotId: 'best', trigger: 'stall' } };
  return moving;
}

type Noted = ReturnType<typeof note>;

function note({ world }: TestSession) {
  const [agent] = world.agents;
  const { AgentClock, Tally } = world.stores;
  const readout = structuredClone(world.handles.readouts[0]!.exportState()) as DecoderState & {
    host: ReadoutHostState;
  };
  const { host, ...decoder } = readout;
  return {
    brain: world.handles.brains[0]!.exportState(),
    decoder,
    host,
    kept: {
      ledger: world.handles.task.capture(),
      clock: [AgentClock.ticks[agent!], AgentClock.owed[agent!], AgentClock.warmupTicks[agent!]],
      tally: [Tally.rewardTotal, Tally.rewards, Tally.spikesTotal, Tally.presses].map((column) => column[agent!]),
      steps: [world.phase.step, world.runSteps, world.episodeSteps, world.rungSinceStep],
      episode: world.episode,
      bestRank: world.bestRank,
      sound: world.audio.positions(),
    },
  };
}

type Watched = {
  readonly session: TestSession;
  /** As it was when the world was set back, and when the boundary was done. */
  readonly before: Noted;
  readonly after: Noted;
  /** What the brain and the readout were asked in between. */
  readonly asked: readonly string[];
};

async function rollBack(): Promise<Watched> {
  const asked: string[] = [];
  const listening = { now: false };
  const heard = <Of extends object>(target: Of, names: readonly (keyof Of)[]): Of => {
    const wrapped = { ...target };
    for (const name of names) {
      const call = target[name] as (...given: unknown[]) => unknown;
      wrapped[name] = ((...given: unknown[]) => {
        if (listening.now) asked.push(String(name));
        return call(...given);
      }) as Of[typeof name];
    }
    return wrapped;
  };
  const session: TestSession = await open({
    outcome: (_input: TaskInput, plain) => rollsBack(session.world.runSteps + 1n, plain),
    wrapBrain: (brain) =>
      heard(brain, [
        'advance',
        'stimulate',
        'reinforce',
        'setLearning',
        'importState',
        'installFrame',
        'clearEligibility',
      ]),
  });
  const { handles } = session.world;
  handles.readouts[0] = heard(handles.readouts[0]!, ['calibrate', 'decide', 'retain', 'clear', 'importState']);
  const { task } = handles;
  const { clearTransients } = task;
  task.clearTransients = (now) => ({
    ...clearTransients(now),
    contexts: [{ boot: false, bound: [], location: PLACE_OF_SLOT }],
  });
  const restoreSlot = handles.environment.restoreSlot.bind(handles.environment);
  let before: Noted | null = null;
  handles.environment.restoreSlot = (slotId) => {
    before = note(session);
    listening.now = true;
    return restoreSlot(slotId).then((observation) => ({ ...observation, views: [PICTURE_OF_SLOT] }));
  };
  await session.run(ROLLED_BACK_AT);
  expect(session.world.phase.epoch).toBe('e1.rb1');
  return { session, before: before!, after: note(session), asked };
}

test('PER-10 a rollback runs no tick, gives no reward and no pulse and calibrates nothing (session.md 14)', async () => {
  const { asked } = await rollBack();
  expect([...asked].sort()).toEqual(['clear', 'clearEligibility', 'installFrame']);
});

test('PER-10 a rollback keeps membranes, noise, rates, gains, clock, ledger, tallies, episode and step as they are', async () => {
  const { before, after } = await rollBack();
  const kept = ({ brain }: Noted): object => ({
    ...brain,
    visualDrive: null,
    plasticity: { gains: brain.plasticity.gains, updates: brain.plasticity.updates },
  });
  expect(kept(after)).toEqual(kept(before));
  expect(after.kept).toEqual(before.kept);
  expect(after.decoder.baseline).toEqual(before.decoder.baseline);
  expect(after.kept.steps.slice(0, 3)).toEqual([80n, 80n, 80n]);
  expect(after.brain.ms).toBe(NOW_MS);
  expect(after.brain.plasticity.gains.some((gain) => gain !== 1)).toBe(true); // the reward of step 64 is remembered
});

test('PER-10 a rollback clears holds, winners and fatigue and locks out at now; the window restarts at the new place', async () => {
  const { before, after } = await rollBack();
  expect(before.decoder.current).not.toBeNull();
  expect(Object.values(before.decoder.heldUntil).some((until) => until > NOW_MS)).toBe(true);
  expect(Object.values(before.decoder.fatigue).some((fatigue) => fatigue > 0)).toBe(true);
  const each = (names: object, value: number): Record<string, number> =>
    Object.fromEntries(Object.keys(names).map((name) => [name, value]));
  expect(after.decoder).toEqual({
    ...before.decoder,
    heldUntil: each(before.decoder.heldUntil, 0),
    nextAllowed: each(before.decoder.nextAllowed, NOW_MS + 480), // clearLockoutMs, session.md 3.2
    nextDecision: NOW_MS,
    current: null,
    fatigue: each(before.decoder.fatigue, 0),
    macroNextDecision: NOW_MS,
    macroCurrent: null,
  });
  expect(after.host.window).toEqual({ heldChannel: null, sinceMs: NOW_MS, lastLocation: PLACE_OF_SLOT });
  expect(before.host.window).toMatchObject({ lastLocation: { area: 1 } });
});

test('PER-10 a rollback clears eligibility, and the next input is the frame of the slot', async () => {
  const { before, after } = await rollBack();
  expect(before.brain.plasticity.traces.some((trace) => trace !== 0)).toBe(true);
  expect(after.brain.plasticity).toEqual({
    ...before.brain.plasticity,
    signal: 0,
    traces: before.brain.plasticity.traces.map(() => 0),
    touched: before.brain.plasticity.touched.map(() => NOW_MS),
  });
  const { retina } = syntheticConnectome();
  const expected = new Float32Array(retina.count);
  projectRetina(PICTURE_OF_SLOT, 160, 144, retina, 0.2, expected);
  expect(Array.from(after.brain.visualDrive)).toEqual(Array.from(expected));
  expect(Array.from(before.brain.visualDrive)).not.toEqual(Array.from(expected));
});

test('PER-10 the state after a rollback is saved durably at its own boundary, with rollback as the reason', async () => {
  const { session } = await rollBack();
  const saved = (await session.world.captures.latest())!;
  expect(saved).toMatchObject({ reason: 'rollback', epoch: 'e1.rb1', step: 80n, rollbacks: 1 });
  expect(session.world.captures.newestDurableStep).toBe(80n);
});

test('PER-10 a slot that is due at the same boundary is saved first, then the world is set back, then the group is saved', async () => {
  const session: TestSession = await open({
    outcome: (_, plain) => {
      const isDue = session.world.runSteps + 1n === 20n;
      return isDue ? { ...plain, saveSlot: 'best', rollback: { slotId: 'best', trigger: 'game-over' } } : plain;
    },
  });
  await session.run(19);
  const order: string[] = [];
  const { environment } = session.world.handles;
  for (const name of ['advance', 'saveSlot', 'restoreSlot', 'capture'] as const) {
    const call = environment[name].bind(environment) as (...given: unknown[]) => Promise<unknown>;
    Object.assign(environment, {
      [name]: (...given: unknown[]) => {
        order.push(`${name} ${session.world.phase.name}`);
        return call(...given);
      },
    });
  }
  await session.run(1);
  expect(order).toEqual(['advance applying', 'saveSlot ready', 'restoreSlot rolling-back', 'capture capturing']);
});

test('PRO-06 at a rollback every button is released and the decision is that of the finished transition', async () => {
  const pressed: boolean[] = [];
  const session: TestSession = await open({
    outcome: (_, plain) => rollsBack(session.world.runSteps + 1n, plain),
  });
  const latest = (): Snapshot => session.devices.publisher.latest!;
  const readout = session.world.handles.readouts[0]!;
  session.world.handles.readouts[0] = { ...readout, decide: () => ({ active: ['left'], macro: null }) };
  for (let step = 1; step <= ROLLED_BACK_AT + 1; step++) {
    await session.run(1);
    pressed.push(latest().agents[0]!.appliedButtons!.includes(true));
    expect(latest().agents[0]!.decision).toEqual(['left']);
  }
  expect(latest().epoch).toBe('e1.rb1');
  expect(pressed.slice(-3)).toEqual([true, false, true]);
});

test('PER-10 a world that several flies share declares no slot to be set back to (session.md 14)', () => {
  const agents = ['p01', 'p02'].map((portId, i) => ({ agentId: `fly-${i}`, portId }));
  const spec = {
    sessionId: 's',
    environment: createCounterWorld({ ports: 2 }),
    environmentId: 'counter',
    task: createCounterTask(2),
    clock: createFakeClock(),
  };
  expect(() => createSessionWorld({ ...spec, agents, slotIds: ['best'] })).toThrow(
    expect.objectContaining({ code: 'COMPOSITION', message: expect.stringContaining('2 flies') as string }),
  );
  createSessionWorld({ ...spec, agents, slotIds: [] });
  createSessionWorld({ ...spec, agents: agents.slice(1), slotIds: ['best'] });
});

test('PER-10 a task that asks to set a shared world back is refused by name before anything has moved', async () => {
  const match = await openMatch({
    flies: 2,
    outcome: (input, plain) => ({
      ...plain,
      saveSlot: input.after.engineFrame === '3' ? 'best' : null,
      rollback: input.after.engineFrame === '6' ? { slotId: 'best', trigger: 'test' } : null,
    }),
  });
  await match.run(4);
  let restored = 0;
  match.environment.restoreSlot = () => Promise.reject(new Error(`restored ${(restored += 1)}`));
  await expect(match.run(1)).rejects.toMatchObject({
    code: 'ROLLBACK',
    message: expect.stringContaining('counter-race asked to set back a world of 2 flies') as string,
  });
  expect([restored, match.world.phase.epoch, match.world.rollbacks]).toEqual([0, 'e1', 0]);
});
