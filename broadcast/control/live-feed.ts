import type { WebSocket } from 'ws';
import type { ShownEvent } from '../../engine/replica/snapshot.ts';
import type { ControlledSession, StatusReport } from './controlled-session.ts';
import type { HealthReport } from './health.ts';

/** Events a viewer gets first, and at most in one message. */
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

/** `lastEventId` is null until the viewer got its first events. */
type Viewer = { readonly socket: LiveSocket; lastEventId: number | null };

export function createLiveFeed(session: Pick<ControlledSession, 'events'>): LiveFeed {
  const viewers = new Set<Viewer>();

  function sendEvents(viewer: Viewer): void {
    const { lastEventId, socket } = viewer;
    const events =
      lastEventId === null
        ? session.events(0, EVENT_RING).slice(-RECENT_EVENTS)
        : session.events(lastEventId, RECENT_EVENTS);
    viewer.lastEventId = events.at(-1)?.id ?? lastEventId ?? 0;
    if (events.length > 0) socket.send(encode({ type: 'events', events }));
  }

  return {
    addViewer(socket) {
      // nothing is sent yet: an old status would make a standing session look alive to everybody who reconnects
      const viewer: Viewer = { socket, lastEventId: null };
      socket.on('close', () => viewers.delete(viewer));
      viewers.add(viewer);
    },
    publish(message) {
      const text = encode(message);
      for (const viewer of viewers) {
        if (viewer.socket.bufferedAmount > SLOW_VIEWER_BYTES) continue;
        viewer.socket.send(text);
        if (message.type === 'status') sendEvents(viewer);
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
