import type { ShowRequest } from './controlled-session.ts';
import { isName } from './sugar-request.ts';

/** Ids of shows, as in a show file (config/schema.ts). */
const SHOW_ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['id', 'by']);

export type ParsedShow =
  { readonly kind: 'request'; readonly request: ShowRequest } | { readonly kind: 'refused'; readonly error: string };

/** Reads the body of POST /show. Whether there is such a show is for the session to say. */
export function parseShowRequest(body: unknown): ParsedShow {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return refused('the body must be a JSON object such as {"id": "two-fly", "by": "operator"}');
  }
  const unknown = Object.keys(body).find((name) => !KNOWN_FIELDS.has(name));
  if (unknown !== undefined) return refused(`${JSON.stringify(unknown.slice(0, 40))} is not a field of a show request`);
  const { id, by = 'operator' } = body as Record<string, unknown>;
  if (typeof id !== 'string' || !SHOW_ID.test(id))
    return refused('"id" must be the id of a show; GET /shows lists them');
  if (!isName(by)) return refused('"by" must be 1 to 25 letters, digits, spaces, "_", "." or "-"');
  return { kind: 'request', request: { id, by } };
}

function refused(error: string): ParsedShow {
  return { kind: 'refused', error };
}
