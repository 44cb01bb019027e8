/** A pressed control stays lit 250 ms after release, so that an 85 ms pulse can be seen (spec: show.md 81). */
export const AFTERGLOW_MS = 250;

export type Afterglow = {
  /** Takes what is down now; null (boundary 0) is nothing. */
  step(down: readonly boolean[] | null, nowMs: number): void;
  state(index: number, nowMs: number): 'down' | 'glow' | 'up';
};

export function createAfterglow(count: number): Afterglow {
  const lastDownMs = new Float64Array(count).fill(-Infinity);
  const isDown = new Uint8Array(count);
  return {
    step(down, nowMs) {
      for (let i = 0; i < count; i++) {
        isDown[i] = down?.[i] === true ? 1 : 0;
        if (isDown[i] === 1) lastDownMs[i] = nowMs;
      }
    },
    state(index, nowMs) {
      if (isDown[index] === 1) return 'down';
      return nowMs - lastDownMs[index]! <= AFTERGLOW_MS ? 'glow' : 'up';
    },
  };
}
