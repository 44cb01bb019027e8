import type { SugarRequest } from './controlled-session.ts';

/** Spec: feed-control.md 46. */
const MIN_MS = 1;
const MAX_MS = 1_000;

/** The display names events may carry (spec: feed-control.md section 3: chat `by` has 1 to 25 characters). */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_ .-]{0,24}$/;
const AGENT_ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['by', 'source', 'durationMs', 'agentId']);

export type ParsedSugar =
  { readonly kind: 'request'; readonly request: SugarRequest } | { readonly kind: 'refused'; readonly error: string };

/** Reads the body of POST /sugar. Durations are clamped to 1..1000 ms, null keeps the session's default. */
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
  const clampedMs = durationMs === null ? null : Math.min(MAX_MS, Math.max(MIN_MS, Math.round(durationMs)));
  return { kind: 'request', request: { by, source, durationMs: clampedMs, agentId } };
}

/** A name an event may show: no markup, no control characters, at most 25 characters. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value);
}

function refused(error: string): ParsedSugar {
  return { kind: 'refused', error };
}
