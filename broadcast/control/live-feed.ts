import type { WebSocket } from 'ws';
import type { ShownEvent } from '../../engine/replica/snapshot.ts';
import type { ControlledSession, StatusReport } from './controlled-session.ts';
import type { HealthReport } from './health.ts';

/** Events a viewer gets at once on connecting, and at most in one message. */
const RECENT_EVENTS = 60;
/** The session's ring (spec: feed-control.md 50). */
const EVENT_RING = 4_096;
/** A viewer with this much unsent gets no more status until it has read on. */
const SLOW_VIEWER_BYTES = 256 * 1024;

/** Messages on /live, one JSON text each. */
export type LiveMessage = PublishedMessage | { readonly type: 'events'; readonly events: readonly ShownEvent[] };

export type PublishedMessage =
  | { readonly type: 'status'; readonly status: StatusReport; readonly health: HealthReport; readonly wallMs: number }
  /** The session failed to report. One line. */
  | { readonly type: 'trouble'; readonly error: string };

/** Status to everybody who watches; events to each from where it stopped, so that a slow viewer misses none. */
export type LiveFeed = {
  addViewer(socket: LiveSocket): void;
  publish(message: PublishedMessage): void;
  close(): void;
};

/** The part of a WebSocket the feed uses. */
export type LiveSocket = Pick<WebSocket, 'send' | 'bufferedAmount' | 'on' | 'close'>;

type Viewer = { readonly socket: LiveSocket; lastEventId: number };

export function createLiveFeed(session: Pick<ControlledSession, 'events'>): LiveFeed {
  const viewers = new Set<Viewer>();
  let latest: string | null = null;

  function sendEvents(viewer: Viewer, events: readonly ShownEvent[]): void {
    const newest = events.at(-1);
    if (newest === undefined) return;
    viewer.lastEventId = newest.id;
    viewer.socket.send(encode({ type: 'events', events }));
  }

  return {
    addViewer(socket) {
      const viewer: Viewer = { socket, lastEventId: 0 };
      socket.on('close', () => viewers.delete(viewer));
      viewers.add(viewer);
      if (latest !== null) socket.send(latest);
      sendEvents(viewer, session.events(0, EVENT_RING).slice(-RECENT_EVENTS));
    },
    publish(message) {
      latest = encode(message);
      for (const viewer of viewers) {
        if (viewer.socket.bufferedAmount > SLOW_VIEWER_BYTES) continue;
        viewer.socket.send(latest);
        if (message.type === 'status') sendEvents(viewer, session.events(viewer.lastEventId, RECENT_EVENTS));
      }
    },
    close() {
      for (const { socket } of viewers) socket.close(1001, 'the console is closing');
      viewers.clear();
    },
  };
}

function encode(message: LiveMessage): string {
  return JSON.stringify(message);
}
