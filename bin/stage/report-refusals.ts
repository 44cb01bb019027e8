import type { Refusals } from '../../engine/replica/replica.ts';
import type { StageEvent } from './protocol.ts';

/** Tells an operator that the stage cannot use what the session sends, and when that is over (spec: session.md, PRO-04). */
export type RefusalReport = {
  /** Called now and then. */
  look(): void;
};

export function createRefusalReport(refusals: Refusals, report: (event: StageEvent) => void): RefusalReport {
  let seen = 0;
  let raised = false;
  const tell = (severity: StageEvent['severity'], text: string): void =>
    report({ type: 'stage-event', severity, subject: 'feed', code: 'FEED_REFUSED', text });
  return {
    look() {
      if (refusals.total > seen) {
        tell('alarm', `session messages refused: ${refusals.total - seen}, newest ${refusals.newest}`);
        raised = true;
      } else if (raised) {
        tell('info', 'session messages are taken again');
        raised = false;
      }
      seen = refusals.total;
    },
  };
}
