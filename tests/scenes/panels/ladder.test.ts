import { expect, test } from 'vitest';
import { createLadder } from '../../../scenes/panels/ladder.ts';
import type { Sketch } from '../../../scenes/sketch.ts';
import { PANE_HEIGHT, PANE_TOP } from '../../../scenes/tabs.ts';
import { capHeight } from '../../../scenes/theme.ts';
import { fakeDescriptor, fakeSnapshot, feed, openReplica } from '../fixture.ts';

type Drawn = { readonly what: string; readonly x: number; readonly top: number; readonly bottom: number };

/** What the pane states, in the column of the numbers. */
function statsOf(coveredPx: number, entropyBits: number): Drawn[] {
  const drawn: Drawn[] = [];
  const sketch: Sketch = {
    root: null as never,
    begin: () => undefined,
    rect: (x, y, _width, height) => void drawn.push({ what: 'bar', x, top: y, bottom: y + height }),
    ring: () => undefined,
    text: (id, style, x, y) =>
      void drawn.push({ what: id, x, top: y, bottom: y + style.sizePx * capHeight[style.face] }),
    end: () => true,
  };
  const replica = openReplica(fakeDescriptor());
  const [agent] = fakeSnapshot(1).agents;
  feed(replica, fakeSnapshot(1, { agents: [{ ...agent!, choices: { entropyBits, frozen: false } }] }), 0);
  createLadder(fakeDescriptor()).draw(sketch, replica, 0, coveredPx);
  const left = drawn.find(({ what }) => what === 'ladder-stuck')!.x;
  return drawn.filter(({ x }) => x >= left);
}

test.each([0, 72])('no number of the ladder touches the bar below it, %i px covered by a moment', (coveredPx) => {
  const stats = statsOf(coveredPx, 1.5);
  const bars = stats.filter(({ what }) => what === 'bar');
  expect(bars.length).toBeGreaterThan(0);
  for (const words of stats.filter(({ what }) => what !== 'bar')) {
    expect(words.bottom, words.what).toBeLessThanOrEqual(PANE_TOP + PANE_HEIGHT);
    for (const bar of bars) {
      const gap = Math.max(bar.top - words.bottom, words.top - bar.bottom);
      expect(gap, words.what).toBeGreaterThanOrEqual(4);
    }
  }
});
