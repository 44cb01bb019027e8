import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { createMixer } from '../../broadcast/mix/mixer.ts';
import { createAudioTimeline, positionsAt } from '../../engine/audio-timeline.ts';
import type { Observation } from '../../engine/contract/environment.ts';
import { sha256Hex } from '../../engine/identity/digest.ts';
import { openChannel } from '../../engine/replica/channel.ts';
import type { Channel } from '../../engine/replica/channel.ts';
import type { Snapshot } from '../../engine/replica/snapshot.ts';
import type { WireMessage } from '../../engine/replica/wire.ts';
import { GAME_BOY_STEP } from '../../systems/environment/gameboy/describe-gameboy.ts';
import { closedAfterEach } from '../fixture/closed-after-each.ts';
import { openTestMatch } from '../fixture/test-match.ts';
import type { TestMatch, TestMatchOptions } from '../fixture/test-match.ts';

const open = closedAfterEach(openTestMatch);

/** Spoils the observation of boundary 4 and nothing before. */
const spoilFourth =
  (change: (observation: Observation) => Partial<Observation>) =>
  (observation: Observation, boundary: number): Observation =>
    boundary === 4 ? { ...observation, ...change(observation) } : observation;

test('MED-01 a view two steps late shows 0, 0, 0, 1, 2, and the same first buffer three times (session.md 12.1)', async () => {
  const shown: { produced: number; pixels: Uint8Array }[] = [];
  const match = await open({ viewDelaySteps: 2 });
  const note = (): void => {
    const { producedSteps, views } = match.world.transition.after!;
    shown.push({ produced: producedSteps![0]!, pixels: views[0]! });
  };
  note();
  for (let step = 0; step < 4; step++) {
    await match.run(1);
    note();
  }
  expect(shown.map(({ produced }) => produced)).toEqual([0, 0, 0, 1, 2]);
  expect(shown[1]!.pixels).toBe(shown[0]!.pixels);
  expect(shown[2]!.pixels).toBe(shown[0]!.pixels);
  expect(shown[3]!.pixels).not.toBe(shown[0]!.pixels);
});

test.each<[string, number, (observation: Observation) => Partial<Observation>]>([
  ['is missing', 0, () => ({ views: [] })],
  ['is a byte short', 0, ({ views }) => ({ views: [views[0]!.subarray(1)] })],
  ['has padded rows', 0, ({ views }) => ({ views: [new Uint8Array(views[0]!.length + 16 * 4)] })],
  ['is one boundary late', 0, () => ({ producedSteps: [3] })],
  ['comes from the future', 0, () => ({ producedSteps: [5] })],
  ['is late by less than its delay', 2, () => ({ producedSteps: [3] })],
  ['is late by more than its delay', 2, () => ({ producedSteps: [1] })],
])('MED-01 a view that %s fails the transition, and no fly is rewarded on a guess', async (_, delay, change) => {
  const match = await open({ viewDelaySteps: delay, spoil: spoilFourth(change) });
  await match.run(3);
  const rewards = [...match.world.stores.Tally.rewardTotal];
  await expect(match.run(1)).rejects.toMatchObject({ code: 'OBSERVATION' });
  expect(match.steps).toHaveLength(3);
  expect([...match.world.stores.Tally.rewardTotal]).toEqual(rewards);
});

test('MED-01 a delayed view has to say which boundary it shows', async () => {
  const silent = ({ producedSteps: _, ...rest }: Observation): Observation => rest;
  const match = await open({ viewDelaySteps: 1, spoil: silent });
  await expect(match.run(1)).rejects.toMatchObject({ code: 'OBSERVATION' });
  const prompt = await open({ spoil: silent });
  await prompt.run(3);
});

test.each([0, 1, 3])(
  'MED-02 one picture is drawn per boundary with %i readers; flies and feed see the same bytes',
  async (readers) => {
    const seen: string[][] = [[], []];
    const sent: string[] = [];
    const match = await open({
      wrapBrain: (brain, i) => ({
        ...brain,
        installFrame(rgba, widthPx, heightPx) {
          seen[i]!.push(sha256Hex(rgba));
          brain.installFrame(rgba, widthPx, heightPx);
        },
      }),
    });
    for (let reader = 0; reader < readers; reader++) {
      match.devices.publisher.addReader(
        listen(({ attachments }) => {
          const view = attachments.find(({ kind }) => kind === 'view');
          if (view !== undefined && reader === 0) sent.push(sha256Hex(view.bytes));
        }),
      );
    }
    await match.run(20);
    expect(match.environment.tally.renders).toBe(21);
    expect(seen[0]).toHaveLength(21);
    expect(seen[1]).toEqual(seen[0]);
    if (readers > 0) expect(sent).toEqual(seen[0]!.slice(1));
  },
);

test.each<[string, (observation: Observation) => Partial<Observation>, string]>([
  ['is missing', () => ({ audio: [] }), 'OBSERVATION'],
  ['is empty', () => ({ audio: [new Float32Array(0)] }), 'OBSERVATION'],
  ['holds a NaN', ({ audio }) => ({ audio: [audio[0]!.with(9, NaN)] }), 'OBSERVATION'],
  ['holds an infinity', ({ audio }) => ({ audio: [audio[0]!.with(9, Infinity)] }), 'OBSERVATION'],
  ['does not say where it begins, though it should', () => ({ audioMarks: [] }), 'OBSERVATION'],
  ['overlaps the one before', () => mark(3 * 800 - 1, false), 'AUDIO_TIMELINE'],
  ['goes back though marked', () => mark(0, true), 'AUDIO_TIMELINE'],
  ['leaves a gap unmarked', () => mark(3 * 800 + 1, false), 'AUDIO_TIMELINE'],
  ['continues exactly but is marked as skipped', () => mark(3 * 800, true), 'AUDIO_TIMELINE'],
  ['begins between two samples', () => mark(3 * 800 + 0.5, true), 'AUDIO_TIMELINE'],
])('MED-03 a chunk of sound that %s fails the transition', async (_, change, code) => {
  const match = await open({ spoil: spoilFourth(change) });
  await match.run(3);
  await expect(match.run(1)).rejects.toMatchObject({ code });
  expect(match.steps).toHaveLength(3);
});

test('MED-03 samples that were really skipped may be marked, and the timeline goes on behind them', async () => {
  const match = await open({ marksAudio: true, spoil: spoilFourth(() => mark(3 * 800 + 100, true)) });
  await match.run(4);
  expect(match.world.audio.positions()).toEqual([{ streamId: 'counter', nextSample: 4 * 800 + 100 }]);
});

const rollsBackAtFive: TestMatchOptions = {
  flies: 1,
  outcome(input, plain) {
    if (input.after.engineFrame === '3') return { ...plain, saveSlot: 'best' };
    return input.after.engineFrame === '6' ? { ...plain, rollback: { slotId: 'best', trigger: 'test' } } : plain;
  },
};

test('MED-03 after a rollback the first chunk has to be marked, the next one must not be (session.md 12.2)', async () => {
  const match = await open(rollsBackAtFive);
  await match.run(5);
  expect(match.world.phase.epoch).toBe('e1.rb1');
  await match.run(3); // the world marks its first chunk after the jump
  expect(match.world.audio.positions()[0]!.nextSample).toBe(8 * 800);
  const silent = await open({
    ...rollsBackAtFive,
    spoil: (o, at) => ({ ...o, ...(at > 5 ? mark((at - 1) * 800, false) : {}) }),
  });
  await silent.run(5);
  await expect(silent.run(1)).rejects.toMatchObject({
    code: 'AUDIO_TIMELINE',
    message: expect.stringContaining('jump') as string,
  });
});

test.each([true, false])(
  'MED-03 a reader finds the mark where sound begins again after a rollback, and not later (world marks: %s)',
  async (marksAudio) => {
    const shown: [step: string, marked: boolean, samples: number][] = [];
    const match = await open({ ...rollsBackAtFive, marksAudio });
    await match.run(1);
    match.devices.publisher.addReader(
      listen(({ header, attachments }) => {
        const { step, discontinuity } = header as unknown as Snapshot;
        const sound = attachments.find(({ kind }) => kind === 'audio');
        shown.push([step, discontinuity, (sound?.bytes.byteLength ?? 0) / 4]);
      }),
    );
    await match.run(7);
    expect(shown.slice(1)).toEqual([
      ['3', false, 800],
      ['4', false, 800],
      ['5', true, 0], // the picture of the slot
      ['6', true, 800],
      ['7', false, 800],
      ['8', false, 800],
    ]);
  },
);

test('MED-03 after a restore the session refuses a first chunk the world did not mark', async () => {
  let restores = 0;
  const match = await open({
    flies: 1,
    recovery: {},
    spoil: (o, at) => (restores === 1 ? { ...o, ...mark((at - 1) * 800, false) } : o),
  });
  const restore = match.environment.restore.bind(match.environment);
  match.environment.restore = (state) => {
    restores += 1;
    return restore(state);
  };
  match.world.captureRequested = 'test';
  await match.run(3); // captured at 1
  match.environment.die('signal SIGSEGV');
  await match.run(2);
  expect(match.lifecycle.filter(({ kind }) => kind === 'failed')).toEqual([
    expect.objectContaining({ code: 'ENVIRONMENT_DEAD' }),
    expect.objectContaining({ code: 'AUDIO_TIMELINE', message: expect.stringContaining('jump') as string }),
  ]);
  expect(match.world.phase).toMatchObject({ name: 'ready', epoch: 'e3' }); // the third time it was marked
  expect(match.world.audio.positions()[0]!.nextSample).toBe(Number(match.world.runSteps) * 800);
});

test('MED-03 a stream whose step is too short for a sample is marked where its first sample comes', () => {
  const timeline = createAudioTimeline([{ streamId: 'slow', sampleRateHz: 8_000, channels: 1 }]);
  timeline.jump();
  expect(timeline.accept(0, 0, undefined)).toBe(false);
  expect(timeline.accept(0, 1, undefined)).toBe(true);
  expect(timeline.accept(0, 1, undefined)).toBe(false);
});

test('MED-03 a restore takes the saved position up, marks the first chunk, and refuses a stream without one', () => {
  const streams = [
    { streamId: 'left', sampleRateHz: 48_000, channels: 1 },
    { streamId: 'right', sampleRateHz: 8_000, channels: 1 },
  ];
  const timeline = createAudioTimeline(streams);
  timeline.accept(0, 800, { firstSample: 0, discontinuity: false });
  timeline.accept(1, 133, undefined);
  const saved = timeline.positions();
  timeline.accept(0, 800, undefined);
  timeline.restore(saved);
  expect(timeline.positions()).toEqual([
    { streamId: 'left', nextSample: 800 },
    { streamId: 'right', nextSample: 133 },
  ]);
  expect(() => timeline.accept(0, 800, { firstSample: 800, discontinuity: false })).toThrow('not marked');
  expect(timeline.accept(0, 800, { firstSample: 800, discontinuity: true })).toBe(true);
  expect(timeline.accept(0, 800, undefined)).toBe(false);
  for (const bad of [saved.slice(1), [{ streamId: 'left', nextSample: -1 }, saved[1]!], []]) {
    expect(() => timeline.restore(bad)).toThrow(expect.objectContaining({ code: 'AUDIO_POSITION' }));
  }
  expect(timeline.positions()[0]!.nextSample).toBe(2_400); // a refused restore changed nothing
});

test('MED-03 the position is part of every capture, and an old save without one gets floor(k * step * rate)', async () => {
  const match = await open();
  match.world.captureRequested = 'test';
  await match.run(1);
  expect((await match.world.captures.latest())!.audio).toEqual([{ streamId: 'counter', nextSample: 800 }]);
  const streams = [{ streamId: 'gameboy', sampleRateHz: 48_000, channels: 2 }];
  const at = (boundary: bigint): number => positionsAt(streams, GAME_BOY_STEP, boundary)[0]!.nextSample;
  expect([at(1n), at(2n), at(2_048n)]).toEqual([803, 1_607, 1_645_875]); // 1645875/2048 per step, session.md 12.2
});

test('MED-03 chunk lengths add up rationally: 8 kHz at 60 Hz is 133, 133, 134 (session.md 12.2)', async () => {
  const match = await open({ sampleRateHz: 8_000 });
  const lengths: number[] = [];
  for (let step = 0; step < 6; step++) {
    await match.run(1);
    lengths.push(match.world.transition.after!.audio[0]!.length);
  }
  expect(lengths).toEqual([133, 133, 134, 133, 133, 134]);
});

test('MED-03 48 kHz at 7 Hz is six chunks of 6,857 and one of 6,858 (session.md 12.2)', async () => {
  const match = await open({ flies: 1, stepDuration: { numerator: 1_000_000_000n, denominator: 7n } });
  const lengths: number[] = [];
  for (let step = 0; step < 7; step++) {
    await match.run(1);
    lengths.push(match.world.transition.after!.audio[0]!.length);
  }
  expect(lengths).toEqual([6_857, 6_857, 6_857, 6_857, 6_857, 6_857, 6_858]);
});

test('MED-06 buffers overwritten as soon as the contract allows it change nothing: nobody reads them later', async () => {
  const seen: string[][] = [];
  const matches: TestMatch[] = [];
  for (const poison of [true, false]) {
    const match = await open({ poison, viewDelaySteps: 1 });
    const received: string[] = [];
    let behind = 0;
    for (const pendingBytes of [() => 0, () => behind]) {
      match.devices.publisher.addReader({
        send: ({ header, attachments }) =>
          received.push(
            `${header.step as string} ${attachments.map(({ kind, index, bytes }) => `${kind} ${index} ${sha256Hex(bytes)}`).join()}`,
          ),
        pendingBytes,
        close: () => undefined,
      });
    }
    await match.run(20);
    behind = 9 * 1024 * 1024; // what is kept for this one outlives the world's buffers
    await match.run(30);
    behind = 0;
    await match.run(10);
    expect(match.devices.publisher.losses()).toMatchObject({ snapshots: 30, soundChunks: 0 });
    seen.push(received);
    matches.push(match);
  }
  const [poisoned, plain] = matches;
  expect(poisoned!.steps).toEqual(plain!.steps);
  expect(poisoned!.devices.trace.digest()).toBe(plain!.devices.trace.digest());
  expect(seen[0]).toHaveLength(60 + 30);
  expect(seen[0]).toEqual(seen[1]);
});

test.each<[string, () => (observation: Observation) => Partial<Observation>]>([
  ['memory image', () => reuse('inspection')],
  ['picture', () => reuse('views')],
])('MED-06 a world that reuses its %s while the boundary before is still read is refused', async (_, make) => {
  const change = make();
  const match = await open({ spoil: (observation) => ({ ...observation, ...change(observation) }) });
  await match.run(1);
  await expect(match.run(1)).rejects.toMatchObject({
    code: 'OBSERVATION',
    message: expect.stringContaining('overwrites') as string,
  });
});

test('MED-04 the DC blocker is heard and nowhere else: not in a checkpoint, not by a fly, not in the chunk itself', async () => {
  const [heard, alone] = [await open(), await open()];
  const mixer = createMixer(heard.environment.descriptor.audio);
  heard.devices.publisher.addReader(
    listen(({ header, attachments }) => {
      for (const { kind, index, bytes } of attachments) {
        // the session's own memory, as it may be shared in one process
        if (kind === 'audio') mixer.push(index, floatsOf(bytes), (header as unknown as Snapshot).worldMs);
      }
    }),
  );
  const levels: number[][] = [];
  for (const match of [heard, alone]) {
    const own: number[] = [];
    for (let step = 0; step < 30; step++) {
      await match.run(1);
      own.push(...new Set(match.world.transition.after!.audio[0]));
    }
    match.world.captureRequested = 'test';
    await match.run(1);
    levels.push(own);
  }
  expect(new Set(levels[0]).size).toBeGreaterThan(1);
  expect(levels[0]).toEqual(levels[1]); // constant within a chunk: what a filter would have changed
  expect(heard.steps).toEqual(alone.steps);
  const [withFilter, without] = [await heard.world.captures.latest(), await alone.world.captures.latest()];
  expect(withFilter).toEqual(without);
});

test('MED-06 a reader that stalls keeps the picture and the sound it was sent, whatever the world does meanwhile', async () => {
  const right: string[] = [];
  const rightSound: string[] = [];
  const match = await open({
    poison: true,
    spoil(observation) {
      const [samples] = observation.audio;
      rightSound.push(sha256Hex(new Uint8Array(samples!.buffer.slice(0))));
      return observation;
    },
    wrapBrain: (brain, i) => ({
      ...brain,
      installFrame(rgba, widthPx, heightPx) {
        if (i === 0) right.push(sha256Hex(rgba));
        brain.installFrame(rgba, widthPx, heightPx);
      },
    }),
  });
  const held: Buffer[] = [];
  let go: (() => void) | null = null;
  const stalled = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      held.push(chunk); // the channel's own buffer: a copy here would hide a reuse
      if (go === null) go = done;
      else done();
    },
  });
  const channel = openChannel(stalled, { onMessage: () => undefined, onClose: () => undefined });
  match.devices.publisher.addReader(channel);
  await match.run(10);
  (go as (() => void) | null)?.();
  await new Promise((resolve) => setImmediate(resolve));
  const received: string[] = [];
  const receivedSound: string[] = [];
  const replay = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  openChannel(replay, {
    onMessage({ attachments }) {
      received.push(...attachments.filter(({ kind }) => kind === 'view').map(({ bytes }) => sha256Hex(bytes)));
      receivedSound.push(...attachments.filter(({ kind }) => kind === 'audio').map(({ bytes }) => sha256Hex(bytes)));
    },
    onClose: () => undefined,
  });
  for (const chunk of held) replay.push(chunk);
  while (received.length < 10) await new Promise((resolve) => setImmediate(resolve));
  expect(received).toEqual(right.slice(1));
  expect(receivedSound).toEqual(rightSound);
  expect(rightSound).toHaveLength(10);
});

test('MED-07 nothing but pixels reaches a brain: other memory, frame counts and progress leave every spike as it was', async () => {
  const spikes = async (said: 'plain' | 'much'): Promise<unknown> => {
    const match = await open({
      spoil: (observation) => ({
        ...observation,
        engineFrame: said === 'much' ? '-77' : observation.engineFrame,
        inspection: said === 'much' ? withMore(observation.inspection) : observation.inspection,
      }),
      outcome: (_, plain) =>
        said === 'plain'
          ? plain
          : { ...plain, progress: { ...plain.progress, mode: 'winning', uniquePlaces: 999, rewardTotal: 1e6 } },
    });
    await match.run(60);
    return match.steps.map(({ agents }) => agents.map(({ spikes: bits, rates, drive }) => [bits, rates, drive]));
  };
  expect(await spikes('much')).toEqual(await spikes('plain'));
});

test('MED-07 a brain refuses input that is no picture of the size it is told', async () => {
  const match = await open({ flies: 1 });
  const [brain] = match.world.handles.brains;
  const before = Array.from(brain!.visualDrive);
  for (const structured of [new Uint8Array(16), new Uint8Array(0), new Uint8Array(16 * 16 * 4 + 1)]) {
    expect(() => brain!.installFrame(structured, 16, 16)).toThrow(expect.objectContaining({ code: 'RETINA_SHAPE' }));
  }
  expect(Array.from(brain!.visualDrive)).toEqual(before);
});

test('MED-07 a fly sees its own private view and never another one; without one it sees the shared view', async () => {
  for (const privateViews of [true, false]) {
    const seen: Record<string, string[]> = {};
    let current: TestMatch | null = null;
    const match = await open({
      privateViews,
      wrapBrain: (brain) => ({
        ...brain,
        installFrame(rgba, widthPx, heightPx) {
          const index = current?.world.transition.after?.views.findIndex((view) => view === rgba) ?? -1;
          (seen[brain.agentId] ??= []).push(current?.environment.descriptor.views[index]?.viewId ?? 'boot');
          brain.installFrame(rgba, widthPx, heightPx);
        },
      }),
    });
    current = match;
    await match.run(2);
    const own = (view: string): string[] => ['boot', ...(privateViews ? [view, view] : ['shared', 'shared'])];
    expect(seen).toEqual({ 'fly-a': own('own-p01'), 'fly-b': own('own-p02') });
  }
});

test("MED-07 a fly for which there is no view at all fails the transition: never darkness, never somebody else's", async () => {
  const match = await open();
  const { descriptor } = match.environment;
  const onlyB = { ...descriptor, views: descriptor.views.map((view) => ({ ...view, portId: 'p02' })) };
  Object.assign(match.environment, { descriptor: onlyB });
  await expect(match.run(1)).rejects.toMatchObject({
    code: 'VIEW_MISSING',
    message: expect.stringContaining('fly-a') as string,
  });
});

function mark(firstSample: number, discontinuity: boolean): Partial<Observation> {
  return { audioMarks: [{ firstSample, discontinuity }] };
}

/** Writes every boundary into the buffer of the first one. */
function reuse(part: 'inspection' | 'views'): (observation: Observation) => Partial<Observation> {
  let first: Uint8Array | null = null;
  return (observation) => {
    const fresh = part === 'inspection' ? observation.inspection : observation.views[0]!;
    first ??= fresh.slice();
    first.set(fresh);
    return part === 'inspection' ? { inspection: first } : { views: [first] };
  };
}

/** The same counters and one more word that belongs to nobody. */
function withMore(inspection: Uint8Array): Uint8Array {
  const more = new Uint8Array(inspection.length + 4).fill(0x5a);
  more.set(inspection);
  return more;
}

function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
}

function listen(onMessage: (message: WireMessage) => void): Channel {
  return { send: onMessage, pendingBytes: () => 0, close: () => undefined };
}
