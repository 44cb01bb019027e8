import net from 'node:net';
import tls from 'node:tls';
import { once } from 'node:events';
import { DeviceError } from '../../engine/errors.ts';
import { createConnectRewriter } from './connect-rewriter.ts';

/**
 * One connection's local half: the media library writes to `127.0.0.1:port`, the relay passes it on. The library's
 * write blocks for ever when an ingest stops reading, and destroying these sockets is the only thing that frees it
 * (docs/architecture.md 7). The relay always reads, so a slow ingest shows as `pendingBytes`, never as a stuck write.
 */
export type Relay = {
  readonly port: number;
  /** Bytes the library wrote that the system has not taken yet. */
  pendingBytes(): number;
  /** Bytes the system took for the ingest. */
  sentBytes(): number;
  /** Why the connection ended, in one line; null while it lives. */
  failure(): string | null;
  /** Resolves when the ingest has taken everything and closed, or was cut; an ingest may keep it waiting for ever. */
  readonly over: Promise<void>;
  /** Cuts both sides now. Idempotent. */
  destroy(reason: string): void;
};

export type RelayTarget = {
  readonly host: string;
  readonly port: number;
  /** TLS to the ingest (rtmps). */
  readonly secure: boolean;
};

export type RelayOptions = {
  /** Ends the attempt to connect. */
  readonly signal: AbortSignal;
  /** What the ingest is told it was asked for, `rtmp://host/app`; absent: bytes pass unchanged. */
  readonly tcUrl?: string;
  /** Certificate authorities besides the system's; tests use their own. */
  readonly ca?: string;
};

/**
 * Connects to the ingest first, so that name and network problems are found here and not inside the library.
 * @throws DeviceError UPLINK_CONNECT
 */
export async function openRelay(target: RelayTarget, options: RelayOptions): Promise<Relay> {
  const remote = await connect(target, options);
  const server = net.createServer({ allowHalfOpen: false });
  server.maxConnections = 1;
  const rewriter = options.tcUrl === undefined ? null : createConnectRewriter(options.tcUrl);
  const over = new Promise<void>((resolve) => remote.once('close', () => resolve()));
  let local: net.Socket | null = null;
  let failure: string | null = null;

  function destroy(reason: string): void {
    failure ??= reason;
    server.close();
    local?.destroy();
    remote.destroy();
  }

  remote.on('error', (error) => destroy(describe(error)));
  remote.on('close', () => destroy('the ingest closed the connection'));
  remote.on('data', (chunk: Buffer) => local?.write(chunk));
  server.on('error', (error) => destroy(describe(error)));
  server.on('connection', (socket) => {
    if (local !== null || failure !== null) {
      socket.destroy();
      return;
    }
    local = socket;
    server.close(); // one guest only; closing the listener keeps the connection
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => remote.write(rewriter === null ? chunk : rewriter.pass(chunk)));
    socket.on('end', () => remote.end());
    socket.on('error', (error) => destroy(describe(error)));
    socket.on('close', () => {
      failure ??= 'the stream was closed here';
      remote.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;

  return {
    port,
    pendingBytes: () => remote.writableLength,
    sentBytes: () => remote.bytesWritten - remote.writableLength,
    failure: () => failure,
    over,
    destroy,
  };
}

function connect(target: RelayTarget, options: RelayOptions): Promise<net.Socket> {
  const { host, port, secure } = target;
  return new Promise((resolve, reject) => {
    const refuse = (reason: string): void => {
      socket.destroy();
      options.signal.removeEventListener('abort', onAbort);
      reject(new DeviceError('UPLINK_CONNECT', `${host}:${port} ${reason}; it is tried again.`));
    };
    const onAbort = (): void => refuse('did not answer in time');
    const onError = (error: Error): void => refuse(`could not be reached (${describe(error)})`);
    const connected = (): void => {
      options.signal.removeEventListener('abort', onAbort);
      socket.off('error', onError);
      socket.setNoDelay(true);
      resolve(socket);
    };
    const socket = secure
      ? tls.connect({
          host,
          port,
          ...(net.isIP(host) === 0 ? { servername: host } : {}),
          ...(options.ca === undefined ? {} : { ca: options.ca }),
        })
      : net.connect({ host, port });
    socket.once(secure ? 'secureConnect' : 'connect', connected);
    socket.once('error', onError);
    if (options.signal.aborted) onAbort();
    else options.signal.addEventListener('abort', onAbort, { once: true });
  });
}

function describe(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ECONNREFUSED':
      return 'connection refused';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'unknown host';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'the ingest cut the connection';
    case 'ETIMEDOUT':
      return 'timed out';
    default:
      return code ?? error.message;
  }
}
