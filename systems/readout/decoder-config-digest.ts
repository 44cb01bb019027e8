import { canonicalDigest } from '../../engine/identity/digest.ts';
import type { DecoderConfig, DecoderGroup } from './decoder-config.ts';

/** Which members the digest covers, and how. */
export const DECODER_FORM = 'gameboy-decoder-config-v1';

/**
 * Identity of a readout: SHA-256 of its canonical JSON in the form `DECODER_FORM`, lowercase hex (spec: session.md
 * 3.2). Channels are lists, so their order counts.
 */
export function decoderConfigDigest(config: DecoderConfig): string {
  return canonicalDigest({
    form: DECODER_FORM,
    exclusive: groupForm(config.exclusive),
    macros: groupForm(config.macros),
    pulses: config.pulses.map(({ channel, role, holdMs, cooldownMs, threshold, boot, throttleGroup }) => ({
      channel,
      role,
      holdMs,
      cooldownMs,
      threshold,
      boot: boot === null ? null : { cooldownMs: boot.cooldownMs, threshold: boot.threshold },
      throttleGroup,
    })),
    clearLockoutMs: config.clearLockoutMs,
  });
}

function groupForm(group: DecoderGroup | null): object | null {
  if (group === null) return null;
  const { channels, decisionMs, holdMs, hysteresis, fatigueGain, fatigueDecay, blockedFatigue, blockedMs } = group;
  return {
    channels: channels.map(({ channel, role }) => ({ channel, role })),
    decisionMs,
    holdMs,
    hysteresis,
    fatigueGain,
    fatigueDecay,
    blockedFatigue,
    blockedMs,
  };
}
