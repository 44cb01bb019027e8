import { expect, test } from 'vitest';
import { createRefusalReport } from '../../../bin/stage/report-refusals.ts';
import { applyMessage } from '../../../engine/replica/replica.ts';
import { fakeDescriptor, fakeSnapshot, openReplica } from '../../scenes/fixture.ts';

test('PRO-04 refused messages are an alarm with the reason, which ends once messages are taken again', () => {
  const replica = openReplica(fakeDescriptor());
  const told: string[] = [];
  const report = createRefusalReport(replica.refusals, ({ severity, subject, text }) =>
    told.push(`${severity} ${subject}: ${text}`),
  );
  const send = (sequence: number, sessionId: string): void =>
    applyMessage(replica, { header: fakeSnapshot(sequence, { sessionId }), attachments: [] }, 0);
  send(1, 'fixture');
  report.look();
  expect(told).toEqual([]);
  send(2, 'other');
  send(3, 'other');
  report.look();
  send(4, 'fixture');
  report.look();
  report.look();
  expect(told).toEqual([
    'alarm feed: session messages refused: 2, newest mismatch: boundary 3 of e1, publication 3: ' +
      'it is of session other, described is fixture',
    'info feed: session messages are taken again',
  ]);
});
