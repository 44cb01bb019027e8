import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { holdChild } from './held-child.ts';
import type { HeldChild } from './held-child.ts';

/** A `fly live` in its own process. */
export type LiveChild = HeldChild & {
  /** Its page, once it serves; null when it ended before. */
  readonly url: Promise<string | null>;
};

export type LiveRun = {
  readonly show: string;
  /** Its `FLY_HOME`. */
  readonly home: string;
  readonly flags: readonly string[];
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Called with every line of its standard error. */
  readonly onLine: (line: string) => void;
};

/** Starts `fly live` under the flags of this process, on a free port, with outputs on this machine only. */
export function startLive({ show, home, flags, signal, onLine }: LiveRun): LiveChild {
  const fly = fileURLToPath(new URL('../../bin/fly.ts', import.meta.url));
  const args = [...process.execArgv, fly, 'live', show, '--local', '--port', '0', ...flags];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, FLY_HOME: home },
  });
  const held = holdChild(child);
  const url = Promise.withResolvers<string | null>();
  createInterface({ input: child.stderr }).on('line', (line) => {
    onLine(line);
    const found = /stop it at (http:\S+)/.exec(line);
    if (found !== null) url.resolve(found[1]!);
  });
  const end = (): void => void held.end();
  signal.addEventListener('abort', end, { once: true });
  void held.ended.then(() => {
    signal.removeEventListener('abort', end);
    url.resolve(null);
  });
  return Object.assign(held, { url: url.promise });
}
