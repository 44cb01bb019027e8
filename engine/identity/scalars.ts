import { DataError } from '../errors.ts';
import { rationalNs } from '../rational.ts';
import type { RationalNs } from '../rational.ts';
import { canonicalJsonBytes } from './canonical-json.ts';

/** Spec: session.md 2.1. Bounded, typed pieces every document is built of. Unknown fields are refused. */
export type Scope = { readonly sessionId: string; readonly epoch: string; readonly step: string };
export type SchemaRef = { readonly id: string; readonly version: number; readonly digest: string };
export type TypedValue = { readonly schema: SchemaRef; readonly value: Readonly<Record<string, unknown>> };
/** Installed content; never a path or an address. */
export type AssetRef = {
  readonly id: string;
  readonly digest: string;
  readonly byteLength: string;
  readonly format: string;
};
/** `RationalNs` as documents spell it. */
export type RationalText = { readonly numerator: string; readonly denominator: string };

export const MAX_TYPED_VALUE_BYTES = 32_768;

const U64_MAX = (1n << 64n) - 1n;
const ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const CHANNEL_NAME = /^[a-z][a-z0-9_]{0,63}$/;
const U64 = /^(?:0|[1-9][0-9]{0,19})$/;
const DIGEST = /^[0-9a-f]{64}$/;
const REQUEST_ID = /^req-(0|[1-9][0-9]{0,19})$/;

export function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}

export function isChannelName(value: unknown): value is string {
  return typeof value === 'string' && CHANNEL_NAME.test(value);
}

/** A 64-bit counter as text: no sign, no space, no exponent, no leading zero. */
export function isU64(value: unknown): value is string {
  return typeof value === 'string' && U64.test(value) && BigInt(value) <= U64_MAX;
}

export function isDigest(value: unknown): value is string {
  return typeof value === 'string' && DIGEST.test(value);
}

/** `req-<U64>`. */
export function isRequestId(value: unknown): value is string {
  const digits = typeof value === 'string' ? REQUEST_ID.exec(value)?.[1] : undefined;
  return digits !== undefined && isU64(digits);
}

/** @throws DataError SCALAR */
export function parseU64(value: unknown, where: string): bigint {
  if (!isU64(value)) throw refused(where, value, 'a decimal U64 string');
  return BigInt(value);
}

/** @throws DataError SCALAR when it is not in lowest terms, negative, or zero spelled otherwise than 0/1 */
export function parseRational(value: unknown, where: string): RationalNs {
  const { numerator, denominator } = fields(value, where, ['numerator', 'denominator']);
  const top = parseU64(numerator, `${where}.numerator`);
  const bottom = parseU64(denominator, `${where}.denominator`);
  if (bottom === 0n) throw refused(`${where}.denominator`, denominator, 'above zero');
  const reduced = rationalNs(top, bottom);
  if (reduced.denominator !== bottom) throw refused(where, `${top}/${bottom}`, 'in lowest terms');
  return reduced;
}

export function formatRational({ numerator, denominator }: RationalNs): RationalText {
  return { numerator: String(numerator), denominator: String(denominator) };
}

/** @throws DataError SCALAR */
export function parseScope(value: unknown, where: string): Scope {
  const { sessionId, epoch, step } = fields(value, where, ['sessionId', 'epoch', 'step']);
  if (!isId(sessionId)) throw refused(`${where}.sessionId`, sessionId, 'an Id');
  if (!isId(epoch)) throw refused(`${where}.epoch`, epoch, 'an Id');
  if (!isU64(step)) throw refused(`${where}.step`, step, 'a decimal U64 string');
  return { sessionId, epoch, step };
}

/** @throws DataError SCALAR */
export function parseSchemaRef(value: unknown, where: string): SchemaRef {
  const { id, version, digest } = fields(value, where, ['id', 'version', 'digest']);
  if (!isId(id)) throw refused(`${where}.id`, id, 'an Id');
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1 || version > 65_535) {
    throw refused(`${where}.version`, version, 'a whole number from 1 to 65535');
  }
  if (!isDigest(digest)) throw refused(`${where}.digest`, digest, '64 lowercase hex digits');
  return { id, version, digest };
}

/** @throws DataError SCALAR, also when the canonical whole exceeds 32,768 bytes; CANONICAL_JSON */
export function parseTypedValue(value: unknown, where: string): TypedValue {
  const parts = fields(value, where, ['schema', 'value']);
  const schema = parseSchemaRef(parts['schema'], `${where}.schema`);
  const inner = parts['value'];
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) {
    throw refused(`${where}.value`, inner, 'an object');
  }
  const typed = { schema, value: inner as Readonly<Record<string, unknown>> };
  const { byteLength } = canonicalJsonBytes(typed);
  if (byteLength > MAX_TYPED_VALUE_BYTES) {
    throw refused(where, `${byteLength} bytes`, `at most ${MAX_TYPED_VALUE_BYTES} bytes of canonical JSON`);
  }
  return typed;
}

/** @throws DataError SCALAR */
export function parseAssetRef(value: unknown, where: string): AssetRef {
  const { id, digest, byteLength, format } = fields(value, where, ['id', 'digest', 'byteLength', 'format']);
  if (!isId(id)) throw refused(`${where}.id`, id, 'an Id');
  if (!isDigest(digest)) throw refused(`${where}.digest`, digest, '64 lowercase hex digits');
  if (!isU64(byteLength) || byteLength === '0') throw refused(`${where}.byteLength`, byteLength, 'a U64 above zero');
  if (!isId(format)) throw refused(`${where}.format`, format, 'an Id');
  return { id, digest, byteLength, format };
}

/** Exactly these fields. */
function fields(value: unknown, where: string, names: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refused(where, value, 'an object');
  const found = value as Record<string, unknown>;
  for (const name of names) if (!Object.hasOwn(found, name)) throw refused(`${where}.${name}`, 'missing', 'present');
  const unknownField = Object.keys(found).find((name) => !names.includes(name));
  if (unknownField !== undefined) throw refused(`${where}.${unknownField}`, 'an unknown field', 'absent');
  return found;
}

function refused(where: string, value: unknown, wanted: string): DataError {
  const shown = typeof value === 'object' && value !== null ? 'an object' : String(value).slice(0, 80);
  return new DataError('SCALAR', `${where} is ${shown}; it has to be ${wanted}.`);
}
