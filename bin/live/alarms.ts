import type { StageEvent } from '../stage/protocol.ts';

/** What an operator must look at now, oldest first. One alarm per subject; good news about a subject ends it. */
export type Alarms = {
  hear(event: Pick<StageEvent, 'severity' | 'subject' | 'code' | 'text'>): void;
  clear(subject: string): void;
  list(): readonly { readonly code: string; readonly text: string }[];
};

export function createAlarms(): Alarms {
  const bySubject = new Map<string, { code: string; text: string }>();
  return {
    hear({ severity, subject, code, text }) {
      if (severity === 'alarm') bySubject.set(subject, { code, text });
      else bySubject.delete(subject);
    },
    clear: (subject) => void bySubject.delete(subject),
    list: () => [...bySubject.values()],
  };
}
