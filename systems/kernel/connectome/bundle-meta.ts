import { DataError } from '../../../engine/errors.ts';
import { oneLine } from './one-line.ts';

export type ArtifactRecord = { readonly bytes: number; readonly compressedBytes: number; readonly sha256: string };

/** `meta.json`, keys in file order (spec: brain.md 1.2). Only the first six that a model needs are required. */
export type BundleMeta = {
  readonly schemaVersion: 1;
  readonly dataset: string;
  readonly retrieved?: string;
  readonly neurons: number;
  readonly edges: number;
  readonly sourceFiles?: Readonly<Record<string, string>>;
  readonly roles: Readonly<Record<string, readonly number[]>>;
  readonly visual: { readonly population: string; readonly count: number };
  readonly weightEncoding?: string;
  readonly positionPolicy?: string;
  readonly artifacts?: Readonly<Record<string, ArtifactRecord>>;
};

/** `circuit-roles.json`: populations that are circuits rather than inputs or outputs, then the macro partitions. */
export type CircuitRoles = {
  readonly dataset: string;
  readonly neurons: number;
  readonly roles: Readonly<Record<string, readonly number[]>>;
};

/** @throws DataError BUNDLE_META when the text is not a schema-1 meta file */
export function parseMeta(text: string, where: string): BundleMeta {
  const value = parseObject(text, where);
  if (value['schemaVersion'] !== 1) {
    throw refuse(where, `schemaVersion is ${JSON.stringify(value['schemaVersion'])}; this program reads 1`);
  }
  requireText(value, 'dataset', where);
  requireCount(value, 'neurons', where);
  requireCount(value, 'edges', where);
  const visual = value['visual'];
  if (!isObject(visual)) throw refuse(where, 'visual is missing');
  requireCount(visual, 'count', `${where} visual`);
  requireRoles(value['roles'], where);
  return value as unknown as BundleMeta;
}

/** @throws DataError BUNDLE_META when it is malformed or describes another neuron count */
export function parseCircuitRoles(text: string, where: string, neurons: number): CircuitRoles {
  const value = parseObject(text, where);
  requireText(value, 'dataset', where);
  requireRoles(value['roles'], where);
  if (value['neurons'] !== neurons) {
    throw refuse(where, `neurons is ${JSON.stringify(value['neurons'])} but meta.json says ${neurons}`);
  }
  return value as unknown as CircuitRoles;
}

/**
 * Puts the sidecar's roles into the meta: first those that are not `macro_*`, then the `macro_*` ones. A role that
 * exists keeps its place, a new one goes to the end (spec: brain.md 1.4).
 */
export function mergeRoles(meta: BundleMeta, sidecar: CircuitRoles | null): BundleMeta {
  const roles: Record<string, readonly number[]> = { ...meta.roles };
  const added = Object.entries(sidecar?.roles ?? {});
  for (const [name, members] of added) if (!isMacroRole(name)) roles[name] = members;
  for (const [name, members] of added) if (isMacroRole(name)) roles[name] = members;
  return { ...meta, roles };
}

export function isMacroRole(name: string): boolean {
  return name.startsWith('macro_');
}

function parseObject(text: string, where: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new DataError('BUNDLE_META', `${where} is not JSON. Install the bundle again.`, { cause });
  }
  if (!isObject(value)) throw refuse(where, 'it is not an object');
  return value;
}

function requireText(value: Record<string, unknown>, key: string, where: string): void {
  if (typeof value[key] !== 'string') throw refuse(where, `${key} is not text`);
}

function requireCount(value: Record<string, unknown>, key: string, where: string): void {
  const count = value[key];
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > 0xffff_ffff) {
    throw refuse(where, `${key} is ${JSON.stringify(count)}, not a whole number that fits 32 bits`);
  }
}

function requireRoles(roles: unknown, where: string): void {
  if (!isObject(roles)) throw refuse(where, 'roles is missing');
  for (const [name, members] of Object.entries(roles)) {
    if (!Array.isArray(members)) throw refuse(where, `role ${oneLine(name)} is not a list`);
    for (const member of members as unknown[]) {
      if (typeof member !== 'number' || !Number.isInteger(member)) {
        throw refuse(where, `role ${oneLine(name)} lists ${JSON.stringify(member)}, not a neuron index`);
      }
    }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(where: string, reason: string): DataError {
  return new DataError('BUNDLE_META', `${where}: ${reason}. Install or grow the bundle again.`);
}
