import { expect, test } from 'vitest';
import { formatRows } from '../../../bin/commands/bench-table.ts';

test('a column for every name any row has; text to the left, numbers to the right, what is not known stays empty', () => {
  const rows = [
    { rule: 'step p99', measured: 9.5, note: '3 of 80' },
    { rule: 'lag', measured: 1_240, bound: '<= 0' },
    { rule: 'memory slope, MiB', measured: null },
  ];
  expect(formatRows(rows)).toEqual([
    'rule               measured  note     bound',
    'step p99              9.500  3 of 80',
    'lag                    1240           <= 0',
    'memory slope, MiB',
  ]);
});
