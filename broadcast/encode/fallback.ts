import type { DeviceError } from '../../engine/errors.ts';
import type { EncoderChoice } from './encode-options.ts';

/** NVENC must have died within this long for x264 to take over, ms (spec: broadcast.md 4, 26). */
export const FALLBACK_WINDOW_MS = 15_000;

export type FallbackCase = {
  readonly backend: 'nvenc' | 'x264';
  /** Since the encoder was opened, ms. */
  readonly ageMs: number;
  readonly fallbacks: number;
  readonly choice: EncoderChoice;
};

/** Once per process, from NVENC only, early only, and only where the show did not insist (spec: broadcast.md 26, 28). */
export function shouldFallBack(state: FallbackCase): boolean {
  return (
    state.backend === 'nvenc' && state.choice === 'auto' && state.fallbacks === 0 && state.ageMs <= FALLBACK_WINDOW_MS
  );
}

/** True when the encoder itself is gone, as opposed to a picture of the wrong shape. */
export function isSessionLoss(error: DeviceError): boolean {
  return error.code === 'ENCODER_FAILED';
}
