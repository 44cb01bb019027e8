import type { WebSocket } from 'ws';
import type { ControlledSession } from './controlled-session.ts';
import { isKeyframeFragment, readPreviewTracks } from './keyframe-fragment.ts';
import type { PreviewTracks } from './keyframe-fragment.ts';

/** A viewer with more than this unsent waits for the next keyframe; about 2.7 s of a 6,000 kbit/s stream. */
const SLOW_VIEWER_BYTES = 2 * 1024 * 1024;
/** The group of pictures kept for late viewers; a longer one is not kept at all. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;

/**
 * Hands one preview stream to any number of viewers. A viewer gets a JSON text `{mimeType}`, the init segment, then
 * fragments beginning with a keyframe; `{mimeType: null}` says that there is no stream yet. One that reads too slowly
 * skips to the newest keyframe; it never delays the stream or the other viewers (spec: feed-control.md 6, 118).
 * The session is subscribed to only while somebody watches.
 */
export type PreviewRelay = { addViewer(socket: ViewerSocket): void; close(): void };

/** The part of a WebSocket the relay uses. */
export type ViewerSocket = Pick<WebSocket, 'send' | 'bufferedAmount' | 'on' | 'close'>;

type Viewer = { readonly socket: ViewerSocket; inStep: boolean };
type Stream = { readonly mimeType: string; readonly init: Uint8Array; readonly tracks: PreviewTracks };

export function createPreviewRelay(session: Pick<ControlledSession, 'subscribePreview'>): PreviewRelay {
  const viewers = new Set<Viewer>();
  /** Fragments from the newest keyframe on; empty before the first one. */
  let kept: Uint8Array[] = [];
  let keptBytes = 0;
  let stream: Stream | null = null;
  let unsubscribe: (() => void) | null = null;

  function begin(viewer: Viewer): void {
    if (stream === null) return;
    for (const fragment of kept) viewer.socket.send(fragment);
    viewer.inStep = kept.length > 0;
  }

  function announce(viewer: Viewer): void {
    viewer.inStep = false;
    viewer.socket.send(JSON.stringify({ mimeType: stream?.mimeType ?? null }));
    if (stream !== null) viewer.socket.send(stream.init);
  }

  function keep(fragment: Uint8Array, isKeyframe: boolean): void {
    if (isKeyframe) {
      kept = [];
      keptBytes = 0;
    } else if (kept.length === 0) return;
    kept.push(fragment);
    keptBytes += fragment.byteLength;
    if (keptBytes > MAX_KEPT_BYTES) kept = [];
  }

  const listener = {
    init(bytes: Uint8Array, mimeType: string): void {
      stream = { mimeType, init: bytes, tracks: readPreviewTracks(bytes) };
      kept = [];
      keptBytes = 0;
      for (const viewer of viewers) announce(viewer);
    },
    fragment(bytes: Uint8Array): void {
      if (stream === null) return;
      keep(bytes, isKeyframeFragment(bytes, stream.tracks));
      for (const viewer of viewers) {
        const { socket } = viewer;
        if (viewer.inStep && socket.bufferedAmount <= SLOW_VIEWER_BYTES) socket.send(bytes);
        else if (viewer.inStep) viewer.inStep = false;
        else if (socket.bufferedAmount === 0) begin(viewer);
      }
    },
  };

  function removeViewer(viewer: Viewer): void {
    if (!viewers.delete(viewer) || viewers.size > 0) return;
    unsubscribe?.();
    unsubscribe = null;
    stream = null;
    kept = [];
    keptBytes = 0;
  }

  return {
    addViewer(socket) {
      const viewer: Viewer = { socket, inStep: false };
      socket.on('close', () => removeViewer(viewer));
      viewers.add(viewer);
      if (unsubscribe !== null) {
        announce(viewer);
        begin(viewer);
        return;
      }
      unsubscribe = session.subscribePreview(listener);
      // a running stream has announced itself during the subscription
      if (stream === null) announce(viewer);
    },
    close() {
      for (const viewer of [...viewers]) {
        viewer.socket.close(1001, 'the console is closing');
        removeViewer(viewer);
      }
    },
  };
}
