import type { Replica } from '../../engine/replica/replica.ts';
import { colour } from '../theme.ts';

/** A plate over the title strip: what is wrong, why, and how bad it is. */
export type FeedNotice = { readonly headline: string; readonly detail: string; readonly colour: number };

/** Without a snapshot for this long the picture is stale (spec: show.md 84). */
export const STALE_AFTER_MS = 2_000;

/** The first that holds, in the spec's order (show.md 84), then a declared pause (show.md 160); null when all is well. */
export function feedNotice(replica: Replica, nowMs: number): FeedNotice | null {
  const { snapshot } = replica;
  const ageMs = Math.max(0, nowMs - replica.appliedAtMs);
  const age = `last picture ${Math.floor(ageMs / 1_000)} s ago`;
  if (snapshot?.status === 'error') {
    return { headline: 'SIM ERROR', detail: snapshot.statusReason || age, colour: colour.alarm };
  }
  if (ageMs >= STALE_AFTER_MS) return { headline: 'STALE FEED', detail: age, colour: colour.warn };
  if (!replica.connected) return { headline: 'FEED DOWN', detail: age, colour: colour.alarm };
  if (snapshot?.status === 'paused' || snapshot?.status === 'recovering') {
    return { headline: snapshot.status.toUpperCase(), detail: snapshot.statusReason, colour: colour.warn };
  }
  return null;
}
