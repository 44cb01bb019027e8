import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import fastify from 'fastify';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import type { Clock } from '../../engine/clock.ts';
import { ConfigError, DeviceError, describeError } from '../../engine/errors.ts';
import { registerControlRoutes } from './control-routes.ts';
import type { ControlledSession } from './controlled-session.ts';
import { judgeHealth } from './health.ts';
import { createLiveFeed } from './live-feed.ts';
import { loadPageFiles } from './page-files.ts';
import { createPreviewRelay } from './preview-relay.ts';
import { refuseForeignRequest } from './request-guard.ts';
import { createSilentViewerDrop } from './silent-viewer-drop.ts';

const LOOPBACK = '127.0.0.1';
/** Four status messages a second; the console may change its text no faster (mockups README, Motion). */
const LIVE_PERIOD_MS = 250;
const MAX_BODY_BYTES = 16 * 1024;
/** A viewer that is gone without a word is noticed within two of these. */
const HEARTBEAT_MS = 10_000;
/** Viewers send nothing; anything long is refused. */
const MAX_VIEWER_MESSAGE_BYTES = 1_024;
const MAX_VIEWERS = 32;

/** The operator's console: an HTTP and WebSocket server on this machine only. The owner calls `close` once. */
export type ControlServer = {
  readonly port: number;
  /** Where the console page is, e.g. `http://127.0.0.1:7401/`. */
  readonly url: string;
  /** Every route as `METHOD /path`, WebSockets as `WS /path`. No route presses a button (spec: feed-control.md 42). */
  readonly routes: readonly string[];
  close(): Promise<void>;
};

export type ControlServerOptions = {
  /** 0 takes any free port. */
  readonly port: number;
  readonly session: ControlledSession;
  readonly clock: Clock;
};

/**
 * Opens the server; it answers when the promise resolves.
 * @throws ConfigError CONTROL_PORT when the port is taken or not allowed
 */
export async function openControlServer({ port, session, clock }: ControlServerOptions): Promise<ControlServer> {
  const live = createLiveFeed(session);
  const preview = createPreviewRelay(session);
  const routes: string[] = [];

  const app = fastify({ bodyLimit: MAX_BODY_BYTES, forceCloseConnections: true, exposeHeadRoutes: false });
  app.addHook('onRoute', ({ method, url }) => void routes.push(`${String(method)} ${url}`));
  registerControlRoutes(app, { session, pageFiles: await loadPageFiles() });

  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_VIEWER_MESSAGE_BYTES });
  const dropSilentViewers = createSilentViewerDrop(sockets.clients);
  const acceptors: Readonly<Record<string, (socket: WebSocket) => void>> = {
    '/live': (socket) => live.addViewer(socket),
    '/preview': (socket) => preview.addViewer(socket),
  };
  routes.push(...Object.keys(acceptors).map((path) => `WS ${path}`));
  app.server.on('upgrade', (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    // a socket that breaks during the handshake has nobody else to hear of it
    connection.on('error', () => connection.destroy());
    const path = (request.url ?? '').split('?')[0]!;
    const accept = acceptors[path];
    const refusal = refuseForeignRequest(request.headers);
    if (refusal !== null) refuseUpgrade(connection, '403 Forbidden', refusal);
    else if (accept === undefined) refuseUpgrade(connection, '404 Not Found', 'no WebSocket is served here');
    else if (sockets.clients.size >= MAX_VIEWERS) {
      refuseUpgrade(connection, '503 Service Unavailable', `${MAX_VIEWERS} viewers are connected already`);
    } else {
      sockets.handleUpgrade(request, connection, head, (socket) => {
        socket.on('error', () => socket.terminate());
        accept(socket);
      });
    }
  });

  const boundPort = await listen(
    () => app.listen({ host: LOOPBACK, port }),
    port,
    () => app.server.address(),
  );
  const stopping = new AbortController();
  const publishing = publishForever();

  async function publishForever(): Promise<void> {
    let heartbeatAtMs = clock.nowMs();
    while (!stopping.signal.aborted) {
      publishOnce();
      if (clock.nowMs() - heartbeatAtMs >= HEARTBEAT_MS) {
        heartbeatAtMs = clock.nowMs();
        dropSilentViewers();
      }
      await clock.sleep(LIVE_PERIOD_MS, stopping.signal);
    }
  }

  /** A session that cannot report is shown as that, four times a second; the console itself stays up. */
  function publishOnce(): void {
    try {
      const status = session.status();
      live.publish({ type: 'status', status, health: judgeHealth(status), wallMs: clock.unixMs() });
    } catch (error) {
      live.publish({ type: 'trouble', error: describeError(error) });
    }
  }

  return {
    port: boundPort,
    url: `http://${LOOPBACK}:${boundPort}/`,
    routes,
    async close() {
      stopping.abort();
      await publishing;
      live.close();
      preview.close();
      for (const socket of sockets.clients) socket.terminate();
      await app.close();
    },
  };
}

async function listen(
  start: () => Promise<unknown>,
  port: number,
  address: () => string | AddressInfo | null,
): Promise<number> {
  try {
    await start();
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const why = code === 'EADDRINUSE' ? 'is used by another program' : code === 'EACCES' ? 'is not permitted' : null;
    if (why === null) throw new DeviceError('CONTROL_SERVER', `control server: ${String(cause)}.`, { cause });
    const remedy = 'Choose another with --port N, or --port 0 for any free one.';
    throw new ConfigError('CONTROL_PORT', `control server: port ${port} on ${LOOPBACK} ${why}. ${remedy}`, { cause });
  }
  const bound = address();
  return typeof bound === 'object' && bound !== null ? bound.port : port;
}

function refuseUpgrade(connection: Duplex, statusLine: string, reason: string): void {
  const body = JSON.stringify({ error: reason });
  connection.end(
    `HTTP/1.1 ${statusLine}\r\nContent-Type: application/json\r\nCache-Control: no-store\r\nConnection: close\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
