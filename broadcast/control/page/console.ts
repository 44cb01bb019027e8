import type { StatusReport } from '../controlled-session.ts';
import type { HealthReport } from '../health.ts';
import type { LiveMessage } from '../live-feed.ts';
import { createAlarmsPanel } from './alarms-panel.ts';
import type { AlarmLine } from './alarms-panel.ts';
import { createEventsPanel } from './events-panel.ts';
import { createFliesPanel } from './flies-panel.ts';
import { createHeaderPanel } from './header-panel.ts';
import { createHealthPanel } from './health-panel.ts';
import { listHealthRows } from './health-rows.ts';
import { openLiveLink } from './live-link.ts';
import type { LinkState } from './live-link.ts';
import { createOutputsPanel } from './outputs-panel.ts';
import { createPicturePanel } from './picture-panel.ts';
import { createRateMeter } from './rate-meter.ts';
import { createRungPanel } from './rung-panel.ts';
import { createShowPanel } from './show-panel.ts';
import { createStopPanel } from './stop-panel.ts';
import { createSugarPanel } from './sugar-panel.ts';

const RATE_WINDOW_MS = 2_000;

startConsole();

/** Builds the panels and lets /live drive them. Nothing on the page is computed from anything else. */
function startConsole(): void {
  const header = createHeaderPanel();
  const alarms = createAlarmsPanel();
  const events = createEventsPanel();
  const flies = createFliesPanel();
  const healthPanel = createHealthPanel();
  const outputs = createOutputsPanel();
  const picture = createPicturePanel();
  const rung = createRungPanel();
  const shows = createShowPanel();
  const stop = createStopPanel();
  const sugar = createSugarPanel();
  let steps = createRateMeter(RATE_WINDOW_MS);
  const pictures = createRateMeter(RATE_WINDOW_MS);
  let link: LinkState = 'connecting';
  let sessionLines: readonly AlarmLine[] = [];
  let sessionId = '';
  let uptimeSeconds = 0;

  function showStatus(status: StatusReport, health: HealthReport, wallMs: number): void {
    const nowMs = performance.now();
    if (status.uptimeSeconds < uptimeSeconds) stop.reset(); // a new process: the stopped one is gone
    uptimeSeconds = status.uptimeSeconds;
    if (status.sessionId !== sessionId) steps = createRateMeter(RATE_WINDOW_MS); // its steps are counted anew
    sessionId = status.sessionId;
    const rows = listHealthRows(status, health, {
      stepsPerSecond: steps.read(nowMs, Number(status.step)),
      picturesPerSecond: pictures.read(nowMs, status.stage.framesDrawn),
    });
    const troubledOutputs = status.outputs.filter(({ state }) => /congested|reconnecting|failed/.test(state)).length;
    const warnings = rows.filter(({ mark }) => mark === 'warn' || mark === 'alarm').length + troubledOutputs;
    header.update(status, wallMs, warnings + status.alarms.length);
    sessionLines = listSessionLines(status, health);
    healthPanel.update(rows, nowMs);
    outputs.update(status.outputs, nowMs);
    flies.update(status.agents, status.seed, nowMs);
    rung.update(status.progress);
    sugar.update(status.agents);
    shows.update(status, stop.isStopping() ? 'the show is stopping' : '');
    const isLive = status.outputs.some(({ kind, state }) => kind === 'rtmp' && /active|congested/.test(state));
    picture.update(isLive, status.stage, status.sound);
  }

  function onMessage(message: LiveMessage): void {
    switch (message.type) {
      case 'status':
        showStatus(message.status, message.health, message.wallMs);
        break;
      case 'events':
        events.add(message.events);
        break;
      case 'trouble':
        sessionLines = [{ mark: 'alarm', text: `The session cannot report: ${message.error}`, code: '' }];
        break;
      default:
        message satisfies never;
    }
    showAlarms();
  }

  function showAlarms(): void {
    const linkLines = listLinkLines(link, stop.isStopping());
    alarms.update([...linkLines, ...(link === 'live' ? sessionLines : [])]);
  }

  openLiveLink({
    onMessage,
    onState(next) {
      link = next;
      document.body.dataset['link'] = next;
      if (next === 'lost') document.title = 'Connection lost, Fly console';
      else document.title = 'Fly console';
      if (next === 'live') shows.reload();
      else shows.block('not connected');
      showAlarms();
    },
  });
}

function listSessionLines({ alarms }: StatusReport, { state, alive, reason }: HealthReport): AlarmLine[] {
  const lines: AlarmLine[] = alarms.map(({ code, text }) => ({ mark: 'alarm', text, code }));
  if (state !== 'running')
    lines.push({ mark: !alive ? 'alarm' : /slow|waiting/.test(state) ? 'warn' : 'idle', text: reason, code: state });
  return lines;
}

function listLinkLines(link: LinkState, isStopping: boolean): AlarmLine[] {
  if (link !== 'lost') return [];
  if (isStopping)
    return [{ mark: 'idle', text: 'The show was stopped from here. Start it again with fly live.', code: '' }];
  return [{ mark: 'alarm', text: 'Connection lost, retrying. Nothing shown here is current.', code: '' }];
}
