import { DataError } from '../../engine/errors.ts';
import type { JsonValue } from '../../engine/identity/canonical-json.ts';

/** One object of a manifest and its path, for messages. Fields nobody asks for are left alone. */
export type ManifestObject = { readonly where: string; readonly value: Readonly<Record<string, JsonValue>> };

// Every reader below throws DataError MANIFEST_FIELD when the field is missing or of another type.

export function manifestObject(value: JsonValue | undefined, where: string): ManifestObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refused(where, value, 'an object');
  return { where, value: value as Readonly<Record<string, JsonValue>> };
}

export function objectField(object: ManifestObject, name: string): ManifestObject {
  return manifestObject(object.value[name], `${object.where}.${name}`);
}

export function numberField({ value, where }: ManifestObject, name: string): number {
  const found = value[name];
  if (typeof found !== 'number') throw refused(`${where}.${name}`, found, 'a number');
  return found;
}

/** A whole number from 0 to 2^53 - 1. */
export function countField(object: ManifestObject, name: string): number {
  const found = numberField(object, name);
  if (!Number.isSafeInteger(found) || found < 0) throw refused(`${object.where}.${name}`, found, 'a count');
  return found;
}

export function booleanField({ value, where }: ManifestObject, name: string): boolean {
  const found = value[name];
  if (typeof found !== 'boolean') throw refused(`${where}.${name}`, found, 'true or false');
  return found;
}

export function textField({ value, where }: ManifestObject, name: string): string {
  const found = value[name];
  if (typeof found !== 'string') throw refused(`${where}.${name}`, found, 'text');
  return found;
}

/** A list of objects. */
export function listField(object: ManifestObject, name: string): ManifestObject[] {
  const found = object.value[name];
  if (found === undefined || !isList(found)) throw refused(`${object.where}.${name}`, found, 'a list');
  return found.map((row, i) => manifestObject(row, `${object.where}.${name}[${i}]`));
}

/** An object whose every member is a number. */
export function numbersField(object: ManifestObject, name: string): Record<string, number> {
  const inner = objectField(object, name);
  return Object.fromEntries(Object.keys(inner.value).map((key) => [key, numberField(inner, key)]));
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function refused(where: string, found: JsonValue | undefined, wanted: string): DataError {
  const shown = found === undefined ? 'missing' : JSON.stringify(found).slice(0, 60);
  return new DataError(
    'MANIFEST_FIELD',
    `checkpoint: ${where} is ${shown}; it has to be ${wanted}. Nothing was restored; use another checkpoint.`,
  );
}
