import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLiveEdge } from '../../../../broadcast/control/page/live-edge.ts';
import type { EdgeAction } from '../../../../broadcast/control/page/live-edge.ts';

const STEP_MS = 250;

test('a picture within two seconds of the edge plays at its own speed', () => {
  const run = simulate({ reserveSeconds: 1.5, burstSeconds: 0.5, seconds: 20 });
  expect(run.rates).toEqual([1]);
  expect(run.seeks).toBe(0);
});

test('a picture three seconds late is played a little faster until it is near', () => {
  const run = simulate({ reserveSeconds: 3, burstSeconds: 0.5, seconds: 60 });
  expect(run.rates).toEqual([1, 1.1]);
  expect(run.seeks).toBe(0);
  expect(run.endReserve).toBeLessThan(1.4);
  expect(run.endRate).toBe(1);
});

test('a picture very late jumps', () => {
  const run = simulate({ reserveSeconds: 12, burstSeconds: 0.5, seconds: 10 });
  expect(run.seeks).toBe(1);
  expect(run.endReserve).toBeLessThan(2);
});

test('bursts of two seconds do not look like a delay', () => {
  const run = simulate({ reserveSeconds: 0.6, burstSeconds: 2, seconds: 20 });
  expect(run.rates).toEqual([1]);
  expect(run.seeks).toBe(0);
});

test('a hole in the stream is jumped to the newest part', () => {
  const edge = createLiveEdge();
  const action = edge.decide(0, 10, [
    [0, 10],
    [14, 20],
  ]);
  expect(action).toEqual({ kind: 'seek', toSeconds: 19.2 });
});

test('the very first piece is entered wherever its time begins', () => {
  expect(createLiveEdge().decide(0, 0, [[86_400, 86_400.5]])).toEqual({ kind: 'seek', toSeconds: 86_400 });
});

test('with nothing buffered nothing happens', () => {
  expect(createLiveEdge().decide(0, 0, [])).toEqual({ kind: 'play', rate: 1 });
});

test('a jump never leaves what is buffered', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1e5, noNaN: true }),
      fc.double({ min: 0, max: 1e5, noNaN: true }),
      fc.double({ min: 0.01, max: 60, noNaN: true }),
      (current, start, length) => {
        const action = createLiveEdge().decide(0, current, [[start, start + length]]);
        if (action.kind !== 'seek') return;
        expect(action.toSeconds).toBeGreaterThanOrEqual(start);
        expect(action.toSeconds).toBeLessThanOrEqual(start + length);
      },
    ),
  );
});

type Run = { rates: number[]; seeks: number; endReserve: number; endRate: number };

/** Plays a stream that arrives in real time in bursts, starting `reserveSeconds` before its end. */
function simulate(options: { reserveSeconds: number; burstSeconds: number; seconds: number }): Run {
  const edge = createLiveEdge();
  const rates = new Set<number>();
  let current = 0;
  let end = options.reserveSeconds;
  let owed = 0;
  let rate = 1;
  let seeks = 0;
  for (let nowMs = 0; nowMs < options.seconds * 1_000; nowMs += STEP_MS) {
    owed += STEP_MS / 1_000;
    if (owed >= options.burstSeconds) {
      end += options.burstSeconds;
      owed -= options.burstSeconds;
    }
    const action: EdgeAction = edge.decide(nowMs, current, [[0, end]]);
    if (action.kind === 'seek') {
      current = action.toSeconds;
      seeks++;
    } else {
      rate = action.rate;
      rates.add(rate);
    }
    current = Math.min(end, current + (rate * STEP_MS) / 1_000);
  }
  return { rates: [...rates], seeks, endReserve: end - current, endRate: rate };
}
