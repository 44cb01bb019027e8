import type { ChildProcess } from 'node:child_process';

/** A process that is always ended: by `end`, or with the process that started it. */
export type HeldChild = {
  readonly pid: number;
  /** Exit code or signal, once it ended. */
  readonly ended: Promise<string>;
  readonly isOver: boolean;
  /** Asks it, waits, and kills it when it does not end in time. Resolves when it is gone. */
  end(): Promise<string>;
};

/** `fly live` has three seconds to end once asked; a busy machine gets more. */
const END_LIMIT_MS = 10_000;

/** @param limitMs from the polite signal to the one that cannot be refused */
export function holdChild(child: ChildProcess, limitMs: number = END_LIMIT_MS): HeldChild {
  let isOver = false;
  const killNow = (): void => void child.kill('SIGKILL');
  process.once('exit', killNow); // whatever ends us ends it
  const ended = new Promise<string>((resolve) => {
    const finish = (how: string): void => {
      isOver = true;
      process.removeListener('exit', killNow);
      resolve(how);
    };
    child.once('exit', (code, signal) => finish(signal ?? String(code)));
    child.once('error', ({ message }) => finish(message)); // it never began
  });
  return {
    pid: child.pid ?? 0,
    ended,
    get isOver() {
      return isOver;
    },
    async end() {
      if (!isOver) child.kill('SIGTERM');
      const timer = setTimeout(killNow, limitMs);
      const how = await ended;
      clearTimeout(timer);
      return how;
    },
  };
}
