import type { SugarRequest } from './controlled-session.ts';

/** The display names events may carry (spec: feed-control.md section 3: chat `by` has 1 to 25 characters). */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_ .-]{0,24}$/;
const AGENT_ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['by', 'source', 'durationMs', 'agentId']);

export type ParsedSugar =
  { readonly kind: 'request'; readonly request: SugarRequest } | { readonly kind: 'refused'; readonly error: string };

/** Reads the body of POST /sugar. What a duration becomes is for the session's limiter to say (feed-control.md 46). */
export function parseSugarRequest(body: unknown): ParsedSugar {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return refused('the body must be a JSON object such as {"by": "operator"}');
  }
  const unknown = Object.keys(body).find((name) => !KNOWN_FIELDS.has(name));
  if (unknown !== undefined) return refused(`${JSON.stringify(unknown.slice(0, 40))} is not a field of sugar`);
  const { by, source = 'operator', durationMs = null, agentId = null } = body as Record<string, unknown>;
  if (!isName(by)) return refused('"by" must be 1 to 25 letters, digits, spaces, "_", "." or "-"');
  if (source !== 'operator') return refused('"source" must be "operator"; chat and points do not come this way');
  if (durationMs !== null && !(typeof durationMs === 'number' && Number.isFinite(durationMs) && durationMs > 0)) {
    return refused('"durationMs" must be a number above 0, or null for the default');
  }
  if (agentId !== null && !(typeof agentId === 'string' && AGENT_ID.test(agentId))) {
    return refused('"agentId" must be an agent id, or null');
  }
  return { kind: 'request', request: { by, source, durationMs, agentId } };
}

/** A name an event may show: no markup, no control characters, at most 25 characters. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value);
}

function refused(error: string): ParsedSugar {
  return { kind: 'refused', error };
}
