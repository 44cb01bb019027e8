import { expect, test } from 'vitest';
import type { ControlBatch } from '../../engine/contract/environment.ts';
import { environmentModule } from '../../systems/environment/arena/environment.ts';
import { mirrorWorld } from './mirrored-world.ts';

const OPTIONS = { environmentId: 'arena', contentPath: null, slotIds: [], coresFolder: '', report: () => undefined };
const BUTTONS = ['up', 'down', 'left', 'right', 'a', 'b', 'start', 'select'];

/** Player 1 walks one way and player 2 up, for `steps` steps. */
function walk(way: string, steps: number): ControlBatch[] {
  const pad = (portId: string, down: string): ControlBatch['ports'][number] => ({
    portId,
    buttons: BUTTONS.map((name) => name === down),
    axes: [],
  });
  return Array.from({ length: steps }, (_, k) => ({
    batchId: `b${k}`,
    ports: [pad('player-1', way), pad('player-2', 'up')],
  }));
}

test('in the mirror a push to the left is one to the right, and the picture is the flipped one', async () => {
  const plain = await environmentModule.open(OPTIONS);
  const mirror = mirrorWorld(await environmentModule.open(OPTIONS));
  await plain.boot();
  await mirror.boot();
  const right = walk('right', 200);
  const left = walk('left', 200);
  for (let k = 0; k < 200; k++) {
    const seen = await plain.advance(right[k]!);
    const mirrored = await mirror.advance(left[k]!);
    expect(mirrored.inspection).toEqual(seen.inspection);
    if (k !== 199) continue;
    const { widthPx } = plain.descriptor.views[0]!;
    const row = (pixels: Uint8Array, y: number): Uint32Array =>
      new Uint32Array(pixels.slice(y * widthPx * 4, (y + 1) * widthPx * 4).buffer);
    for (const y of [0, 70, 143]) {
      expect(row(mirrored.views[0]!, y)).toEqual(row(seen.views[0]!, y).toReversed());
    }
    expect(row(seen.views[0]!, 70)).not.toEqual(row(seen.views[0]!, 70).toReversed());
  }
  await plain.close();
  await mirror.close();
});
