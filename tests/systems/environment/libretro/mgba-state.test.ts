import { expect, test } from 'vitest';
import { stripSavedata } from '../../../../systems/environment/libretro/mgba-state.ts';

const FIXED_BYTES = 0x11800;

/** A state of the core's form with extra blocks of the given tags. */
function stateWith(tags: readonly number[]): Uint8Array {
  const state = new Uint8Array(FIXED_BYTES + 0x1000).fill(7, 4);
  const view = new DataView(state.buffer);
  view.setUint32(0, 0x00400003, true);
  state.fill(0, FIXED_BYTES);
  tags.forEach((tag, i) => {
    view.setUint32(FIXED_BYTES + i * 16, tag, true);
    view.setUint32(FIXED_BYTES + i * 16 + 4, 100 + tag, true);
  });
  return state;
}

function tagsOf(state: Uint8Array): number[] {
  const view = new DataView(state.buffer, FIXED_BYTES);
  return [0, 1, 2, 3].map((i) => view.getUint32(i * 16, true));
}

test('the cartridge RAM block goes and the others close ranks', () => {
  expect(tagsOf(stripSavedata(stateWith([1, 2, 4]), 'gb'))).toEqual([1, 4, 0, 0]);
  expect(tagsOf(stripSavedata(stateWith([2]), 'gb'))).toEqual([0, 0, 0, 0]);
});

test('a state without that block is copied unchanged, and the source is never written', () => {
  const state = stateWith([1, 4]);
  const stripped = stripSavedata(state, 'gb');
  expect(stripped).toEqual(state);
  expect(stripped).not.toBe(state);
  const withBlock = stateWith([2, 4]);
  const before = withBlock.slice();
  stripSavedata(withBlock, 'gb');
  expect(withBlock).toEqual(before);
});

test('bytes of another form are refused instead of cut', () => {
  const other = stateWith([]);
  other[2] = 0x41;
  for (const state of [other, new Uint8Array(100), new Uint8Array(0)]) {
    expect(() => stripSavedata(state, 'gb')).toThrow(expect.objectContaining({ code: 'CORE_STATE' }) as Error);
  }
});
