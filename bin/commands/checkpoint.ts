import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { loadConfig, loadShow } from '../../config/load-config.ts';
import { ConfigError, DataError, describeError } from '../../engine/errors.ts';
import { deriveSeed } from '../../engine/identity/derive-seed.ts';
import { nearest } from '../../engine/nearest.ts';
import {
  checkpointIdOf,
  highestGeneration,
  listCheckpoints,
  readCheckpoint,
  saveCheckpoint,
} from '../../systems/checkpoint/checkpoint-store.ts';
import type { StoredCheckpoint } from '../../systems/checkpoint/checkpoint-store.ts';
import { decodeFlysimEnvelope, flysimClocks, flysimMismatch } from '../../systems/checkpoint/envelope-flysim.ts';
import type { FlysimSave } from '../../systems/checkpoint/envelope-flysim.ts';
import { decodeSessionEnvelope, encodeSessionEnvelope } from '../../systems/checkpoint/envelope-session.ts';
import type { SessionManifest } from '../../systems/checkpoint/envelope-session.ts';
import { diskFileSystem } from '../../systems/checkpoint/file-system.ts';
import { storeFolders } from '../../systems/checkpoint/store-folders.ts';
import { lockStore } from '../../systems/checkpoint/store-lock.ts';
import { recordOf } from '../../systems/checkpoint/store-record.ts';
import { replaceFile } from '../../systems/checkpoint/store-tier.ts';
import { kernelVersion, resolveKernelParameters } from '../../systems/kernel/parameters.ts';
import { plasticityVersion } from '../../systems/learning/plasticity-parameters.ts';
import { resolveHome } from '../home.ts';

/** Every saved state, best first; one line each. A store that cannot be read is named and does not hide the others. */
export function checkpointListCommand(show: string | undefined): void {
  const shows = show === undefined ? knownShows() : [knownShow(show)];
  if (shows.length === 0) process.stdout.write('no saved state yet: ./fly live saves one every few seconds\n');
  let unreadable = 0;
  for (const id of shows) {
    try {
      for (const stored of checkpointsOf(id)) process.stdout.write(`${describe(id, stored)}\n`);
    } catch (error) {
      unreadable += 1;
      process.stdout.write(`${id}: ${describeError(error)}\n`);
    }
  }
  if (unreadable > 0) throw new DataError('STORE_UNREADABLE', `${unreadable} stores cannot be read; see above.`);
}

/** Reads and checks one file completely and says what it is. */
export function checkpointInspectCommand(what: string): void {
  const bytes = existsSync(what) ? readFile(what) : readCheckpoint(diskFileSystem, findCheckpoint(what));
  if (isFlysim(bytes)) return print(flysimFacts(decodeFlysimEnvelope(bytes), bytes.byteLength));
  const { manifest, payloads } = decodeSessionEnvelope(bytes);
  const { checkpointId, sourceScope, episodeId, worldTime, agents, compatibility } = manifest;
  const seconds = Number(BigInt(worldTime.numerator) / BigInt(worldTime.denominator)) / 1e9;
  const facts: [string, string][] = [
    ['checkpoint', `${checkpointId}, ${bytes.byteLength.toLocaleString('en')} bytes, sound`],
    ['session', `${sourceScope.sessionId}, epoch ${sourceScope.epoch}, ${episodeId}`],
    ['boundary', `${BigInt(sourceScope.step).toLocaleString('en')}, world time ${seconds.toFixed(1)} s`],
    ...agents.map((agent): [string, string] => [
      'agent',
      `${agent.agentId}, seed ${agent.seed}, ${BigInt(agent.brainTicks).toLocaleString('en')} ticks, ${agent.modelVersion}`,
    ]),
    ['content', compatibility.contentDigest],
    ['core', compatibility.backendDigest],
    ...[...payloads].map(([name, data]): [string, string] => ['payload', `${name}, ${data.byteLength} bytes`]),
  ];
  print(facts);
}

function print(facts: readonly (readonly [string, string])[]): void {
  for (const [name, value] of facts) process.stdout.write(`${name.padEnd(12)}${value}\n`);
}

/** What an older service's file holds. Each segment of its profile stands alone: one of them decides (brain.md 9.5). */
function flysimFacts(save: FlysimSave, byteLength: number): [string, string][] {
  const clocks = flysimClocks(save);
  return [
    ['checkpoint', `FLYSIM01, generation ${save.generation}, ${byteLength.toLocaleString('en')} bytes, sound`],
    ['saved', new Date(save.wallMs).toISOString()],
    ['boundary', `${clocks.step.toLocaleString('en')}, ${clocks.executedTicks.toLocaleString('en')} brain ticks`],
    ['cartridge', save.romHash],
    ...save.compatibility.split('/').map((segment): [string, string] => ['profile', segment]),
  ];
}

/** Copies one saved state out of the store, checked, under a name nobody has. */
export function checkpointExportCommand(id: string, file: string): void {
  const target = resolve(file);
  if (existsSync(target)) {
    throw new ConfigError('EXPORT_TARGET', `${file} exists; name a file that does not.`);
  }
  const bytes = readCheckpoint(diskFileSystem, findCheckpoint(id));
  decodeSessionEnvelope(bytes);
  replaceFile(diskFileSystem, dirname(target), basename(target), bytes);
  process.stdout.write(`${file}: ${bytes.byteLength.toLocaleString('en')} bytes\n`);
}

/**
 * Puts a file into the store of the show it was saved by, as its newest state. Whether it fits that show's brain and
 * cartridge is checked when it is continued.
 */
export async function checkpointImportCommand(file: string): Promise<void> {
  const bytesOfFile = readFile(file);
  if (isFlysim(bytesOfFile)) return refuseFlysim(decodeFlysimEnvelope(bytesOfFile), file);
  const { manifest, payloads } = decodeSessionEnvelope(bytesOfFile);
  const { sessionId } = manifest.sourceScope;
  const folders = storeFolders(resolveHome(process.env).checkpoints, sessionId);
  const lock = lockStore(folders.root);
  try {
    const checkpointId = checkpointIdOf(highestGeneration(diskFileSystem, folders) + 1);
    const renamed: SessionManifest = { ...manifest, checkpointId };
    const bytes = encodeSessionEnvelope({ manifest: renamed, payloads });
    const row = recordOf(renamed, bytes);
    saveCheckpoint(diskFileSystem, folders, { kind: 'durable', archiveRank: null, bytes, row });
    process.stdout.write(`${checkpointId}: show ${sessionId} continues from it at boundary ${row.boundary}\n`);
  } finally {
    lock.release();
  }
}

/**
 * A peer's run continues only under its own profile. No world here runs the peer's emulator, so the first difference is
 * named and nothing is written.
 */
async function refuseFlysim(save: FlysimSave, file: string): Promise<void> {
  const { root } = resolveHome(process.env);
  const config = await loadConfig({ home: root, environment: process.env, overrides: {} });
  const show = await loadShow(config.show, root);
  const agent = show.agents[0]!;
  const seed = agent.seed ?? deriveSeed(config.seed, agent.id);
  const here = [
    kernelVersion(resolveKernelParameters(), seed),
    show.task.name,
    agent.connectome,
    plasticityVersion(resolveKernelParameters().plasticity),
    'mgba:libretro',
    `show:${show.id}`,
    'statefmt:flysess-1',
  ].join('/');
  const difference = flysimMismatch(save.compatibility, here, { migratable: [], allowed: null });
  throw new DataError(
    'FLYSIM_PROFILE',
    `${file}: ${difference ?? 'its emulator state belongs to another core'}. Show ${show.id} cannot continue it; nothing was written.`,
  );
}

function isFlysim(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 8)).toString('latin1') === 'FLYSIM01';
}

function knownShows(): string[] {
  const { checkpoints } = resolveHome(process.env);
  if (!existsSync(checkpoints)) return [];
  return readdirSync(checkpoints, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** @throws ConfigError CHECKPOINT_SHOW */
function knownShow(show: string): string {
  const shows = knownShows();
  if (shows.includes(show)) return show;
  const guess = nearest(show, shows);
  const hint = guess === null ? `Shows that have some: ${shows.join(', ') || 'none'}.` : `Did you mean ${guess}?`;
  throw new ConfigError('CHECKPOINT_SHOW', `show ${show} has no saved state. ${hint}`);
}

function checkpointsOf(show: string): StoredCheckpoint[] {
  return listCheckpoints(diskFileSystem, storeFolders(resolveHome(process.env).checkpoints, show));
}

/** `ckpt-41` when one show has it, else `windfall/ckpt-41`. @throws ConfigError CHECKPOINT_ID, CHECKPOINT_SHOW */
function findCheckpoint(id: string): StoredCheckpoint {
  const [, show, name] = /^(?:([^/]+)\/)?(ckpt-\d+)$/.exec(id) ?? [];
  const shows = show === undefined ? knownShows() : [knownShow(show)];
  const having = shows.flatMap((one) => {
    const found = checkpointsOf(one).find(({ row }) => row.checkpointId === name);
    return found === undefined ? [] : [{ one, found }];
  });
  if (having.length === 1) return having[0]!.found;
  const reason =
    having.length === 0
      ? 'is neither a file nor a saved state; ./fly checkpoint list shows all'
      : `is in several shows; write ${having.map(({ one }) => `${one}/${name}`).join(' or ')}`;
  throw new ConfigError('CHECKPOINT_ID', `${id} ${reason}.`);
}

/** @throws ConfigError CHECKPOINT_FILE */
function readFile(file: string): Uint8Array {
  let bytes: Uint8Array | null = null;
  try {
    bytes = diskFileSystem.read(resolve(file));
  } catch (cause) {
    throw noFile(`${file} cannot be read (${describeError(cause)}).`, { cause });
  }
  if (bytes === null) throw noFile(`there is no file ${file}.`);
  return bytes;
}

function noFile(what: string, options?: ErrorOptions): ConfigError {
  const remedy = 'Give a checkpoint file, or an id of `fly checkpoint list`.';
  return new ConfigError('CHECKPOINT_FILE', `${what} ${remedy}`, options);
}

function describe(show: string, { tier, path, row }: StoredCheckpoint): string {
  const saved = new Date(diskFileSystem.modifiedMs(path)).toISOString().replace(/\.\d+Z$/, 'Z');
  const megabytes = (Number(row.byteLength) / 1e6).toFixed(1);
  const boundary = BigInt(row.boundary).toLocaleString('en');
  return `${show}/${row.checkpointId}  ${tier.padEnd(7)}  boundary ${boundary}, epoch ${row.epoch}, ${megabytes} MB, ${saved}`;
}
