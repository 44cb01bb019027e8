import koffi from 'koffi';

/** CLOCK_THREAD_CPUTIME_ID of Linux. */
const THREAD_CPU = 3;

/**
 * CPU time the calling thread has used, ms. Node's `threadCpuUsage` moves in steps of the kernel's timer; this one counts
 * nanoseconds, and time in which another thread had the core does not count.
 */
export function createThreadCpuClock(): () => number {
  const read = koffi.load(null).func('clock_gettime', 'int', ['int', 'void *']);
  const time = new BigInt64Array(2); // seconds, nanoseconds
  return () => {
    read(THREAD_CPU, time);
    return Number(time[0]!) * 1_000 + Number(time[1]!) / 1e6;
  };
}
