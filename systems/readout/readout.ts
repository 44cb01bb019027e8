import type { Decision, Readout } from '../../engine/contract/readout.ts';
import { createBlockedWindow } from './blocked-window.ts';
import type { DecoderConfig } from './decoder-config.ts';
import { createDecoder } from './decoder.ts';
import { createEntropyMonitor } from './entropy-monitor.ts';
import { parseHostState } from './host-state.ts';
import type { ReadoutHostState } from './host-state.ts';

/**
 * The readout of one agent: decoder, blocked-direction window and entropy monitor behind one contract. Its
 * state is the decoder's, version 4, with window and monitor beside it as `host`; a state without that member starts both
 * anew (spec: session.md 9.2).
 * @param rateRoles names of the brain's tracked rates, in the order `decide` gets them
 * @throws ConfigError DECODER_CHANNELS
 */
export function createReadout(config: DecoderConfig, rateRoles: readonly string[]): Readout {
  const decoder = createDecoder(config, rateRoles);
  const channels = decoder.channels.map(({ channel }) => channel);
  const window = createBlockedWindow(config.exclusive?.blockedMs ?? 0);
  const monitor = createEntropyMonitor(config.exclusive?.channels.length ?? 0);
  const lastActive = new Uint8Array(channels.length);
  let lastDecision: Decision = { active: [], macro: null };

  function decide(active: Uint8Array, bound: readonly string[]): Decision {
    const macro = firstHeldMacro(bound);
    let isSame = macro === lastDecision.macro;
    for (let i = 0; i < active.length; i++) isSame &&= active[i] === lastActive[i];
    if (isSame) return lastDecision; // most transitions change nothing; keep the list they share
    lastActive.set(active);
    lastDecision = { active: decoder.activeNames(), macro };
    return lastDecision;
  }

  /** In the context's order, not the decoder's (spec: session.md 9.3). */
  function firstHeldMacro(bound: readonly string[]): string | null {
    for (let i = 0; i < bound.length; i++) if (decoder.isActive(bound[i]!)) return bound[i]!;
    return null;
  }

  return {
    channels,
    calibrate: decoder.calibrate,
    decide(rates, nowMs, { boot, bound }) {
      const blocked = window.blockedChannel(nowMs, decoder.winner());
      const active = decoder.decode(rates, nowMs, boot, blocked, bound);
      window.noteWinner(nowMs, decoder.winner());
      if (decoder.winnerIndex() >= 0) monitor.note(decoder.nextDecisionMs(), decoder.winnerIndex(), decoder.lastScores);
      return decide(active, bound);
    },
    retain: ({ location }, nowMs) => window.noteLocation(nowMs, location),
    clear({ location }, nowMs) {
      decoder.clearHolds(nowMs);
      window.restartAt(nowMs, location);
      monitor.clear();
    },
    scores: () => (decoder.isCalibrated() ? decoder.lastScores : null),
    entropy: monitor.measure,
    exportState: () => {
      const host: ReadoutHostState = { version: 1, window: window.exportState(), choices: monitor.exportState() };
      return { ...decoder.exportState(), host };
    },
    importState(state) {
      const host = parseHostState(state, channels);
      decoder.importState(state);
      window.reset();
      monitor.clear();
      if (host === null) return;
      window.importState(host.window);
      monitor.importState(host.choices);
    },
  };
}
