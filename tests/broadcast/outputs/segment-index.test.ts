import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SEGMENT_INDEX, appendSegment, parseSegmentIndex } from '../../../broadcast/outputs/segment-index.ts';
import { segmentName } from '../../../broadcast/outputs/segment-name.ts';

test('a segment is named after the UTC second of its first picture (broadcast.md 67)', () => {
  const unixMs = Date.UTC(2026, 10, 30, 23, 59, 58, 999);
  expect(segmentName(unixMs, 1)).toBe('20261130-235958.ts');
  expect(segmentName(unixMs, 3)).toBe('20261130-235958-3.ts');
});

test('the index keeps absolute times over restarts, and a torn last line is skipped (broadcast.md 68, 69)', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fly-index-'));
  await appendSegment(folder, { file: '20260101-000000.ts', startUnixMs: 1_767_225_600_000, endUnixMs: null });
  await appendSegment(folder, {
    file: '20260101-000000.ts',
    startUnixMs: 1_767_225_600_000,
    endUnixMs: 1_767_226_200_000,
  });
  await appendSegment(folder, { file: '20260101-001000.ts', startUnixMs: 1_767_226_200_000, endUnixMs: null });
  fs.appendFileSync(path.join(folder, SEGMENT_INDEX), '20260101-0020');
  const text = fs.readFileSync(path.join(folder, SEGMENT_INDEX), 'utf8');
  expect(parseSegmentIndex(text)).toEqual([
    { file: '20260101-000000.ts', startUnixMs: 1_767_225_600_000, endUnixMs: 1_767_226_200_000 },
    { file: '20260101-001000.ts', startUnixMs: 1_767_226_200_000, endUnixMs: null },
  ]);
  fs.rmSync(folder, { recursive: true });
});

test('a line that is not ours is refused by number', () => {
  expect(() => parseSegmentIndex('file,start_epoch_ms,end_epoch_ms\n../../etc/passwd,1,2\n')).toThrow(
    expect.objectContaining({ code: 'SEGMENT_INDEX', message: expect.stringContaining('line 2') as string }),
  );
});
