import type { OutputReport, OutputState } from '../controlled-session.ts';
import { byId, create, setCells, setData, setText } from './element.ts';
import { formatBytes, formatCount, formatDuration, formatKnown } from './format.ts';
import type { Mark } from './health-rows.ts';
import { createRateMeter } from './rate-meter.ts';
import type { RateMeter } from './rate-meter.ts';

const RATE_WINDOW_MS = 5_000;
const CELLS = 10;
/** From here on congestion is shown as a warning. */
const CONGESTED_CELL = 5;

const MARKS: Readonly<Record<OutputState, Mark>> = {
  starting: 'idle',
  active: 'ok',
  congested: 'warn',
  reconnecting: 'warn',
  failed: 'alarm',
  stopped: 'idle',
};

type Row = {
  readonly root: HTMLTableRowElement;
  readonly name: HTMLElement;
  readonly since: HTMLElement;
  readonly mark: HTMLElement;
  readonly word: HTMLElement;
  readonly rate: HTMLElement;
  readonly congestion: HTMLElement;
  readonly cells: HTMLElement;
  readonly percent: HTMLElement;
  readonly dropped: HTMLElement;
  readonly error: HTMLElement;
  readonly meter: RateMeter;
};

/** Where the programme goes: one row an output, in the configured order. */
export function createOutputsPanel(): { update(outputs: readonly OutputReport[], nowMs: number): void } {
  const body = byId('outputs-rows');
  const empty = byId('outputs-empty');
  const note = byId('outputs-note');
  const rows = new Map<string, Row>();
  return {
    update(outputs, nowMs) {
      empty.hidden = outputs.length > 0;
      setText(note, outputs.length > 1 ? 'one encode, fanned out' : '');
      const names = new Set(outputs.map(({ name }) => name));
      for (const [name, row] of rows) {
        if (names.has(name)) continue;
        row.root.remove();
        rows.delete(name);
      }
      for (const output of outputs) {
        let row = rows.get(output.name);
        if (row === undefined) {
          row = createRow();
          rows.set(output.name, row);
          body.append(row.root);
        }
        updateRow(row, output, nowMs);
      }
    },
  };
}

/** `live` and `writing` say more than `active`. */
export function outputWord({ kind, state }: OutputReport): string {
  if (state !== 'active') return state;
  return kind === 'rtmp' ? 'live' : kind === 'recording' ? 'writing' : 'serving';
}

function updateRow(row: Row, output: OutputReport, nowMs: number): void {
  const { name, kind, state, bytes, droppedFrames, reconnects, congestion, lastError, activeSeconds } = output;
  setText(row.name, name);
  const up = activeSeconds === null ? 'not up' : `up ${formatDuration(activeSeconds)}`;
  const again = reconnects === 0 ? '' : `, ${reconnects} ${reconnects === 1 ? 'reconnect' : 'reconnects'}`;
  setText(row.since, `${up}${again}${kind === 'recording' ? `, ${formatBytes(bytes)}` : ''}`);
  row.root.title = `${formatBytes(bytes)} so far`;
  setData(row.mark, 'mark', MARKS[state]);
  setText(row.word, outputWord(output));
  setData(row.word, 'tone', MARKS[state]);
  const bytesPerSecond = row.meter.read(nowMs, bytes);
  setText(row.rate, bytesPerSecond === null ? '--' : formatCount((bytesPerSecond * 8) / 1_000));
  row.cells.hidden = congestion === null;
  if (congestion === null) {
    setText(row.percent, kind === 'recording' ? 'local disk' : 'this machine');
  } else {
    setCells(row.cells, CELLS, Math.ceil(congestion * CELLS), CONGESTED_CELL, 'warn');
    setText(row.percent, formatKnown(congestion * 100, 0, ' %'));
  }
  setText(row.dropped, formatCount(droppedFrames));
  setData(row.dropped, 'tone', droppedFrames > 0 ? 'warn' : '');
  setText(row.error, lastError ?? '');
  setData(row.error, 'tone', state === 'failed' ? 'alarm' : '');
  row.error.hidden = lastError === null;
}

function createRow(): Row {
  const root = create('tr');
  const mark = create('span', 'mark');
  mark.ariaHidden = 'true';
  const row = {
    root,
    mark,
    name: create('b'),
    since: create('small'),
    word: create('span'),
    rate: create('span', 'numeric'),
    congestion: create('td'),
    cells: create('span', 'cells'),
    percent: create('small'),
    dropped: create('span', 'numeric'),
    error: create('small'),
    meter: createRateMeter(RATE_WINDOW_MS),
  };
  row.cells.ariaHidden = 'true';
  const first = create('td');
  first.append(row.name, row.since, row.error);
  const state = create('td');
  const pair = create('span', 'state');
  pair.append(mark, row.word);
  state.append(pair);
  const rate = create('td', 'right');
  rate.append(row.rate);
  const congestionPair = create('span', 'congestion');
  congestionPair.append(row.cells, row.percent);
  row.congestion.append(congestionPair);
  const dropped = create('td', 'right');
  dropped.append(row.dropped);
  root.append(first, state, rate, row.congestion, dropped);
  // a phone lays the cells out as a card, and a browser then forgets that they are a table
  root.role = 'row';
  for (const cell of root.children) cell.role = 'cell';
  return row;
}
