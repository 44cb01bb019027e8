import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { openRelay } from '../../../broadcast/relay/relay.ts';
import { TEST_CERTIFICATE, TEST_KEY } from './test-certificate.ts';

const open: { close: () => void }[] = [];

afterEach(() => {
  for (const item of open.splice(0)) item.close();
});

test('bytes pass both ways and are counted', async () => {
  const server = await echoServer();
  const relay = await openRelay({ host: '127.0.0.1', port: server, secure: false }, { signal: never() });
  const client = await connect(relay.port);
  client.write('publish me');
  expect(String((await once(client, 'data'))[0])).toBe('publish me');
  expect(relay.sentBytes()).toBe(10);
  expect(relay.pendingBytes()).toBe(0);
  expect(relay.failure()).toBeNull();
  relay.destroy('done');
});

test('rtmps: the relay speaks TLS to the ingest and plain TCP to us', async () => {
  const server = tls.createServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, (socket) => socket.pipe(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(server);
  const { port } = server.address() as net.AddressInfo;
  const trusting = await openRelay(
    { host: 'localhost', port, secure: true },
    { signal: never(), ca: TEST_CERTIFICATE },
  );
  const client = await connect(trusting.port);
  client.write('over tls');
  expect(String((await once(client, 'data'))[0])).toBe('over tls');
  trusting.destroy('done');
  await expect(openRelay({ host: 'localhost', port, secure: true }, { signal: never() })).rejects.toMatchObject({
    code: 'UPLINK_CONNECT',
  });
});

test('an ingest that stops reading shows as pending bytes, and destroying the relay frees the writer', async () => {
  const deaf = net.createServer((socket) => socket.on('error', () => socket.destroy()).pause());
  deaf.listen(0, '127.0.0.1');
  await once(deaf, 'listening');
  open.push(deaf);
  const { port } = deaf.address() as net.AddressInfo;
  const relay = await openRelay({ host: '127.0.0.1', port, secure: false }, { signal: never() });
  const client = await connect(relay.port);
  const block = Buffer.alloc(1_000_000);
  for (let i = 0; i < 200 && relay.pendingBytes() < 1_000_000; i++) {
    client.write(block);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect(relay.pendingBytes()).toBeGreaterThanOrEqual(1_000_000);
  const gone = once(client, 'close');
  relay.destroy('took nothing for 5 s');
  await gone;
  expect(relay.failure()).toBe('took nothing for 5 s');
});

test('an ingest that hangs up ends the local connection and says so', async () => {
  const server = net.createServer((socket) => socket.once('data', () => socket.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(server);
  const { port } = server.address() as net.AddressInfo;
  const relay = await openRelay({ host: '127.0.0.1', port, secure: false }, { signal: never() });
  const client = await connect(relay.port);
  client.write('hello');
  await once(client, 'close');
  expect(relay.failure()).toMatch(/closed the connection|cut the connection/);
});

test('an attempt ends when it is told to', async () => {
  const abort = new AbortController();
  const attempt = openRelay({ host: '192.0.2.1', port: 1_935, secure: false }, { signal: abort.signal });
  abort.abort();
  await expect(attempt).rejects.toMatchObject({ code: 'UPLINK_CONNECT' });
});

test('only one guest is let in', async () => {
  const server = await echoServer();
  const relay = await openRelay({ host: '127.0.0.1', port: server, secure: false }, { signal: never() });
  await connect(relay.port);
  const second = net.connect(relay.port, '127.0.0.1');
  const [error] = (await once(second, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
  relay.destroy('done');
});

function never(): AbortSignal {
  return new AbortController().signal;
}

async function echoServer(): Promise<number> {
  const server = net.createServer((socket) => socket.on('error', () => socket.destroy()).pipe(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(server);
  return (server.address() as net.AddressInfo).port;
}

async function connect(port: number): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  open.push({ close: () => socket.destroy() });
  return socket;
}
