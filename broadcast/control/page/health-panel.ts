import { byId, create, setData, setText } from './element.ts';
import type { HealthRow } from './health-rows.ts';
import { createSparkline } from './sparkline.ts';
import type { Sparkline } from './sparkline.ts';

const SAMPLE_MS = 1_000;

type Line = {
  readonly root: HTMLElement;
  readonly mark: HTMLElement;
  readonly name: HTMLElement;
  readonly word: HTMLElement;
  readonly value: HTMLElement;
  readonly detail: HTMLElement;
  readonly sparkline: Sparkline;
};

/** The health rows, in an order that never changes. */
export function createHealthPanel(): { update(rows: readonly HealthRow[], nowMs: number): void } {
  const list = byId('health-rows');
  const note = byId('health-note');
  const lines = new Map<string, Line>();
  let sampledAtMs = -Infinity;
  return {
    update(rows, nowMs) {
      const takeSample = nowMs - sampledAtMs >= SAMPLE_MS;
      if (takeSample) sampledAtMs = nowMs;
      for (const row of rows) {
        let line = lines.get(row.id);
        if (line === undefined) {
          line = createLine(row.id);
          lines.set(row.id, line);
          list.append(line.root);
        }
        setData(line.root, 'mark', row.mark);
        setData(line.mark, 'mark', row.mark);
        setText(line.name, row.name);
        setText(line.word, row.word);
        setData(line.word, 'tone', row.mark);
        setText(line.value, row.value);
        setText(line.detail, row.detail);
        if (takeSample) line.sparkline.push(row.sample);
      }
      const worst = rows.find(({ mark }) => mark === 'alarm') ?? rows.find(({ mark }) => mark === 'warn');
      setText(
        note,
        worst === undefined ? 'last minute' : `${worst.name} ${worst.name === 'Flies' ? 'need' : 'needs'} a look`,
      );
    },
  };
}

function createLine(id: string): Line {
  const root = create('li');
  root.dataset['row'] = id;
  const mark = create('span', 'mark');
  mark.ariaHidden = 'true';
  const line = {
    root,
    mark,
    name: create('b'),
    word: create('span', 'word'),
    value: create('span', 'value'),
    detail: create('span', 'detail'),
    sparkline: createSparkline(),
  };
  root.append(mark, line.name, line.word, line.value, line.detail, line.sparkline.root);
  return line;
}
