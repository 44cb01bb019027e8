import type { Readout } from '../../engine/contract/readout.ts';
import { createBlockedWindow } from './blocked-window.ts';
import type { DecoderConfig } from './decoder-config.ts';
import { createDecoder } from './decoder.ts';
import { createEntropyMonitor } from './entropy-monitor.ts';

/**
 * The readout of one agent: decoder, blocked-direction window and choice monitor together.
 * @param rateRoles names of the rates it will be given, in order
 */
export function createReadout(config: DecoderConfig, rateRoles: readonly string[]): Readout {
  const decoder = createDecoder(config, rateRoles);
  const window = createBlockedWindow(config.exclusive?.blockedMs ?? 0);
  const monitor = createEntropyMonitor(config.exclusive?.channels.length ?? 0);
  return {
    channels: decoder.channels.map(({ channel }) => channel),
    calibrate: (rates) => decoder.calibrate(rates),
    decide(rates, nowMs, context) {
      const blocked = window.blockedChannel(nowMs, decoder.winner());
      decoder.decode(rates, nowMs, context.boot, blocked, context.bound);
      window.noteWinner(nowMs, decoder.winner());
      monitor.note(decoder.nextDecisionMs(), decoder.winnerIndex(), decoder.lastScores);
      const macro = context.bound.find((channel) => decoder.isActive(channel)) ?? null;
      return { active: decoder.activeNames(), macro };
    },
    retain: (context, nowMs) => window.noteLocation(nowMs, context.location),
    clear(context, nowMs) {
      decoder.clearHolds(nowMs);
      window.restartAt(nowMs, context.location);
      monitor.clear();
    },
    scores: () => (decoder.isCalibrated() ? decoder.lastScores : null),
    entropy: () => monitor.measure(),
    exportState: () => decoder.exportState(),
    importState(state) {
      decoder.importState(state);
      window.reset();
      monitor.clear();
    },
  };
}
