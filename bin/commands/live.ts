import { createTerminal } from '../live/terminal.ts';
import { parseDuration, parseWhole } from '../live/live-options.ts';
import type { LiveOptions } from '../live/live-options.ts';
import { runLive } from '../live/run-live.ts';
import { Interrupted } from '../live/until-aborted.ts';
import { EXIT } from '../exit-codes.ts';
import { resolveHome } from '../home.ts';
import { ConfigError } from '../../engine/errors.ts';
import type { LearningMode } from '../../engine/replica/descriptor.ts';

type Flags = {
  rtmp: string[];
  record?: string;
  for?: string;
  transitions?: string;
  size?: string;
  fps?: string;
  picture: boolean;
  unthrottled?: boolean;
  fresh?: boolean;
  port?: string;
  seed?: string;
  summary?: string;
  learning: LearningMode;
  local?: boolean;
};

/** Longest a run may take to end once asked; then the process ends without ceremony. */
const END_LIMIT_MS = 2_900;

export async function liveCommand(show: string | undefined, flags: Flags): Promise<void> {
  const options = parseFlags(show, flags);
  const abort = new AbortController();
  let interrupted = false;
  const stop = (by: string): void => {
    if (abort.signal.aborted) return;
    abort.abort(by);
    setTimeout(() => process.exit(interrupted ? EXIT.interrupted : EXIT.failed), END_LIMIT_MS).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (interrupted) process.exit(EXIT.interrupted);
      interrupted = true;
      stop(signal === 'SIGINT' ? 'Ctrl-C' : signal);
    });
  }
  try {
    await runLive({
      options,
      home: resolveHome(process.env),
      environment: process.env,
      terminal: createTerminal(process.stderr, () => performance.now()),
      signal: abort.signal,
      requestStop: (by) => stop(`stopped by ${by}`),
    });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  }
  // Native handles of a library must not keep a finished run alive.
  process.exit(interrupted ? EXIT.interrupted : EXIT.done);
}

/** @throws ConfigError FLAG_VALUE, FLAG_CONFLICT */
function parseFlags(show: string | undefined, flags: Flags): LiveOptions {
  const wanted = [...(flags.record === undefined ? [] : ['--record']), ...(flags.rtmp.length === 0 ? [] : ['--rtmp'])];
  if (!flags.picture && wanted.length > 0) {
    throw new ConfigError(
      'FLAG_CONFLICT',
      `--no-picture draws nothing, so ${wanted.join(' and ')} would get nothing. Leave one of them out.`,
    );
  }
  return {
    show: show ?? null,
    rtmp: flags.rtmp,
    record: flags.record ?? null,
    forSeconds: flags.for === undefined ? null : parseDuration(flags.for),
    transitions:
      flags.transitions === undefined ? null : BigInt(parseWhole(flags.transitions, '--transitions', 1, 2 ** 53 - 1)),
    size: flags.size ?? null,
    fps: flags.fps === undefined ? null : parseWhole(flags.fps, '--fps', 10, 60),
    picture: flags.picture,
    unthrottled: flags.unthrottled ?? false,
    // A seed on the command line asks for the run that begins with it, not for the one that was left.
    fresh: flags.fresh === true || flags.seed !== undefined,
    port: flags.port === undefined ? null : parseWhole(flags.port, '--port', 0, 65_535),
    seed: flags.seed ?? null,
    summary: flags.summary ?? null,
    learning: flags.learning,
    local: flags.local ?? false,
  };
}
