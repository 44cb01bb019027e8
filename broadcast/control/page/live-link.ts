import type { LiveMessage } from '../live-feed.ts';
import { openReconnectingSocket } from './reconnecting-socket.ts';

/** Status comes every 250 ms; this long without one means that what the page shows is not current. */
const SILENT_MS = 1_500;
const CHECK_MS = 250;

export type LinkState = 'connecting' | 'live' | 'lost';

export type LiveLinkHandlers = {
  readonly onMessage: (message: LiveMessage) => void;
  readonly onState: (state: LinkState) => void;
};

/** Follows /live. A loss is reported at once when the socket closes, within 2 s when it merely falls silent. */
export function openLiveLink({ onMessage, onState }: LiveLinkHandlers): void {
  let state: LinkState = 'connecting';
  let heardAtMs = performance.now();

  function change(next: LinkState): void {
    if (next === state) return;
    state = next;
    onState(next);
  }

  const socket = openReconnectingSocket('/live', {
    onOpen: () => (heardAtMs = performance.now()),
    onMessage(data) {
      heardAtMs = performance.now();
      onMessage(JSON.parse(data as string) as LiveMessage);
      change('live');
    },
    onLost: () => change('lost'),
  });
  setInterval(() => {
    if (state !== 'live' || performance.now() - heardAtMs < SILENT_MS) return;
    change('lost');
    socket.redial();
  }, CHECK_MS);
}
