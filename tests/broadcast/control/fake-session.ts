import type {
  ControlledSession,
  PreviewListener,
  ShowAnswer,
  ShowChoice,
  ShowRequest,
  StatusReport,
  SugarAnswer,
  SugarRequest,
} from '../../../broadcast/control/controlled-session.ts';
import type { HealthState } from '../../../engine/health.ts';
import type { ShownEvent } from '../../../engine/replica/snapshot.ts';
import { formatMetrics } from '../../../broadcast/control/metrics.ts';

/** A session that does what a test tells it and remembers what it was asked. */
export type FakeSession = ControlledSession & {
  /** Replace it to change what is reported. */
  report: StatusReport;
  sugarAnswer: SugarAnswer;
  showAnswer: ShowAnswer;
  choices: readonly ShowChoice[];
  readonly shownEvents: ShownEvent[];
  readonly stops: string[];
  readonly sugars: SugarRequest[];
  readonly showRequests: ShowRequest[];
  readonly previewListeners: Set<PreviewListener>;
};

export function createFakeSession(): FakeSession {
  const session: FakeSession = {
    report: sampleReport(),
    sugarAnswer: { kind: 'accepted', eventId: 41 },
    showAnswer: { kind: 'accepted' },
    choices: sampleShows(),
    shownEvents: [],
    stops: [],
    sugars: [],
    showRequests: [],
    previewListeners: new Set(),
    status: () => session.report,
    requestStop: (by) => void session.stops.push(by),
    sugar(request) {
      session.sugars.push(request);
      return session.sugarAnswer;
    },
    shows: () => Promise.resolve(session.choices),
    requestShow(request) {
      session.showRequests.push(request);
      return Promise.resolve(session.showAnswer);
    },
    events: (since, limit) => session.shownEvents.filter(({ id }) => id > since).slice(0, limit),
    subscribePreview(listener) {
      session.previewListeners.add(listener);
      return () => session.previewListeners.delete(listener);
    },
    metrics: () => formatMetrics(session.report),
  };
  return session;
}

/** @param current which one runs */
export function sampleShows(current: string = 'orchard-one-fly'): ShowChoice[] {
  const shows = [
    { id: 'orchard-one-fly', agents: 1, environment: 'windfall' },
    { id: 'orchard-two-flies', agents: 2, environment: 'orchard-match' },
    { id: 'mario-one-fly', agents: 1, environment: 'super-mario-land' },
  ];
  return shows.map((show) => ({ ...show, current: show.id === current }));
}

/** How a session says it stands, as `engine/health.ts` judges it. */
export function standing(state: HealthState, reason: string = ''): Pick<StatusReport, 'standing'> {
  const alive = !['recovering', 'failed', 'backend-disconnected', 'dead-agent'].includes(state);
  return { standing: { state, alive, participants: [], reason } };
}

export function sampleReport(changes: Partial<StatusReport> = {}): StatusReport {
  return {
    status: 'running',
    standing: { state: 'running', alive: true, participants: [], reason: '' },
    showId: 'orchard-one-fly',
    release: '0.1.0',
    sessionId: 'session-7',
    step: '15352870',
    worldMs: 257_000_000,
    runSeconds: 301_234,
    realTimeFactor: 1,
    lagMs: 12,
    uptimeSeconds: 7_746,
    seed: 22_222,
    agents: [
      {
        agentId: 'fly-a',
        populationRateHz: 4.83,
        brainMs: 8_831_250,
        spikeCount: 29_547,
        stepMs: 1.9,
        isAwaited: false,
        learning: true,
        connectome: { name: 'twin-1', origin: 'grown' },
      },
    ],
    learningMode: 'on',
    progress: { rank: 5, rungs: 18, label: 'Fig row', next: 'Fig ripe', mode: 'IN THE LEVEL' },
    outputs: [
      output('Twitch, Frankfurt', 'rtmp', {
        bytes: 5_808_000_000,
        activeSeconds: 7_746,
        droppedFrames: 3,
        congestion: 0.12,
      }),
      output('Backup relay', 'rtmp', {
        state: 'congested',
        bytes: 853_000_000,
        activeSeconds: 1_404,
        droppedFrames: 214,
        reconnects: 2,
        congestion: 0.62,
        lastError: 'the ingest read nothing for 2 s',
      }),
      output('Recording, TS', 'recording', { bytes: 6_800_000_000, activeSeconds: 8_830 }),
    ],
    stage: {
      state: 'drawing',
      encoder: 'libx264',
      framesDrawn: 232_380,
      framesDropped: 12,
      framesLost: 0,
      drawMs: 15.8,
    },
    environment: { state: 'stepping', stepMs: 0.19 },
    barrier: { stepMs: 2.1, waitingMs: 0 },
    feed: { published: 15_352_870, dropped: 0, lostEvents: 0, lostSoundChunks: 0, lostReaders: 0 },
    saves: { waiting: 1, waitingBytes: 7_900_000, refused: 0, runningMs: 12 },
    eventLog: { waiting: 2, lost: 0 },
    sound: { rmsDb: -18.4, fillMs: 42, underruns: 0 },
    media: { avOffsetMs: -4.2, encoderQueue: 3, probe: { decodedFrames: 1, identicalFrames: 0 } },
    swap: null,
    checkpoint: { boundary: '15352800', ageSeconds: 3.2, kind: 'durable' },
    alarms: [],
    memoryMb: 812,
    cores: { busy: 1.4, available: 2 },
    ...changes,
  };
}

function output(
  name: string,
  kind: StatusReport['outputs'][number]['kind'],
  changes: Partial<StatusReport['outputs'][number]>,
): StatusReport['outputs'][number] {
  return {
    name,
    kind,
    state: 'active',
    bytes: 0,
    droppedFrames: 0,
    reconnects: 0,
    congestion: null,
    lastError: null,
    activeSeconds: null,
    ...changes,
  };
}

export function sampleEvent(id: number, changes: Partial<ShownEvent> = {}): ShownEvent {
  return {
    id,
    wallMs: 1_700_000_000_000 + id * 1_000,
    brainMs: id * 1_000,
    kind: 'reward',
    tier: 'quiet',
    label: `new ground, column ${id}`,
    value: 0.25,
    agentIndex: 0,
    dedupeKey: `ground-${id}`,
    dedupeMs: 0,
    ...changes,
  };
}
