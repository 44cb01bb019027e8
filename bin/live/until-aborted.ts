/** Rejects as soon as the signal aborts; what `work` opens is then the process's to drop. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw new Interrupted();
  return Promise.race([
    work,
    new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Interrupted()), { once: true }),
    ),
  ]);
}

/** Asked to end before the first transition: nothing to summarise. */
export class Interrupted extends Error {}
