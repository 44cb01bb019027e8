import { expect, test } from 'vitest';
import { createAlarms } from '../../../bin/live/alarms.ts';
import type { LiveCheckpoints } from '../../../bin/live/checkpoints.ts';
import { createControlledSession } from '../../../bin/live/controlled-session.ts';
import type { ControlledSession, SugarAnswer } from '../../../broadcast/control/controlled-session.ts';
import { judgeHealth } from '../../../broadcast/control/health.ts';
import { parseSugarRequest } from '../../../broadcast/control/sugar-request.ts';
import { DeviceError } from '../../../engine/errors.ts';
import { sugarEvents } from '../../fixture/sugar-events.ts';
import { closedAfterEach } from '../../fixture/closed-after-each.ts';
import { openTestMatch } from '../../fixture/test-match.ts';
import type { TestMatch, TestMatchOptions } from '../../fixture/test-match.ts';
import { fakeDescriptor } from '../../scenes/fixture.ts';

const open = closedAfterEach(openTestMatch);

test('PRO-11 at the control surface a slow fly, a paused match, a late fly and a dead one are four things', async () => {
  let release = (): void => undefined;
  let gate = Promise.resolve();
  let isDead = false;
  const { match, session } = await openLive({
    wrapBrain: (brain, i) => ({
      ...brain,
      async advance(ticks) {
        if (i === 1 && isDead) throw new DeviceError('BRAIN_DEAD', 'fly-b: the brain thread ended');
        if (i === 1) await gate;
        return brain.advance(ticks);
      },
    }),
    recovery: {},
  });
  expect(look(session)).toEqual(['booting', true]);
  await match.run(2);
  expect(look(session)).toEqual(['running', true]);

  gate = new Promise((resolve) => (release = resolve));
  const late = match.run(1);
  await turn();
  match.clock.advanceMs(9_999);
  expect(look(session)).toEqual(['waiting-at-barrier', true, 'fly-b']); // session.md 27: healthy
  expect(session.status()).toMatchObject({ status: 'running', barrier: { waitingMs: 9_999 } });
  expect(session.status().agents.map(({ isAwaited }) => isAwaited)).toEqual([false, true]);
  expect(session.metrics()).toContain('\nfly_health{state="waiting-at-barrier"} 1\n');
  match.clock.advanceMs(2);
  expect(look(session)).toEqual(['dead-agent', false, 'fly-b']);
  gate = Promise.resolve();
  release();
  await late;
  await match.run(1);
  expect(look(session)).toEqual(['slow', true]); // ten seconds for a step
  expect(session.status().agents[1]!.stepMs).not.toBeNull();

  match.world.commands.push({ kind: 'pause', by: 'operator' });
  const held = match.run(1);
  await turn();
  match.clock.advanceMs(3_600_000);
  expect(look(session)).toEqual(['paused', true]);
  match.world.commands.push({ kind: 'resume', by: 'operator' });
  match.clock.advanceMs(250);
  await held;
  expect(look(session)[0]).not.toBe('failed'); // the hour of the pause is not a loop that stands still

  isDead = true;
  const seen: unknown[] = [];
  match.world.lifecycle.on((event) => {
    if (event.kind !== 'failed') return;
    seen.push(look(session));
    isDead = false;
  });
  await match.run(1);
  expect(seen[0]).toEqual(['dead-agent', false, 'fly-b']);
});

test('PRO-11 at the control surface a lost world and a loop that stands still are two more', async () => {
  const { match, session } = await openLive({ recovery: {} });
  await match.run(2);
  const seen: unknown[] = [];
  match.world.lifecycle.on((event) => {
    if (event.kind === 'failed') seen.push(look(session));
  });
  match.environment.die('signal SIGKILL');
  await match.run(1);
  expect(seen).toEqual([['backend-disconnected', false, 'counter']]);
  match.clock.advanceMs(2_001); // between two transitions, and nobody is waited for
  expect(look(session)).toEqual(['failed', false]);
});

test('sugar that finds no boundary in two seconds is taken back: refused, and it is not given later (session.md 18)', async () => {
  const { match, session } = await openLive();
  await match.run(1);
  const answer = ask(session, { by: 'ada', durationMs: 400, agentId: 'fly-a' });
  match.clock.advanceMs(2_000);
  expect(await answer).toEqual({
    kind: 'unavailable',
    detail: 'the session reaches no boundary now; no sugar was given',
  });
  const events = sugarEvents(match);
  await match.run(3);
  expect(events).toEqual([]);
});

test('sugar decided in time is not answered a second time, and a boundary is not too late at 1.999 s', async () => {
  const { match, session } = await openLive();
  await match.run(1);
  const answer = ask(session, { by: 'ada', durationMs: 400, agentId: 'fly-a' });
  match.clock.advanceMs(1_999);
  await match.run(1);
  match.clock.advanceMs(5_000);
  expect(await answer).toMatchObject({ kind: 'accepted' });
});

test('sugar in a paused session is refused in words, not with a time nobody knows', async () => {
  const { match, session } = await openLive();
  await match.run(1);
  match.world.commands.push({ kind: 'pause', by: 'operator' });
  const held = match.run(1);
  await turn();
  const answer = ask(session, { by: 'ada', durationMs: 400, agentId: 'fly-a' });
  match.clock.advanceMs(250);
  expect(await answer).toEqual({ kind: 'unavailable', detail: 'the session is paused; no sugar was given' });
  match.world.commands.push({ kind: 'resume', by: 'operator' });
  match.clock.advanceMs(250);
  await turn();
  match.clock.advanceMs(250);
  await held;
});

test.each([
  [250.4, 251],
  [0.2, 1],
  [90_000, 1_000],
])('PRO-07 a wish for %s ms at the door becomes a pulse of %i ms: one rule (session.md 18)', async (asked, given) => {
  const { match, session } = await openLive();
  await match.run(1);
  const answer = ask(session, { by: 'ada', durationMs: asked, agentId: 'fly-b' });
  const events = sugarEvents(match);
  await match.run(1);
  expect(await answer).toMatchObject({ kind: 'accepted' });
  expect(events).toEqual([`sugar by ada, ${given} ms pulse`]);
});

/** State, whether /healthz answers 200, and whom it is about. */
function look(session: ControlledSession): unknown[] {
  const { state, alive, participants } = judgeHealth(session.status());
  return [state, alive, ...participants];
}

function ask(session: ControlledSession, body: object): Promise<SugarAnswer> {
  const parsed = parseSugarRequest(body);
  if (parsed.kind === 'refused') throw new Error(parsed.error);
  return Promise.resolve(session.sugar(parsed.request));
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A match of two flies behind the control surface of the product; nothing but sugar starts a pulse. */
async function openLive(options: TestMatchOptions = {}): Promise<{ match: TestMatch; session: ControlledSession }> {
  const outcome: TestMatchOptions['outcome'] = (_, plain) => ({
    ...plain,
    agents: plain.agents.map(() => ({ rewards: [], stimulationsMs: [] })),
  });
  const match = await open({ outcome, ...options });
  const { publisher, eventLog } = match.devices;
  const control = createControlledSession({
    clock: match.clock,
    publisher,
    alarms: createAlarms(),
    meter: { rssMb: 1, peakRssMb: 1, cores: 1, meanCores: 1, restart: () => undefined, close: () => undefined },
    eventLog,
    showSwitch: {
      current: () => 'match',
      next: null,
      swap: null,
      list: () => Promise.resolve([]),
      request: () => Promise.resolve({ kind: 'already-running' }),
      onRequest: () => undefined,
      enter: () => undefined,
      cancel: () => undefined,
      arrive: () => undefined,
    },
    seed: '42',
    learning: 'on',
    requestStop: () => undefined,
  });
  const described = fakeDescriptor();
  const agents = ['fly-a', 'fly-b'].map((agentId) => ({ ...described.agents[0]!, agentId }));
  const store: LiveCheckpoints = {
    candidates: () => [],
    keepNewest: () => null,
    begin: () => Promise.resolve(),
    durable: () => null,
    queue: () => null,
    end: () => Promise.resolve(),
    release: () => undefined,
  };
  control.attachSession({ ...described, revision: match.devices.revision, agents }, match.world, store);
  return { match, session: control.session };
}
