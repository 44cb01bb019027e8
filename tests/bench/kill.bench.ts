import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { StatusReport } from '../../broadcast/control/controlled-session.ts';
import { systemClock } from '../../engine/clock.ts';
import { DeviceError } from '../../engine/errors.ts';
import { diskFileSystem } from '../../systems/checkpoint/file-system.ts';
import { storeFolders } from '../../systems/checkpoint/store-folders.ts';
import { listCheckpoints } from '../../systems/checkpoint/checkpoint-store.ts';
import { DRILLS, missingDrills, nameOf, prepareDrill } from './kill-drills.ts';
import type { Drill } from './kill-drills.ts';
import { startLive } from './live-child.ts';
import type { LiveChild } from './live-child.ts';
import { newestState } from './saved-state.ts';
import type { SavedState } from './saved-state.ts';

export type KillOptions = {
  readonly show: string;
  /** Session time. */
  readonly minutes: number;
  readonly kills: number;
  /** Two homes nobody else uses. */
  readonly homes: readonly [whole: string, killed: string];
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
};

/** One life of the killed run, or what the comparison at the end says of one part of the state. */
export type KillRow = { readonly what: string; readonly found: string; readonly ok: boolean };
export type KillReport = { readonly rows: readonly KillRow[]; readonly broken: readonly string[] };

/**
 * Facts of a process's life, not of the session: a run with more lives has more timelines and more events, and the sound
 * resampler of an emulator core begins anew, so its sample count may be off by a few (spec: session.md 12.2).
 */
const OF_A_LIFE = new Set(['epochs', 'eventWatermarks', 'audioPositions']);
const LOOK_MS = 50;

/**
 * Runs a show twice at full speed: whole, and then killed with SIGKILL at random moments and started again each time,
 * from a store that a drill has left without its hot tier, with its newest file damaged, or with its archives alone.
 * Both must end in the same state, byte for byte (spec: session.md PER-01, PER-04, and the drills of PERF-04).
 * @throws DeviceError KILL_RUN when a life does not start or the last one does not end well
 */
export async function benchKill(options: KillOptions): Promise<KillReport> {
  const { homes, kills, minutes, report, show, signal } = options;
  const rows: KillRow[] = [];
  const lives: Life[] = [];
  const begin = (home: string, flags: readonly string[]): Life => {
    const life = startLife(options, home, flags);
    lives.push(life);
    return life;
  };
  const tell = (row: KillRow): void => {
    rows.push(row);
    report(`${row.what}: ${row.found}`);
  };
  try {
    await finish(begin(homes[0], ['--fresh', '--for', `${minutes}m`]));
    const whole = newestState(homes[0], show);
    report(`the whole run: ${whole.runSteps} steps`);
    const stepSeconds = (minutes * 60) / whole.runSteps;
    const moments = Array.from({ length: kills }, () => Math.random() * minutes * 58).sort((a, b) => a - b);
    const folders = storeFolders(join(homes[1], 'checkpoints'), show);
    const done: Drill[] = [];
    let expected: string | null = null;
    for (const [k, moment] of moments.entries()) {
      const life = begin(homes[1], k === 0 ? ['--fresh'] : []);
      const atSeconds = await reach(life, moment, signal);
      process.kill(life.pid, 'SIGKILL');
      await life.ended;
      const origin = await life.origin;
      const drill = DRILLS[k % DRILLS.length]!;
      const prepared = prepareDrill(diskFileSystem, folders, drill);
      const next = prepared ?? prepareDrill(diskFileSystem, folders, 'hot');
      if (prepared !== null) done.push(drill);
      const again = (atSeconds - newestState(homes[1], show).runSteps * stepSeconds).toFixed(1);
      const left = `then ${prepared === null ? `no ${drill} state yet: hot` : drill}, ${again} s are played again`;
      tell({
        what: `kill ${k + 1}`,
        found: `${origin}, killed at ${atSeconds.toFixed(1)} s, ${left}`,
        ok: isFrom(origin, expected),
      });
      expected = next === null ? null : nameOf(next);
    }
    const left = whole.runSteps - newestState(homes[1], show).runSteps;
    const last = begin(homes[1], ['--transitions', String(left)]);
    await finish(last);
    const origin = await last.origin;
    tell({ what: 'last life', found: origin, ok: isFrom(origin, expected) });
    const wholeStore = storeFolders(join(homes[0], 'checkpoints'), show);
    const hasArchives = listCheckpoints(diskFileSystem, wholeStore).some(({ tier }) => tier === 'archive');
    const missing = missingDrills(done, hasArchives);
    const isEnough = kills < DRILLS.length || missing === null;
    const found =
      missing === null
        ? `two hot, two durable, one corrupted${hasArchives ? ', one archive' : ''} or more`
        : `too few: ${missing}`;
    tell({ what: 'drills of PERF-04', found, ok: isEnough });
    compare(whole, newestState(homes[1], show)).forEach(tell);
  } finally {
    await Promise.all(lives.map((life) => life.end()));
    // the hot tier lies in memory, outside the homes
    for (const home of homes)
      rmSync(storeFolders(join(home, 'checkpoints'), show).hot, { recursive: true, force: true });
  }
  return { rows, broken: rows.filter(({ ok }) => !ok).map(({ what }) => what) };
}

/** A life goes on from the very state the drill before it left as the best; the first one begins anew. */
function isFrom(origin: string, expected: string | null): boolean {
  return expected === null || origin.startsWith(`resumed from ${expected}:`);
}

type Life = LiveChild & {
  /** The line that says from where it goes on. */
  readonly origin: Promise<string>;
  readonly lastLine: () => string;
};

function startLife({ show, signal }: KillOptions, home: string, flags: readonly string[]): Life {
  const origin = Promise.withResolvers<string>();
  let lastLine = '';
  const live = startLive({
    show,
    home,
    flags: ['--no-picture', '--unthrottled', ...flags],
    signal,
    onLine(line) {
      lastLine = line;
      if (line.startsWith('resumed from')) origin.resolve(line);
    },
  });
  void live.ended.then(() => origin.resolve('begun anew'));
  return Object.assign(live, { origin: origin.promise, lastLine: () => lastLine });
}

async function finish(life: Life): Promise<void> {
  const how = await life.ended;
  if (how !== '0') throw new DeviceError('KILL_RUN', `fly live ended with ${how}; its last line: ${life.lastLine()}`);
}

/** Waits until the session has run that long; the session time it was seen at, seconds. */
async function reach(life: Life, moment: number, signal: AbortSignal): Promise<number> {
  const url = await life.url;
  while (!life.isOver && !signal.aborted) {
    const answer = url === null ? null : await fetch(new URL('status.json', url)).catch(() => null);
    const status = answer === null ? null : ((await answer.json()) as StatusReport);
    if (status?.status === 'running' && status.runSeconds >= moment) return status.runSeconds;
    await systemClock.sleep(LOOK_MS, signal);
  }
  throw new DeviceError('KILL_RUN', signal.aborted ? 'interrupted' : `a life ended by itself: ${life.lastLine()}`);
}

function compare(whole: SavedState, killed: SavedState): KillRow[] {
  return [...whole.payloads].map(([name, bytes]) => {
    const other = killed.payloads.get(name) ?? new Uint8Array();
    if (Buffer.compare(bytes, other) === 0)
      return { what: name, found: `${bytes.byteLength.toLocaleString('en')} bytes equal`, ok: true };
    const fields = differingFields(bytes, other);
    return {
      what: name,
      found: fields === null ? 'differs' : `differs in ${fields.join(', ')}`,
      ok: fields !== null && fields.every((field) => OF_A_LIFE.has(field)),
    };
  });
}

/** Names of the top fields in which two JSON payloads differ; null where they are no JSON. */
function differingFields(a: Uint8Array, b: Uint8Array): string[] | null {
  try {
    const [left, right] = [a, b].map((bytes) => JSON.parse(Buffer.from(bytes).toString()) as Record<string, unknown>);
    const names = new Set([...Object.keys(left!), ...Object.keys(right!)]);
    return [...names].filter((name) => JSON.stringify(left![name]) !== JSON.stringify(right![name]));
  } catch {
    return null;
  }
}
