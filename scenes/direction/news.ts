import type { Replica } from '../../engine/replica/replica.ts';
import type { ShownEvent } from '../../engine/replica/snapshot.ts';

/**
 * The events that arrived since the last call, oldest first. What a replica already held when it was first looked at is
 * history, not news (spec: show.md 93).
 */
export function createNews(): (replica: Replica) => readonly ShownEvent[] {
  let lastId: number | null = null;
  return ({ events, snapshot }) => {
    const before = lastId;
    lastId = events.at(-1)?.id ?? lastId ?? (snapshot === null ? null : -1);
    return before === null || before === lastId ? [] : events.filter(({ id }) => id > before);
  };
}
