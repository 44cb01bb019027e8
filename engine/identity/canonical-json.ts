import { DataError } from '../errors.ts';

/** What JSON can say. Objects read from outside have no prototype. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Deepest nesting written or read. Ours: no document of this program is deeper than twelve. */
export const MAX_JSON_DEPTH = 64;

/**
 * RFC 8785 text of `value`, with the readings of session.md 2.3: keys by UTF-16 code unit, no whitespace, numbers as
 * ECMAScript prints them, integers only up to 2^53 - 1 however they are spelled.
 * @param value null, booleans, numbers, well-formed strings, arrays and plain objects of these
 * @throws DataError CANONICAL_JSON for anything else, `undefined` members included
 */
export function canonicalJson(value: unknown): string {
  return write(value, '$', 0);
}

const encoder = new TextEncoder();

/** UTF-8 of `canonicalJson`, no trailing newline. */
export function canonicalJsonBytes(value: unknown): Uint8Array {
  return encoder.encode(canonicalJson(value));
}

function write(value: unknown, path: string, depth: number): string {
  if (depth > MAX_JSON_DEPTH) throw refused(path, `is nested deeper than ${MAX_JSON_DEPTH}`);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return writeNumber(value, path);
  if (typeof value === 'string') return writeString(value, path);
  if (Array.isArray(value)) {
    const items = Array.from(value as unknown[], (item, i) => write(item, `${path}[${i}]`, depth + 1));
    return `[${items.join(',')}]`;
  }
  if (!isPlainObject(value)) throw refused(path, `is ${describe(value)}, which JSON cannot say`);
  const members = Object.keys(value)
    .sort(byCodeUnit)
    .map((key) => `${writeString(key, path)}:${write(value[key], `${path}.${key}`, depth + 1)}`);
  return `{${members.join(',')}}`;
}

/** The test is on the value, so 1e21 is refused like 2^53 (spec: session.md 2.3). */
function writeNumber(value: number, path: string): string {
  if (!Number.isFinite(value)) throw refused(path, `is ${value}, not a finite number`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw refused(path, `is ${value}, an integer beyond 2^53 - 1; send it as a decimal string`);
  }
  return String(value); // -0 prints as 0
}

/** ECMAScript's own string escapes are exactly those of RFC 8785 once lone surrogates are excluded. */
function writeString(value: string, path: string): string {
  if (!value.isWellFormed()) throw refused(path, 'holds half a surrogate pair, which UTF-8 cannot carry');
  return JSON.stringify(value);
}

function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function describe(value: unknown): string {
  return typeof value === 'object' ? Object.prototype.toString.call(value) : `of type ${typeof value}`;
}

function refused(path: string, what: string): DataError {
  return new DataError('CANONICAL_JSON', `canonical JSON: ${path} ${what}.`);
}
