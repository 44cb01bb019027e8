import { DataError } from '../errors.ts';
import { MAX_JSON_DEPTH, canonicalJson } from './canonical-json.ts';
import type { JsonValue } from './canonical-json.ts';

/**
 * Parses JSON that came from outside, refusing what `JSON.parse` lets through: a repeated key at any depth, invalid
 * UTF-8, half a surrogate pair and numbers that overflow (spec: session.md 2.3). Objects have no prototype.
 * @param source UTF-8 bytes, or text already decoded
 * @throws DataError STRICT_JSON
 */
export function parseStrictJson(source: Uint8Array | string): JsonValue {
  const text = typeof source === 'string' ? source : decode(source);
  const cursor: Cursor = { text, at: 0 };
  const value = readValue(cursor, 0);
  skipSpace(cursor);
  if (cursor.at !== text.length) throw refused(cursor, 'something follows the value');
  return value;
}

/**
 * Parses a document that has to be canonical already; another spelling of the same value is refused.
 * @throws DataError STRICT_JSON, CANONICAL_JSON or NOT_CANONICAL
 */
export function parseCanonicalJson(source: Uint8Array | string): JsonValue {
  const text = typeof source === 'string' ? source : decode(source);
  const value = parseStrictJson(text);
  const canonical = canonicalJson(value);
  if (canonical === text) return value;
  let at = 0;
  while (canonical[at] === text[at]) at++;
  throw new DataError(
    'NOT_CANONICAL',
    `canonical JSON: character ${at} is ${JSON.stringify(text[at] ?? 'missing')}, the canonical spelling has ` +
      `${JSON.stringify(canonical[at] ?? 'nothing')} there; write it with the canonical writer.`,
  );
}

type Cursor = { readonly text: string; at: number };

/** A byte order mark stays in the text, where it is refused as no JSON value. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new DataError('STRICT_JSON', `JSON: the ${bytes.byteLength} bytes are not UTF-8.`, { cause });
  }
}

function readValue(cursor: Cursor, depth: number): JsonValue {
  if (depth > MAX_JSON_DEPTH) throw refused(cursor, `nested deeper than ${MAX_JSON_DEPTH}`);
  skipSpace(cursor);
  switch (cursor.text[cursor.at]) {
    case '{':
      return readObject(cursor, depth);
    case '[':
      return readArray(cursor, depth);
    case '"':
      return readString(cursor);
    case 't':
      return readWord(cursor, 'true', true);
    case 'f':
      return readWord(cursor, 'false', false);
    case 'n':
      return readWord(cursor, 'null', null);
    default:
      return readNumber(cursor);
  }
}

function readObject(cursor: Cursor, depth: number): JsonValue {
  const object = Object.create(null) as Record<string, JsonValue>;
  cursor.at++;
  skipSpace(cursor);
  if (takes(cursor, '}')) return object;
  for (;;) {
    skipSpace(cursor);
    if (cursor.text[cursor.at] !== '"') throw refused(cursor, 'a key was expected');
    const key = readString(cursor);
    if (Object.hasOwn(object, key)) throw refused(cursor, `the key ${JSON.stringify(key)} is repeated`);
    skipSpace(cursor);
    if (!takes(cursor, ':')) throw refused(cursor, 'a colon was expected');
    object[key] = readValue(cursor, depth + 1);
    skipSpace(cursor);
    if (takes(cursor, '}')) return object;
    if (!takes(cursor, ',')) throw refused(cursor, 'a comma or } was expected');
  }
}

function readArray(cursor: Cursor, depth: number): JsonValue {
  const items: JsonValue[] = [];
  cursor.at++;
  skipSpace(cursor);
  if (takes(cursor, ']')) return items;
  for (;;) {
    items.push(readValue(cursor, depth + 1));
    skipSpace(cursor);
    if (takes(cursor, ']')) return items;
    if (!takes(cursor, ',')) throw refused(cursor, 'a comma or ] was expected');
  }
}

/** Finds the end of the literal; its escapes are checked and resolved by the engine, for one string at a time. */
function readString(cursor: Cursor): string {
  const { text, at: start } = cursor;
  let end = start + 1;
  while (text.charCodeAt(end) !== QUOTE) {
    if (!(text.charCodeAt(end) >= 0x20)) throw refused(cursor, 'a string holds a control character or is not closed');
    end += text.charCodeAt(end) === BACKSLASH ? 2 : 1;
  }
  cursor.at = end + 1;
  let value: string;
  try {
    value = JSON.parse(text.slice(start, end + 1)) as string;
  } catch (cause) {
    throw refused(cursor, 'a string holds an unknown escape', { cause });
  }
  if (!value.isWellFormed()) throw refused(cursor, 'a string holds half a surrogate pair');
  return value;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

function readNumber(cursor: Cursor): number {
  NUMBER.lastIndex = cursor.at;
  const literal = NUMBER.exec(cursor.text)?.[0];
  if (literal === undefined) throw refused(cursor, 'a value was expected');
  cursor.at += literal.length;
  const value = Number(literal);
  if (!Number.isFinite(value)) throw refused(cursor, 'a number is too large');
  return value;
}

function readWord<T extends boolean | null>(cursor: Cursor, word: string, value: T): T {
  if (!cursor.text.startsWith(word, cursor.at)) throw refused(cursor, 'a value was expected');
  cursor.at += word.length;
  return value;
}

function takes(cursor: Cursor, character: string): boolean {
  if (cursor.text[cursor.at] !== character) return false;
  cursor.at++;
  return true;
}

function skipSpace(cursor: Cursor): void {
  while (' \t\n\r'.includes(cursor.text[cursor.at] ?? 'end')) cursor.at++;
}

function refused(cursor: Cursor, what: string, options?: ErrorOptions): DataError {
  return new DataError('STRICT_JSON', `JSON: ${what}, at character ${cursor.at} of ${cursor.text.length}.`, options);
}
