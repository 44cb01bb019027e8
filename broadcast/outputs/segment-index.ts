import fs from 'node:fs/promises';
import path from 'node:path';
import { DataError } from '../../engine/errors.ts';

/** Name of the index inside a recording folder. */
export const SEGMENT_INDEX = 'segments.csv';

const HEADER = 'file,start_epoch_ms,end_epoch_ms\n';

/** One recorded file. Times are Unix ms of its first picture and of the end of its last, so they survive restarts. */
export type SegmentRow = {
  readonly file: string;
  readonly startUnixMs: number;
  /** null while it is being written, or when the process died in it. */
  readonly endUnixMs: number | null;
};

/**
 * Appends one line: once when a segment opens and again, with its end, when it closes (spec: broadcast.md 68, 69). The
 * last line of a file counts.
 */
export async function appendSegment(folder: string, row: SegmentRow): Promise<void> {
  const file = path.join(folder, SEGMENT_INDEX);
  const handle = await fs.open(file, 'a');
  try {
    const { size } = await handle.stat();
    await handle.write(`${size === 0 ? HEADER : ''}${row.file},${row.startUnixMs},${row.endUnixMs ?? ''}\n`);
  } finally {
    await handle.close();
  }
}

/** @throws DataError SEGMENT_INDEX naming the first line that is not one of ours; a torn last line is skipped */
export function parseSegmentIndex(text: string): readonly SegmentRow[] {
  const lines = text.split('\n');
  const torn = lines.pop(); // empty after a whole line
  const rows = new Map<string, SegmentRow>();
  for (const [index, line] of lines.entries()) {
    if (index === 0 && `${line}\n` === HEADER) continue;
    const match = /^([0-9]{8}-[0-9]{6}(?:-\d+)?\.ts),(\d+),(\d*)$/.exec(line);
    if (match === null) {
      throw new DataError('SEGMENT_INDEX', `${SEGMENT_INDEX} line ${index + 1} is "${line}"; remove that line.`);
    }
    const file = match[1]!;
    const end = match[3]!;
    rows.set(file, { file, startUnixMs: Number(match[2]), endUnixMs: end === '' ? null : Number(end) });
  }
  return torn === undefined ? [] : [...rows.values()].sort((a, b) => a.startUnixMs - b.startUnixMs);
}
