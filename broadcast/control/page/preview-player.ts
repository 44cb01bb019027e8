import { createLiveEdge } from './live-edge.ts';
import { openReconnectingSocket } from './reconnecting-socket.ts';

/** A picture that stands still for this long is not shown as if it were live. */
const STILL_MS = 2_500;
/** One that stands still for this long although pieces arrive is started afresh. */
const RESTART_MS = 6_000;
const CONTROL_MS = 250;
/** Played pictures kept, seconds; enough for nothing but the browser's own decoding. */
const KEEP_SECONDS = 10;
/** Pieces waiting for the browser, 20 s of one a frame; more means that it cannot keep up and should start again. */
const MAX_WAITING = 600;

export type PictureState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'no-stream' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'still'; readonly seconds: number }
  | { readonly kind: 'unsupported'; readonly mimeType: string }
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'playing'; readonly behindSeconds: number };

/** Plays /preview in `video` by Media Source Extensions, muted until the operator says otherwise. */
export function openPreviewPlayer(video: HTMLVideoElement, onState: (state: PictureState) => void): void {
  let mimeType: string | null = null;
  let source: SourceBuffer | null = null;
  let waiting: ArrayBuffer[] = [];
  let edge = createLiveEdge();
  let heardAtMs = performance.now();
  let shownSeconds = 0;
  let movedAtMs = performance.now();
  let fault: PictureState | null = { kind: 'connecting' };

  const socket = openReconnectingSocket('/preview', {
    onOpen: () => (fault = { kind: 'no-stream' }),
    onMessage(data) {
      heardAtMs = performance.now();
      if (typeof data === 'string') begin((JSON.parse(data) as { mimeType: string | null }).mimeType);
      else if (mimeType !== null) {
        waiting.push(data);
        if (waiting.length > MAX_WAITING) socket.redial();
        else appendNext();
      }
    },
    onLost() {
      end();
      fault = { kind: 'connecting' };
      report();
    },
  });

  function begin(next: string | null): void {
    end();
    if (next === null) fault = { kind: 'no-stream' };
    else if (!canPlay(next)) fault = { kind: 'unsupported', mimeType: next };
    else {
      fault = null;
      mimeType = next;
      attach(next);
    }
    report();
  }

  function attach(type: string): void {
    const media = new MediaSource();
    video.src = URL.createObjectURL(media);
    media.addEventListener('sourceopen', () => {
      URL.revokeObjectURL(video.src);
      if (media.readyState !== 'open') return;
      source = media.addSourceBuffer(type);
      source.addEventListener('updateend', appendNext);
      appendNext();
    });
  }

  function end(): void {
    waiting = [];
    source = null;
    mimeType = null;
    edge = createLiveEdge();
    movedAtMs = performance.now();
    video.removeAttribute('src');
    video.load();
  }

  function appendNext(): void {
    if (source === null || source.updating) return;
    try {
      const first = source.buffered.length > 0 ? source.buffered.start(0) : Infinity;
      if (video.currentTime - first > 2 * KEEP_SECONDS) source.remove(first, video.currentTime - KEEP_SECONDS);
      else if (waiting.length > 0) source.appendBuffer(waiting.shift()!);
    } catch (error) {
      fault = { kind: 'broken', reason: error instanceof Error ? error.message : String(error) };
      socket.redial();
    }
  }

  function control(): void {
    const nowMs = performance.now();
    if (video.currentTime !== shownSeconds) movedAtMs = nowMs;
    shownSeconds = video.currentTime;
    if (nowMs - movedAtMs > RESTART_MS && nowMs - heardAtMs < STILL_MS) socket.redial();
    if (source !== null && source.buffered.length > 0 && !video.seeking) {
      const action = edge.decide(nowMs, video.currentTime, listRanges(source.buffered));
      if (action.kind === 'seek') video.currentTime = action.toSeconds;
      else if (video.playbackRate !== action.rate) video.playbackRate = action.rate;
      // a browser may refuse to start with sound or in a hidden tab; the next turn asks again
      if (video.paused) video.play().catch(() => (video.muted = true));
    }
    report();
  }

  function report(): void {
    onState(fault ?? judge());
  }

  function judge(): PictureState {
    const stillMs = performance.now() - movedAtMs;
    if (video.error !== null) return { kind: 'broken', reason: video.error.message };
    if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return { kind: 'starting' };
    if (stillMs > STILL_MS) return { kind: 'still', seconds: stillMs / 1_000 };
    return { kind: 'playing', behindSeconds: edge.behindSeconds() };
  }

  video.addEventListener('error', () => {
    if (video.error !== null && mimeType !== null) socket.redial();
  });
  setInterval(control, CONTROL_MS);
  report();
}

function canPlay(mimeType: string): boolean {
  return 'MediaSource' in window && MediaSource.isTypeSupported(mimeType);
}

function listRanges(buffered: TimeRanges): [number, number][] {
  return Array.from({ length: buffered.length }, (_, i) => [buffered.start(i), buffered.end(i)]);
}
