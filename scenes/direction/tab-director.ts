import { createRandom } from './random.ts';

export type TabName = 'SENSES' | 'CONNECTOME' | 'LADDER' | 'DESCRIBE' | 'MACROS';

/** Tabs in the order they stand (spec: show.md 36). */
export const TABS: readonly TabName[] = ['SENSES', 'CONNECTOME', 'LADDER', 'DESCRIBE', 'MACROS'];

export type TabSignals = {
  readonly rankRose: boolean;
  readonly rewarded: boolean;
  /** In play with mean circuit drive of at least 0.72 (show.md 39). */
  readonly sensesBusy: boolean;
  readonly newChatter: boolean;
  /** A moment on stage asks for a tab for its own length (show.md 40). */
  readonly moment: { readonly tab: TabName; readonly lengthMs: number } | null;
};

export type TabDirector = {
  step(signals: TabSignals, nowMs: number): void;
  current(): TabName;
  changedAtMs(): number;
};

const SEED = 20_260_915;
const CYCLE_MIN_MS = 45_000;
const CYCLE_SPREAD_MS = 15_000;
const STEER_AFTER_MS = 12_000;
const CHATTER_HOLD_MS = 8_000;
const CHATTER_COOLDOWN_MS = 120_000;

/** @param rotation tabs that take turns; the first shown is CONNECTOME, the picture a stranger must see first */
export function createTabDirector(rotation: readonly TabName[]): TabDirector {
  const random = createRandom(SEED);
  let current: TabName = rotation.includes('CONNECTOME') ? 'CONNECTOME' : rotation[0]!;
  let changedAtMs = NaN;
  let cycleAtMs = NaN;
  let hold: { readonly untilMs: number; readonly back: TabName; readonly moment: boolean } | null = null;
  let chatterAtMs = -Infinity;

  function show(tab: TabName, nowMs: number): void {
    if (tab !== current) changedAtMs = nowMs;
    current = tab;
    cycleAtMs = nowMs + CYCLE_MIN_MS + random() * CYCLE_SPREAD_MS;
  }

  function holdTab(tab: TabName, lengthMs: number, moment: boolean, nowMs: number): void {
    hold = { untilMs: nowMs + lengthMs, back: hold?.back ?? current, moment };
    if (tab === current) return;
    changedAtMs = nowMs;
    current = tab;
  }

  return {
    current: () => current,
    changedAtMs: () => changedAtMs,
    step(signals, nowMs) {
      if (Number.isNaN(changedAtMs)) {
        changedAtMs = nowMs;
        cycleAtMs = nowMs + CYCLE_MIN_MS + random() * CYCLE_SPREAD_MS;
      }
      if (signals.moment !== null) {
        holdTab(signals.moment.tab, signals.moment.lengthMs, true, nowMs);
        return;
      }
      if (hold !== null && nowMs >= hold.untilMs) {
        const { back } = hold;
        hold = null;
        show(back, nowMs);
      }
      // a refused trigger does not spend the cooldown (show.md 41)
      if (signals.newChatter && hold === null && nowMs - chatterAtMs >= CHATTER_COOLDOWN_MS) {
        chatterAtMs = nowMs;
        holdTab('DESCRIBE', CHATTER_HOLD_MS, false, nowMs);
      }
      if (hold !== null) return;
      // acts only when the tab has been up long enough, else it is lost, not queued; rank wins (show.md 38)
      const steer: TabName | null = signals.rankRose ? 'LADDER' : signals.rewarded ? 'CONNECTOME' : null;
      if (steer !== null && steer !== current && nowMs - changedAtMs >= STEER_AFTER_MS) {
        show(steer, nowMs);
      } else if (nowMs >= cycleAtMs) {
        const next = rotation[(rotation.indexOf(current) + 1) % rotation.length]!;
        show(signals.sensesBusy && rotation.includes('SENSES') && current !== 'SENSES' ? 'SENSES' : next, nowMs);
      }
    },
  };
}
