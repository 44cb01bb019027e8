import { byId, create } from './element.ts';
import type { Mark } from './health-rows.ts';

export type AlarmLine = { readonly mark: Mark; readonly text: string; readonly code: string };

/** What must be looked at now, above everything else. Rewritten only when it changes, so it is announced once. */
export function createAlarmsPanel(): { update(lines: readonly AlarmLine[]): void } {
  const root = byId('alarms');
  let shown = '';
  return {
    update(lines) {
      const key = JSON.stringify(lines);
      if (key === shown) return;
      shown = key;
      root.replaceChildren(...lines.map(createLine));
    },
  };
}

function createLine({ mark, text, code }: AlarmLine): HTMLElement {
  const line = create('p', 'alarm-line');
  line.dataset['mark'] = mark;
  const glyph = create('span', 'mark');
  glyph.dataset['mark'] = mark;
  glyph.ariaHidden = 'true';
  line.append(glyph, create('span', '', text));
  if (code !== '') line.append(create('code', '', code));
  return line;
}
