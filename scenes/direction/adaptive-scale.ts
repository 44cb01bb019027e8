/** Full scale of a bar follows its rate, so rest sits at 1 / 1.5 of it (spec: show.md 48). */
export type AdaptiveScale = {
  step(rateHz: number, nowMs: number): void;
  /** Hz of a full bar, at least 1. */
  fullHz(): number;
  /** 0..1 of the bar. */
  fill(): number;
  /** 0..1 above rest: what drives the body (show.md 106). */
  aboveRest(): number;
};

const ATTACK_HALF_LIFE_MS = 4_000;
const RELEASE_HALF_LIFE_MS = 20_000;
const HEADROOM = 1.5;
const FLOOR_HZ = 1;
const REST = 1 / HEADROOM;

/** @param seedFullHz full scale before anything was measured (show.md 47) */
export function createAdaptiveScale(seedFullHz: number): AdaptiveScale {
  let level = seedFullHz / HEADROOM;
  let rate = 0;
  let atMs = NaN;
  const full = (): number => Math.max(FLOOR_HZ, level * HEADROOM);
  return {
    step(rateHz, nowMs) {
      rate = rateHz;
      const elapsedMs = nowMs - atMs;
      atMs = nowMs;
      if (!(elapsedMs > 0)) return;
      const halfLifeMs = rateHz > level ? ATTACK_HALF_LIFE_MS : RELEASE_HALF_LIFE_MS;
      level += (rateHz - level) * (1 - 0.5 ** (elapsedMs / halfLifeMs));
    },
    fullHz: full,
    fill: () => Math.min(1, rate / full()),
    aboveRest: () => Math.min(1, Math.max(0, (rate / full() - REST) / (1 - REST))),
  };
}
