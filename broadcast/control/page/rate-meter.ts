/** Growth per second of a counter, from readings the page took itself. */
export type RateMeter = {
  /** Returns the rate over the window, null until two readings lie apart. A counter that falls starts anew. */
  read(nowMs: number, value: number): number | null;
};

export function createRateMeter(windowMs: number): RateMeter {
  let readings: { atMs: number; value: number }[] = [];
  return {
    read(nowMs, value) {
      if (readings.length > 0 && value < readings[readings.length - 1]!.value) readings = [];
      readings.push({ atMs: nowMs, value });
      while (readings.length > 2 && nowMs - readings[1]!.atMs >= windowMs) readings.shift();
      const first = readings[0]!;
      const spanMs = nowMs - first.atMs;
      return spanMs < 500 ? null : ((value - first.value) * 1_000) / spanMs;
    },
  };
}
