import { expect, test } from 'vitest';
import { oneLine } from '../../../../systems/kernel/connectome/one-line.ts';

test('control characters are written out, everything else stays', () => {
  expect(oneLine('a\r\nb\tc\u001b[31m\u0000\u0085\u2028')).toBe('a\\r\\nb\\tc\\u001b[31m\\u0000\\u0085\\u2028');
  expect(oneLine('Kenyon cells, “left” 1 µm')).toBe('Kenyon cells, “left” 1 µm');
});
