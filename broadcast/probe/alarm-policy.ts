export type AlarmName = 'frozen' | 'black' | 'silent';

/** What one look at the encoded output found. */
export type ProbeReport = {
  readonly atUnixMs: number;
  /** Judged pictures: about 90 in a full look, 1 in a light one. */
  readonly decodedFrames: number;
  readonly identicalFrames: number;
  readonly blackFrames: number;
  /** Level of the last seconds; -120 is digital silence, null when no sound was encoded. */
  readonly rmsDb: number | null;
  /** Age of the newest encoded picture, ms. */
  readonly newestAgeMs: number;
};

export type AlarmChange = { readonly alarm: AlarmName; readonly raised: boolean; readonly detail: string };

/** Turns reports into alarms. */
export type AlarmPolicy = { judge(report: ProbeReport, nowMs: number): readonly AlarmChange[] };

/** 80 of about 90 frames alike, in two looks in a row (spec: broadcast.md 38). */
export const FROZEN_SHARE: number = 80 / 90;
/** Fewer decoded frames say nothing (spec: broadcast.md 38). */
export const MIN_DECODED_FRAMES = 60;
/** Older output says nothing (spec: broadcast.md 38). */
export const MAX_NEWEST_AGE_MS = 120_000;
/** After a frozen alarm the next one may come this much later, ms (spec: broadcast.md 38). */
export const FROZEN_HOLD_MS: number = 30 * 60_000;
/** Silence this long is an alarm, ms (spec: broadcast.md 66). */
export const SILENCE_LIMIT_MS = 60_000;
/** AAC of pure silence decodes to nothing; anything audible is far above, dB. */
const SILENCE_DB = -90;

export function createAlarmPolicy(): AlarmPolicy {
  const raised: Record<AlarmName, boolean> = { frozen: false, black: false, silent: false };
  let frozenInRow = 0;
  let blackInRow = 0;
  let silentSinceMs: number | null = null;
  let frozenHeldUntilMs = -Infinity;

  return {
    judge(report, nowMs) {
      const changes: AlarmChange[] = [];
      const set = (alarm: AlarmName, on: boolean, detail: string): void => {
        if (raised[alarm] === on) return;
        raised[alarm] = on;
        changes.push({ alarm, raised: on, detail });
      };
      const fresh = report.newestAgeMs < MAX_NEWEST_AGE_MS;

      if (fresh && report.decodedFrames >= MIN_DECODED_FRAMES) {
        const frozen = report.identicalFrames / report.decodedFrames >= FROZEN_SHARE;
        frozenInRow = frozen ? frozenInRow + 1 : 0;
        const found = `${report.identicalFrames} of ${report.decodedFrames} encoded pictures equal the one before`;
        if (!frozen) set('frozen', false, found);
        else if (frozenInRow >= 2 && nowMs >= frozenHeldUntilMs) {
          raised.frozen = false; // a freeze that outlasts the hold is told again
          frozenHeldUntilMs = nowMs + FROZEN_HOLD_MS;
          set('frozen', true, found);
        }
      }

      if (fresh && report.decodedFrames > 0) {
        const black = report.blackFrames === report.decodedFrames;
        blackInRow = black ? blackInRow + 1 : 0;
        if (!black) set('black', false, 'the encoded picture is no longer black');
        else if (blackInRow >= 2) set('black', true, 'the encoded picture is black');
      }

      if (fresh && report.rmsDb !== null) {
        if (report.rmsDb > SILENCE_DB) {
          silentSinceMs = null;
          set('silent', false, `the encoded sound is at ${report.rmsDb.toFixed(1)} dB`);
        } else {
          silentSinceMs ??= nowMs;
          const silentMs = nowMs - silentSinceMs;
          if (silentMs >= SILENCE_LIMIT_MS) {
            set('silent', true, `the encoded sound has been silent for ${Math.round(silentMs / 1_000)} s`);
          }
        }
      }
      return changes;
    },
  };
}
