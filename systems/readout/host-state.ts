import { DataError } from '../../engine/errors.ts';
import type { Location } from './blocked-window.ts';

/**
 * What surrounds a decoder and is needed to continue exactly: the blocked-direction window and the choices watched. It
 * stands beside the decoder's version 4 state as member `host`; a state without it is of a program that forgot both at
 * a restore (spec: session.md 16, `legacy-transient-reset`).
 */
export type ReadoutHostState = {
  readonly version: 1;
  readonly window: BlockedWindowState;
  readonly choices: ChoicesState;
};

/** Times are brain ms. */
export type BlockedWindowState = {
  readonly heldChannel: string | null;
  readonly sinceMs: number;
  readonly lastLocation: Location | null;
};

/** Oldest first, equally many. */
export type ChoicesState = {
  /** Null before the first. */
  readonly lastDecisionMs: number | null;
  readonly winners: readonly number[];
  readonly orders: readonly number[];
};

/** @throws DataError DECODER_STATE; null when the state has no such member */
export function parseHostState(state: unknown, channels: readonly string[]): ReadoutHostState | null {
  const host = (state as { host?: unknown } | null)?.host;
  if (host === undefined) return null;
  const { version, window, choices } = recordOf(host, 'host');
  if (version !== 1) throw refused(`host version ${String(version)}; this program reads 1`);
  return { version: 1, window: parseWindow(window, channels), choices: parseChoices(choices) };
}

function parseWindow(value: unknown, channels: readonly string[]): BlockedWindowState {
  const { heldChannel, sinceMs, lastLocation } = recordOf(value, 'host.window');
  if (heldChannel !== null && !channels.includes(heldChannel as string)) {
    throw refused(`host.window.heldChannel is ${JSON.stringify(heldChannel)}, which is no channel`);
  }
  const place = lastLocation === null ? null : recordOf(lastLocation, 'host.window.lastLocation');
  return {
    heldChannel: heldChannel as string | null,
    sinceMs: finite(sinceMs, 'host.window.sinceMs'),
    lastLocation:
      place === null
        ? null
        : { area: finite(place['area'], 'area'), x: finite(place['x'], 'x'), y: finite(place['y'], 'y') },
  };
}

function parseChoices(value: unknown): ChoicesState {
  const { lastDecisionMs, winners, orders } = recordOf(value, 'host.choices');
  const parsed = { winners: numbers(winners, 'winners'), orders: numbers(orders, 'orders') };
  if (parsed.winners.length !== parsed.orders.length) throw refused('host.choices has lists of different lengths');
  return { ...parsed, lastDecisionMs: lastDecisionMs === null ? null : finite(lastDecisionMs, 'lastDecisionMs') };
}

function recordOf(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw refused(`${where} is no object`);
}

function finite(value: unknown, where: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw refused(`${where} is ${String(value)}, no finite number`);
}

function numbers(value: unknown, where: string): number[] {
  if (!Array.isArray(value)) throw refused(`host.choices.${where} is no list`);
  return value.map((item) => finite(item, `host.choices.${where}`));
}

function refused(what: string): DataError {
  return new DataError(
    'DECODER_STATE',
    `readout state: ${what}. Nothing was changed; restore another checkpoint or start fresh.`,
  );
}
