/** One population readout as data (spec: brain.md 8). Channel order is part of the meaning: it breaks ties. */
export type DecoderConfig = {
  /** Directions: at most one is held at a time. Null when a game has none. */
  readonly exclusive: DecoderGroup | null;
  /** A second group of the same kind; its channels press no button. Null in raw mode. */
  readonly macros: DecoderGroup | null;
  /** Taps, each on its own clock. */
  readonly pulses: readonly DecoderPulse[];
  /** How long pulses stay silent after `clearHolds`, ms. */
  readonly clearLockoutMs: number;
};

export type DecoderGroup = {
  readonly channels: readonly ChannelRole[];
  /** Time from one decision to the next, ms. */
  readonly decisionMs: number;
  /** How long a winner stays held, ms. Equal to `decisionMs` it leaves no gap. */
  readonly holdMs: number;
  /** A challenger replaces the winner only at this many times its discounted score. */
  readonly hysteresis: number;
  /** Added to the winner's fatigue, 0..1; a score is divided by 1 + fatigue. */
  readonly fatigueGain: number;
  /** Multiplies everybody else's fatigue at each decision. */
  readonly fatigueDecay: number;
  /** Least fatigue of a channel reported as blocked; 0 ignores such reports. */
  readonly blockedFatigue: number;
  /** Standstill after which the caller reports the winner as blocked, ms; 0 never. Published for the caller. */
  readonly blockedMs: number;
};

export type ChannelRole = { readonly channel: string; readonly role: string };

export type DecoderPulse = ChannelRole & {
  readonly holdMs: number;
  readonly cooldownMs: number;
  /** Fires when the score is above this, strictly. */
  readonly threshold: number;
  /** Replaces cooldown and threshold until the game is in play. */
  readonly boot: { readonly cooldownMs: number; readonly threshold: number } | null;
  /** Pulses with the same name share one cooldown, so they never fire together. */
  readonly throttleGroup: string | null;
};
