/**
 * Wall time, injected wherever it is read. Wall time paces, times out and dates; it never decides what a fly does.
 */
export type Clock = {
  /** Monotonic time in milliseconds; the origin has no meaning. */
  nowMs(): number;
  /** Unix time in milliseconds. */
  unixMs(): number;
  /** Resolves once `ms` have passed; returns early, without throwing, when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

/** Runs `action` in `ms`, unless the returned function was called before. */
export function after(clock: Clock, ms: number, action: () => void): () => void {
  const cancelled = new AbortController();
  void clock.sleep(ms, cancelled.signal).then(() => {
    if (!cancelled.signal.aborted) action();
  });
  return () => cancelled.abort();
}

/** The machine's own clock. */
export const systemClock: Clock = {
  nowMs: () => performance.now(),
  unixMs: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done);
    }),
};

/** A clock a test moves by hand. `advanceMs` runs every sleeper that falls due, in due order. */
export type FakeClock = Clock & { advanceMs(ms: number): void };

export function createFakeClock(startUnixMs = 1_700_000_000_000): FakeClock {
  let now = 0;
  let sleepers: { dueMs: number; wake: () => void }[] = [];
  return {
    nowMs: () => now,
    unixMs: () => startUnixMs + now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const sleeper = { dueMs: now + ms, wake: resolve };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          resolve();
        });
      }),
    advanceMs(ms) {
      now += ms;
      const due = sleepers.filter((sleeper) => sleeper.dueMs <= now).sort((a, b) => a.dueMs - b.dueMs);
      sleepers = sleepers.filter((sleeper) => sleeper.dueMs > now);
      for (const sleeper of due) sleeper.wake();
    },
  };
}
