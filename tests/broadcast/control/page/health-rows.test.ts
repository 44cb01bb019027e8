import { expect, test } from 'vitest';
import { judgeHealth } from '../../../../broadcast/control/health.ts';
import { listHealthRows } from '../../../../broadcast/control/page/health-rows.ts';
import type { HealthRow } from '../../../../broadcast/control/page/health-rows.ts';
import type { StatusReport } from '../../../../broadcast/control/controlled-session.ts';
import { sampleReport } from '../fake-session.ts';

const RATES = { stepsPerSecond: 59.73, picturesPerSecond: 30 };

const SWAP = { from: 'windfall', to: 'two-fly', phase: 'intermission' } as const;

test('a healthy show: every row is ok, in the order that never changes', () => {
  const rows = listRows(sampleReport());
  expect(rows.map(({ id, mark, word, value }) => [id, mark, word, value])).toEqual([
    ['fly', 'ok', 'running', '1.00x real time'],
    ['environment', 'ok', 'stepping', '59.7 steps/s'],
    ['stage', 'ok', 'drawing', '15.8 ms a frame'],
    ['encoder', 'ok', 'libx264', '30.0 fps'],
    ['sound', 'ok', 'sounding', '-18 dB RMS'],
    ['machine', 'ok', 'has room', '1.4 / 2 cores'],
    ['checkpoint', 'ok', '3 s old', 'durable'],
  ]);
});

test('what is not known is --, never zero', () => {
  const rows = listHealthRows(
    sampleReport({
      realTimeFactor: null,
      environment: { state: 'starting', stepMs: null },
      stage: { state: 'starting', encoder: null, framesDrawn: 0, framesDropped: 0, framesLost: 0, drawMs: null },
      sound: { rmsDb: null, fillMs: 0, underruns: 0 },
      cores: { busy: null, available: 2 },
      checkpoint: null,
    }),
    judgeHealth(sampleReport({ status: 'booting' }), 0),
    { stepsPerSecond: null, picturesPerSecond: null },
  );
  for (const { id, value, mark } of rows) {
    expect(value, id).toContain('--');
    expect(mark, id).not.toBe('alarm');
  }
});

test.each<[string, Partial<StatusReport>, number, HealthRow['id'], HealthRow['mark'], string]>([
  ['a slow session', { realTimeFactor: 0.7 }, 0, 'fly', 'warn', 'slow'],
  ['a session without steps', {}, 5_000, 'fly', 'alarm', 'dead'],
  ['its environment', {}, 5_000, 'environment', 'alarm', 'no step'],
  ['a paused session', { status: 'paused' }, 5_000, 'fly', 'idle', 'paused'],
  ['silence', { sound: { rmsDb: -80, fillMs: 40, underruns: 0 } }, 0, 'sound', 'warn', 'silent'],
  ['a show without sound', { sound: null }, 0, 'sound', 'idle', 'none'],
  ['a checkpoint two saves old', { checkpoint: checkpoint(601) }, 0, 'checkpoint', 'warn', '10 min old'],
  ['a checkpoint on time', { checkpoint: checkpoint(600) }, 0, 'checkpoint', 'ok', '10 min old'],
  ['a run before its first checkpoint', { checkpoint: null }, 0, 'checkpoint', 'idle', 'none yet'],
  ['a swap', { swap: SWAP }, 5_000, 'fly', 'idle', 'swapping'],
  [
    'the coming environment',
    { swap: SWAP, environment: { state: 'starting', stepMs: null } },
    0,
    'environment',
    'idle',
    'starting',
  ],
  ['a full machine', { cores: { busy: 1.95, available: 2 } }, 0, 'machine', 'warn', 'full'],
])('%s is shown in its row', (_what, changes, stillMs, id, mark, word) => {
  const row = listRows(sampleReport(changes), stillMs).find((candidate) => candidate.id === id);
  expect(row).toMatchObject({ mark, word });
});

test('a stage that claims to draw but draws nothing is not believed', () => {
  const rows = listHealthRows(sampleReport(), judgeHealth(sampleReport(), 0), {
    stepsPerSecond: 60,
    picturesPerSecond: 0,
  });
  expect(rows.find(({ id }) => id === 'stage')).toMatchObject({ mark: 'warn', word: 'no picture' });
});

function listRows(report: StatusReport, stillMs = 0): HealthRow[] {
  return listHealthRows(report, judgeHealth(report, stillMs), RATES);
}

test('a first frame that took seconds is written in seconds', () => {
  const { stage } = sampleReport();
  const rows = listRows(
    sampleReport({ stage: { ...stage, state: 'starting', drawMs: 1_530.1, framesDropped: 67, framesLost: 0 } }),
  );
  expect(rows.find(({ id }) => id === 'stage')).toMatchObject({ value: '1.53 s a frame', detail: '67 missed' });
});

function checkpoint(ageSeconds: number): StatusReport['checkpoint'] {
  return { boundary: '15352800', ageSeconds, kind: 'durable' };
}
