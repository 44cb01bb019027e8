import type { ShownEvent } from '../../../engine/replica/snapshot.ts';
import { byId, create } from './element.ts';
import { formatUtc } from './format.ts';

const SHOWN = 60;

const WORDS: Readonly<Record<ShownEvent['kind'], string>> = {
  reward: 'reward',
  milestone: 'rung',
  recovery: 'recovery',
  system: 'system',
  sugar: 'sugar',
  operator: 'operator',
  checkpoint: 'checkpoint',
};

/** What happened, newest first. An event seen again after a reconnect is shown once (spec: feed-control.md 8). */
export function createEventsPanel(): { add(events: readonly ShownEvent[]): void } {
  const list = byId('events-rows');
  const empty = byId('events-empty');
  let newestId = -1;
  return {
    add(events) {
      for (const event of events) {
        if (event.id <= newestId) continue;
        newestId = event.id;
        list.prepend(createRow(event));
        if (list.childElementCount > SHOWN) list.lastElementChild?.remove();
      }
      empty.hidden = list.childElementCount > 0;
    },
  };
}

function createRow(event: ShownEvent): HTMLElement {
  const row = create('li');
  row.dataset['kind'] = event.kind;
  row.dataset['tier'] = event.tier;
  const time = create('time', '', formatUtc(event.wallMs));
  time.dateTime = new Date(event.wallMs).toISOString();
  const glyph = create('span', 'mark');
  glyph.ariaHidden = 'true';
  row.append(
    time,
    glyph,
    create('span', 'kind', WORDS[event.kind]),
    create('span', 'label', event.label),
    create('span', 'value', formatValue(event)),
  );
  return row;
}

function formatValue({ kind, value }: ShownEvent): string {
  if (value === null) return '';
  if (kind === 'reward') return `${value < 0 ? '' : '+'}${value.toFixed(2)}`;
  return kind === 'sugar' ? `${value} ms` : String(value);
}
