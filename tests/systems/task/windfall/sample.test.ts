import { expect, test } from 'vitest';
import { address } from '../../../../systems/task/windfall/memory-map.ts';
import { readSample } from '../../../../systems/task/windfall/sample.ts';
import { memoryOf } from './windfall-memory.ts';

test('a playing game reads as its orchard, column and hearts', () => {
  const reading = readSample(memoryOf({ orchard: 2, column: 260, hearts: 1, eaten: [3] }));
  expect(reading).toMatchObject({
    kind: 'valid',
    sample: { mode: 'playing', orchard: 2, column: 260, columns: 272, hearts: 1 },
  });
});

test('memory without the two letters is no game', () => {
  expect(readSample(new Uint8Array(65_536))).toEqual({ kind: 'invalid', reason: 'no-game' });
});

test('another version of the block is refused', () => {
  const memory = memoryOf({});
  memory[address.version] = 2;
  expect(readSample(memory)).toEqual({ kind: 'invalid', reason: 'version' });
});

test('a block that is being written is refused', () => {
  expect(readSample(memoryOf({ busy: 1 }))).toEqual({ kind: 'invalid', reason: 'mid-update' });
});

test.each([
  ['mode', address.mode, 99],
  ['orchard', address.orchard, 8],
  ['section', address.section, 4],
  ['hearts', address.hearts, 4],
  ['column', address.column + 1, 9],
])('a %s that no orchard has is refused', (_name, at, value) => {
  const memory = memoryOf({});
  memory[at] = value;
  expect(readSample(memory)).toEqual({ kind: 'invalid', reason: 'range' });
});
