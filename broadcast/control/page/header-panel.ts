import type { OutputReport, StatusReport } from '../controlled-session.ts';
import { byId, create, setData, setText } from './element.ts';
import { formatDuration, formatKnown, formatUtc } from './format.ts';

/** Lag below this is a burst, not a delay. */
const LAG_WARN_MS = 500;

/** A run whose learning is switched off or spoilt on purpose says so for as long as it lasts. */
const CONTROL_RUNS: Readonly<Record<StatusReport['learningMode'], string>> = {
  on: '',
  frozen: 'CONTROL RUN, learning frozen',
  shuffled: 'CONTROL RUN, rewards shuffled',
};

export type HeaderPanel = { update(status: StatusReport, wallMs: number, warnings: number): void };

/** The bar on top: what runs, whether it is on air and recorded, whether it keeps up. */
export function createHeaderPanel(): HeaderPanel {
  const show = byId('show-name');
  const live = byId('chip-live');
  const rec = byId('chip-rec');
  const control = byId('chip-control');
  const facts = byId('facts');
  const realTime = addFact(facts, 'real time');
  const lag = addFact(facts, 'lag');
  const warnings = addFact(facts, '');
  const clock = addFact(facts, '');
  setData(clock, 'tone', 'quiet');
  return {
    update(status, wallMs, warningCount) {
      setText(show, status.showId);
      show.title = `${status.showId}, release ${status.release}, seed ${status.seed}, session ${status.sessionId}`;
      updateChip(live, status.outputs, 'rtmp', 'LIVE', 'OFF AIR');
      updateChip(rec, status.outputs, 'recording', 'REC', 'NOT RECORDING');
      control.hidden = status.learningMode === 'on';
      setText(control, CONTROL_RUNS[status.learningMode]);
      const isSlow = status.realTimeFactor !== null && status.realTimeFactor < 0.95;
      setText(realTime, formatKnown(status.realTimeFactor, 2, 'x'));
      setData(realTime, 'tone', isSlow ? 'warn' : '');
      setText(lag, status.lagMs < 10_000 ? `${status.lagMs.toFixed(0)} ms` : `${(status.lagMs / 1_000).toFixed(1)} s`);
      setData(lag, 'tone', status.lagMs > LAG_WARN_MS ? 'warn' : '');
      setText(
        warnings,
        warningCount === 0 ? 'no warnings' : `▲ ${warningCount} ${warningCount === 1 ? 'warning' : 'warnings'}`,
      );
      setData(warnings, 'tone', warningCount === 0 ? 'quiet' : 'warn');
      setText(clock, `${formatUtc(wallMs)} UTC`);
    },
  };
}

function addFact(list: HTMLElement, label: string): HTMLElement {
  const pair = create('div');
  const value = create('dd', '', '--');
  pair.append(create('dt', '', label), value);
  list.append(pair);
  return value;
}

function updateChip(
  chip: HTMLElement,
  outputs: readonly OutputReport[],
  kind: OutputReport['kind'],
  on: string,
  off: string,
): void {
  const mine = outputs.filter((output) => output.kind === kind);
  const active = mine.filter(({ state }) => state === 'active' || state === 'congested');
  const troubled = mine.find(({ state }) => state === 'reconnecting' || state === 'failed');
  if (active.length > 0) {
    const seconds = Math.max(...active.map(({ activeSeconds }) => activeSeconds ?? 0));
    setText(chip, `${on} ${formatDuration(seconds)}`);
    setData(chip, 'on', 'true');
    return;
  }
  setText(chip, troubled === undefined ? off : `${on} ${troubled.state}`);
  setData(chip, 'on', troubled === undefined ? 'false' : 'warn');
}
