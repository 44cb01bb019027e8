import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChoiceSummary } from '../../../engine/contract/readout.ts';
import type { ShownEvent } from '../../../engine/replica/snapshot.ts';
import { MIN_DECISIONS } from '../../../systems/readout/entropy-monitor.ts';
import { openTestSession } from '../../fixture/test-session.ts';
import type { TestSession } from '../../fixture/test-session.ts';

let session: TestSession;
let choices: ChoiceSummary;

beforeEach(async () => {
  session = await openTestSession();
  choices = { decisions: 0, entropyBits: 0, frozen: false };
  session.world.handles.readouts[0] = { ...session.world.handles.readouts[0]!, entropy: () => choices };
});

afterEach(() => session.close());

/** Labels published while the monitor says `next` for three transitions. */
async function during(next: ChoiceSummary): Promise<ShownEvent[]> {
  choices = next;
  const seen: ShownEvent[] = [];
  for (let step = 0; step < 3; step++) {
    await session.run(1);
    seen.push(...session.devices.publisher.latest!.events);
  }
  return seen.filter(({ dedupeKey }) => dedupeKey.startsWith('choices-'));
}

test('scores that settle into one order are told once, and told again when they leave it (brain.md 14.8)', async () => {
  expect(await during({ decisions: 200, entropyBits: 2, frozen: false })).toEqual([]);
  expect(await during({ decisions: 210, entropyBits: 2, frozen: true })).toMatchObject([
    {
      kind: 'system',
      tier: 'notable',
      label: 'direction scores keep one order, habituation turns them',
      value: null,
      agentIndex: 0,
    },
  ]);
  expect(await during({ decisions: 220, entropyBits: 1.9, frozen: true })).toEqual([]);
  expect(await during({ decisions: 230, entropyBits: 1.9, frozen: false })).toMatchObject([
    { label: 'direction scores change their order again' },
  ]);
});

test('after a jump the monitor knows nothing, so nothing is told until it does', async () => {
  expect(await during({ decisions: 256, entropyBits: 2, frozen: true })).toHaveLength(1);
  expect(await during({ decisions: 1, entropyBits: 0, frozen: false })).toEqual([]);
  expect(await during({ decisions: MIN_DECISIONS, entropyBits: 2, frozen: false })).toEqual([]);
  expect(await during({ decisions: MIN_DECISIONS + 1, entropyBits: 2, frozen: true })).toHaveLength(1);
});

test('every label fits the event list: at most 60 characters', async () => {
  const told = [
    ...(await during({ decisions: 256, entropyBits: 2, frozen: true })),
    ...(await during({ decisions: 256, entropyBits: 2, frozen: false })),
  ];
  expect(told).toHaveLength(2);
  for (const { label } of told) expect(label.length).toBeLessThanOrEqual(60);
});

test('each snapshot says per agent how even the choices are and whether they are frozen', async () => {
  await during({ decisions: 256, entropyBits: 1.75, frozen: true });
  expect(session.devices.publisher.latest!.agents[0]!.choices).toEqual({ entropyBits: 1.75, frozen: true });
});
