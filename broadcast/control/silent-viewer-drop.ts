import type { WebSocket } from 'ws';

/**
 * Returns a function to call every few seconds: it ends every viewer that did not answer the previous call's ping, and
 * pings the rest. A browser answers by itself; a machine that went to sleep behind a tunnel does not, and would
 * otherwise keep the preview running for nobody.
 */
export function createSilentViewerDrop(viewers: ReadonlySet<WebSocket>): () => void {
  const awaited = new WeakSet<WebSocket>();
  return () => {
    for (const socket of viewers) {
      if (awaited.has(socket)) {
        socket.terminate();
        continue;
      }
      awaited.add(socket);
      socket.once('pong', () => awaited.delete(socket));
      socket.ping();
    }
  };
}
