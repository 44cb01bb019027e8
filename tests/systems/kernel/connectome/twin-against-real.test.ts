import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { SUPER_CLASSES } from '../../../../systems/kernel/connectome/grow/cell-kinds.ts';
import { growCells } from '../../../../systems/kernel/connectome/grow/grow-cells.ts';
import { wireMushroomBody } from '../../../../systems/kernel/connectome/grow/mushroom-body.ts';
import { Kind } from '../../../../systems/kernel/connectome/grow/cell-kinds.ts';

// The real tables are read in place when they are there; they are not ours to ship (spec: twin.md 5).
const data = join(import.meta.dirname, '../../../../../shared/data');
const classification = join(data, 'codex-v783/classification.csv.gz');
const mushroom = join(data, 'mushroom-body-v783/edges.csv.gz');
const absent = !existsSync(classification) || !existsSync(mushroom);

test.skipIf(absent)('the table of super classes and sides is what the real classification counts (twin.md 2)', () => {
  const rows = readRows(classification);
  for (const facts of SUPER_CLASSES) {
    const members = rows.filter((row) => row['super_class'] === facts.name);
    const on = (side: string): number => members.filter((row) => row['side'] === side).length;
    expect([on('left'), on('right'), on('center'), on('')], facts.name).toEqual([
      facts.left,
      facts.right,
      facts.centre,
      facts.blank,
    ]);
  }
});

test.skipIf(absent)(
  'Kenyon outputs and inputs are spread as in the real mushroom body, within 0.06 at every value',
  () => {
    const classes = new Map(readRows(classification).map((row) => [row['root_id']!, row['class']!]));
    const real = {
      outputs: new Map<string, number>(),
      inputs: new Map<string, number>(),
      claws: new Map<string, number>(),
    };
    for (const { pre_root_id: pre, post_root_id: post, syn_count: count } of readRows(mushroom)) {
      if (Number(count) < 5) continue;
      const [from, to] = [classes.get(pre!), classes.get(post!)];
      if (from === 'Kenyon_Cell' && to === 'MBON') {
        add(real.outputs, pre!);
        add(real.inputs, post!);
      } else if (from === 'ALPN' && to === 'Kenyon_Cell') add(real.claws, post!);
    }
    const { kind } = growCells(1);
    const pairs = wireMushroomBody(growCells(1), 1);
    const twin = {
      outputs: new Map<number, number>(),
      inputs: new Map<number, number>(),
      claws: new Map<number, number>(),
    };
    for (let p = 0; p < pairs.length; p += 2) {
      const [from, to] = [kind[pairs[p]!], kind[pairs[p + 1]!]];
      if (from === Kind.Kenyon && to === Kind.Mbon) {
        add(twin.outputs, pairs[p]!);
        add(twin.inputs, pairs[p + 1]!);
      } else if (from === Kind.AlProjection && to === Kind.Kenyon) add(twin.claws, pairs[p + 1]!);
    }
    expect(largestGap(real.outputs, twin.outputs)).toBeLessThan(0.06);
    expect(largestGap(real.claws, twin.claws)).toBeLessThan(0.06);
    // 79 cells make steps of 0.013, so a few ranks of difference are allowed here
    expect(largestGap(real.inputs, twin.inputs)).toBeLessThan(0.12);
  },
);

/** Largest difference of two cumulative distributions (Kolmogorov and Smirnov). */
function largestGap(a: ReadonlyMap<unknown, number>, b: ReadonlyMap<unknown, number>): number {
  const [left, right] = [Array.from(a.values()), Array.from(b.values())];
  const share = (values: readonly number[], upTo: number): number =>
    values.filter((value) => value <= upTo).length / values.length;
  const steps = new Set([...left, ...right]);
  return Math.max(...Array.from(steps, (upTo) => Math.abs(share(left, upTo) - share(right, upTo))));
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Rows of a comma-separated table without quoted commas, as the two tables are. */
function readRows(path: string): Record<string, string>[] {
  const [header, ...lines] = gunzipSync(readFileSync(path)).toString('utf8').trimEnd().split('\n');
  const names = header!.trimEnd().split(',');
  return lines.map((line) => {
    const cells = line.trimEnd().split(',');
    return Object.fromEntries(names.map((name, k) => [name, cells[k] ?? '']));
  });
}
