import { expect, test } from 'vitest';
import { judgeHealth } from '../../../../broadcast/control/health.ts';
import { listHealthRows } from '../../../../broadcast/control/page/health-rows.ts';
import type { HealthRow } from '../../../../broadcast/control/page/health-rows.ts';
import type { StatusReport } from '../../../../broadcast/control/controlled-session.ts';
import { sampleReport, standing } from '../fake-session.ts';

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
    judgeHealth(sampleReport(standing('booting'))),
    { stepsPerSecond: null, picturesPerSecond: null },
  );
  for (const { id, value, mark } of rows) {
    expect(value, id).toContain('--');
    expect(mark, id).not.toBe('alarm');
  }
});

test.each<[string, Partial<StatusReport>, HealthRow['id'], HealthRow['mark'], string]>([
  ['a slow session', standing('slow'), 'fly', 'warn', 'slow'],
  ['a session without steps', standing('failed'), 'fly', 'alarm', 'failed'],
  ['its environment', standing('failed'), 'environment', 'alarm', 'no step'],
  ['a wait at the barrier', standing('waiting-at-barrier'), 'fly', 'warn', 'waiting'],
  ['the world meanwhile', standing('waiting-at-barrier'), 'environment', 'ok', 'stepping'],
  ['a dead fly', standing('dead-agent'), 'fly', 'alarm', 'fly lost'],
  ['the world of a dead fly', standing('dead-agent'), 'environment', 'ok', 'stepping'],
  ['a lost world', standing('backend-disconnected'), 'fly', 'alarm', 'world lost'],
  ['a world that is gone', standing('backend-disconnected'), 'environment', 'alarm', 'no step'],
  ['a paused session', standing('paused'), 'fly', 'idle', 'paused'],
  ['a session that ends', standing('stopping'), 'fly', 'idle', 'stopping'],
  ['silence', { sound: { rmsDb: -80, fillMs: 40, underruns: 0 } }, 'sound', 'warn', 'silent'],
  ['a show without sound', { sound: null }, 'sound', 'idle', 'none'],
  ['a checkpoint two saves old', { checkpoint: checkpoint(601) }, 'checkpoint', 'warn', '10 min old'],
  ['a checkpoint on time', { checkpoint: checkpoint(600) }, 'checkpoint', 'ok', '10 min old'],
  ['a run before its first checkpoint', { checkpoint: null }, 'checkpoint', 'idle', 'none yet'],
  ['a swap', { swap: SWAP, ...standing('failed') }, 'fly', 'idle', 'swapping'],
  [
    'the coming environment',
    { swap: SWAP, environment: { state: 'starting', stepMs: null } },
    'environment',
    'idle',
    'starting',
  ],
  ['a full machine', { cores: { busy: 1.95, available: 2 } }, 'machine', 'warn', 'full'],
])('%s is shown in its row', (_what, changes, id, mark, word) => {
  const row = listRows(sampleReport(changes)).find((candidate) => candidate.id === id);
  expect(row).toMatchObject({ mark, word });
});

test('a stage that claims to draw but draws nothing is not believed', () => {
  const rows = listHealthRows(sampleReport(), judgeHealth(sampleReport()), {
    stepsPerSecond: 60,
    picturesPerSecond: 0,
  });
  expect(rows.find(({ id }) => id === 'stage')).toMatchObject({ mark: 'warn', word: 'no picture' });
});

function listRows(report: StatusReport): HealthRow[] {
  return listHealthRows(report, judgeHealth(report), RATES);
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
