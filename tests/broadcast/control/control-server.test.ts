import { request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { createConnection, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ClientOptions } from 'ws';
import { openControlServer } from '../../../broadcast/control/control-server.ts';
import type { ControlServer } from '../../../broadcast/control/control-server.ts';
import { createFakeClock } from '../../../engine/clock.ts';
import type { FakeClock } from '../../../engine/clock.ts';
import { ConfigError } from '../../../engine/errors.ts';
import { createPreviewFixture } from '../../browser/preview-fixture.ts';
import { createFakeSession, sampleEvent, sampleReport, standing } from './fake-session.ts';
import type { FakeSession } from './fake-session.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

let session: FakeSession;
let clock: FakeClock;
let server: ControlServer;

beforeEach(async () => {
  session = createFakeSession();
  clock = createFakeClock();
  server = await openControlServer({ port: 0, session, clock });
});

afterEach(() => server.close());

test('PRO-10 no route presses a button, edits memory or changes the catalogue (feed-control.md 42, 99)', () => {
  const forbidden = ['button', 'buttons', 'input', 'press', 'joypad', 'key', 'poke', 'write', 'memory', 'catalog'];
  expect([...server.routes].sort()).toEqual([
    'GET /',
    'GET /events',
    'GET /healthz',
    'GET /metrics',
    'GET /page/*',
    'GET /shows',
    'GET /status.json',
    'POST /reward',
    'POST /show',
    'POST /stop',
    'POST /sugar',
    'WS /live',
    'WS /preview',
  ]);
  for (const route of server.routes) {
    for (const word of forbidden) expect(route.toLowerCase()).not.toContain(word);
  }
});

test('GET /status.json is the report and the judgement on it', async () => {
  const { status, json } = await get('/status.json');
  expect(status).toBe(200);
  expect(json).toMatchObject({ showId: 'orchard-one-fly', step: '15352870', health: { state: 'running' } });
});

test('every answer says no-store and grants no foreign site anything (feed-control.md 40)', async () => {
  for (const path of ['/', '/page/base.css', '/status.json', '/healthz', '/metrics', '/events', '/nothing']) {
    const { headers } = await get(path);
    expect(headers['cache-control'], path).toBe('no-store');
    expect(headers['access-control-allow-origin'], path).toBeUndefined();
    expect(headers['cross-origin-resource-policy'], path).toBe('same-origin');
    expect(headers['x-content-type-options'], path).toBe('nosniff');
  }
});

test.each([
  ['running', 200],
  ['slow', 200],
  ['paused', 200],
  ['waiting-at-barrier', 200],
  ['dead-agent', 503],
  ['backend-disconnected', 503],
  ['failed', 503],
  ['recovering', 503],
] as const)('PRO-11 GET /healthz while %s is %i and names the state (session.md 20, 27)', async (state, status) => {
  session.report = sampleReport(standing(state, 'Why.'));
  const facts = { state, participants: [], reason: 'Why.' };
  const json = status === 200 ? { status: 'ok', ...facts } : { error: 'Why.', ...facts };
  expect(await get('/healthz')).toMatchObject({ status, json });
});

test('GET /metrics is Prometheus text 0.0.4', async () => {
  const { status, headers, text } = await get('/metrics');
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(text).toContain('fly_status{status="running"} 1\n');
});

test('GET /events pages by id, default 100, at most 4096; unreadable values fall back (feed-control.md 5)', async () => {
  session.shownEvents.push(...Array.from({ length: 5_000 }, (_, i) => sampleEvent(i + 11)));
  expect(await eventIds('/events')).toEqual(Array.from({ length: 100 }, (_, i) => i + 11));
  expect(await eventIds('/events?since=12&limit=2')).toEqual([13, 14]);
  expect(await eventIds('/events?limit=0')).toEqual([]);
  expect(await eventIds('/events?limit=99999')).toHaveLength(4_096);
  expect(await eventIds('/events?since=-4&limit=many')).toHaveLength(100);
  expect((await get('/events?since=3')).json).toMatchObject({ oldestId: 11 }); // a client sees the gap 4..10
});

test('an unknown path or a wrong method is 404 and names both (feed-control.md 41)', async () => {
  expect(await get('/press')).toMatchObject({
    status: 404,
    json: { error: 'GET /press is not a route of this server' },
  });
  expect(await send('DELETE', '/stop', '', {})).toMatchObject({
    status: 404,
    json: { error: 'DELETE /stop is not a route of this server' },
  });
  expect((await get('/stop')).status).toBe(404);
});

test('no path escapes the page folder', async () => {
  for (const path of [
    '/page/../control-server.ts',
    '/page/..%2fcontrol-server.ts',
    '/page/%2e%2e/metrics.ts',
    '/page/',
  ]) {
    expect((await get(path)).status, path).toBe(404);
  }
});

test('the page, its modules without types and its fonts come from here alone', async () => {
  const page = await get('/');
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(page.text).not.toMatch(/https?:\/\//);
  const module = await get('/page/live-edge.ts');
  expect(module.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(module.text).not.toContain('readonly');
  const font = await get('/page/fonts/plex-sans-400.woff2');
  expect(font.headers['content-type']).toBe('font/woff2');
  expect(font.text.slice(0, 4)).toBe('wOF2');
});

test('POST /stop asks the session once and answers 202', async () => {
  const answer = await send('POST', '/stop', '{"by":"ada"}', JSON_TYPE);
  expect(answer).toMatchObject({ status: 202, json: { status: 'stopping' } });
  expect(session.stops).toEqual(['ada']);
});

test('POST /stop with a header of our own and no body is the operator', async () => {
  expect((await send('POST', '/stop', '', { 'x-fly-console': '1' })).status).toBe(202);
  expect(session.stops).toEqual(['operator']);
});

test.each<[string, OutgoingHttpHeaders]>([
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['plain text', { 'content-type': 'text/plain' }],
  ['text that mentions JSON', { 'content-type': 'text/plain; application/json' }],
  ['nothing', {}],
  ['JSON from a foreign page', { ...JSON_TYPE, origin: 'https://evil.example' }],
  ['JSON from another port of this machine', { ...JSON_TYPE, origin: 'http://127.0.0.1:3000' }],
  ['JSON from a sandboxed frame', { ...JSON_TYPE, origin: 'null' }],
  ['JSON marked cross-site', { ...JSON_TYPE, 'sec-fetch-site': 'cross-site' }],
  ['JSON to a rebound name', { ...JSON_TYPE, host: 'evil.example' }],
])('POST /stop and POST /show sent as %s are refused and nothing happens', async (_what, headers) => {
  expect((await send('POST', '/stop', '{}', headers)).status).toBe(403);
  expect((await send('POST', '/show', '{"id":"mario-one-fly"}', headers)).status).toBe(403);
  expect([session.stops, session.showRequests]).toEqual([[], []]);
});

test('GET /shows lists every show and marks the one that runs', async () => {
  expect(await get('/shows')).toMatchObject({
    status: 200,
    json: {
      shows: [
        { id: 'orchard-one-fly', agents: 1, environment: 'windfall', current: true },
        { id: 'orchard-two-flies', agents: 2, environment: 'orchard-match', current: false },
        { id: 'mario-one-fly', agents: 1, environment: 'super-mario-land', current: false },
      ],
    },
  });
});

test('POST /show: 202, 404, 409 and 503; a refusal says that nothing happened (feed-control.md 93)', async () => {
  const ask = (): Promise<Answer> => send('POST', '/show', '{"id":"mario-one-fly","by":"ada"}', JSON_TYPE);
  expect(await ask()).toMatchObject({ status: 202, json: { status: 'swapping', to: 'mario-one-fly' } });
  expect(session.showRequests).toEqual([{ id: 'mario-one-fly', by: 'ada' }]);
  session.showAnswer = { kind: 'unknown-show', detail: 'there is no show mario-one-fly' };
  expect(await ask()).toMatchObject({
    status: 404,
    json: { error: 'there is no show mario-one-fly', mutation: 'none' },
  });
  session.showAnswer = { kind: 'already-running' };
  expect(await ask()).toMatchObject({
    status: 409,
    json: { error: 'mario-one-fly runs already', mutation: 'none' },
  });
  session.showAnswer = { kind: 'busy', detail: 'a stop is under way' };
  expect(await ask()).toMatchObject({ status: 503, json: { error: 'a stop is under way', mutation: 'none' } });
});

test('a bad show body never reaches the session', async () => {
  for (const body of ['', '{', '[]', '{}', '{"id":"../x"}', '{"id":"mario-one-fly","buttons":"A"}']) {
    expect((await send('POST', '/show', body, JSON_TYPE)).status, body).toBe(400);
  }
  expect(session.showRequests).toEqual([]);
});

test('a rebound name may not even look', async () => {
  expect((await send('GET', '/status.json', '', { host: 'evil.example' })).status).toBe(403);
});

test('POST /sugar: 202, 429, 404, 400, 422 and 503 as the table says (feed-control.md 5, 93)', async () => {
  const ask = (): Promise<Answer> => send('POST', '/sugar', '{"by":"ada","durationMs":5000}', JSON_TYPE);
  expect(await ask()).toMatchObject({ status: 202, json: { eventId: 41 } });
  expect(session.sugars).toEqual([{ by: 'ada', source: 'operator', durationMs: 5_000, agentId: null }]);
  session.sugarAnswer = { kind: 'cooling-down', retryAfterMs: 8_200.4 };
  const limited = await ask();
  expect(limited).toMatchObject({ status: 429, json: { retryAfterMs: 8_201 } });
  expect(limited.headers['retry-after']).toBe('9');
  session.sugarAnswer = { kind: 'unknown-agent', detail: 'no agent "fly-z"' };
  expect((await ask()).status).toBe(404);
  session.sugarAnswer = { kind: 'invalid', detail: 'ambiguous-target: name an agent' };
  expect(await ask()).toMatchObject({ status: 400, json: { error: 'ambiguous-target: name an agent' } });
  session.sugarAnswer = { kind: 'unsupported', detail: 'fly-a has no reward neuron' };
  expect(await ask()).toMatchObject({ status: 422, json: { error: 'fly-a has no reward neuron', mutation: 'none' } });
  session.sugarAnswer = { kind: 'unavailable', detail: 'the session is booting' };
  expect(await ask()).toMatchObject({ status: 503, json: { error: 'the session is booting', mutation: 'none' } });
});

test('PRO-10 POST /reward is 403 whoever asks and whatever the body says (session.md 18)', async () => {
  for (const body of ['{}', '{"value":1,"by":"ada","source":"operator"}', 'null']) {
    expect(await send('POST', '/reward', body, JSON_TYPE)).toMatchObject({
      status: 403,
      json: { error: 'rewards come from the game alone' },
    });
  }
  expect(session.sugars).toEqual([]);
});

test('a bad sugar body never reaches the session', async () => {
  for (const body of ['{', '[]', 'null', '{}', '{"by":"ada","durationMs":-1}']) {
    expect((await send('POST', '/sugar', body, JSON_TYPE)).status, body).toBe(400);
  }
  expect((await send('POST', '/sugar', `{"by":"${'a'.repeat(20_000)}"}`, JSON_TYPE)).status).toBe(413);
  expect(session.sugars).toEqual([]);
});

test('a session that fails to answer is 503 with its one line, and the server lives on', async () => {
  session.sugar = () => {
    throw new Error('queue full');
  };
  expect(await send('POST', '/sugar', '{"by":"ada"}', JSON_TYPE)).toMatchObject({
    status: 503,
    json: { error: 'queue full' },
  });
  expect((await get('/status.json')).status).toBe(200);
});

test('a port in use is one line with the port and the remedy', async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  const { port } = holder.address() as AddressInfo;
  const failure = await openControlServer({ port, session, clock }).catch((error: unknown) => error);
  await new Promise((resolve) => holder.close(resolve));
  expect(failure).toBeInstanceOf(ConfigError);
  expect(failure).toMatchObject({
    code: 'CONTROL_PORT',
    message:
      `control server: port ${port} on 127.0.0.1 is used by another program. ` +
      'Choose another with --port N, or --port 0 for any free one.',
  });
});

test('/live sends the status four times a second and events as they happen', async () => {
  const viewer = await connect('/live');
  clock.advanceMs(250);
  expect(await viewer.next()).toMatchObject({ type: 'status', status: { step: '15352870' } });
  await settled();
  session.report = sampleReport({ step: '15352885' });
  session.shownEvents.push(sampleEvent(7));
  clock.advanceMs(249);
  clock.advanceMs(1);
  expect(await viewer.next()).toMatchObject({ type: 'status', status: { step: '15352885' } });
  expect(await viewer.next()).toMatchObject({ type: 'events', events: [{ id: 7 }] });
  viewer.close();
});

test('/live says so when the session cannot report, and recovers', async () => {
  const viewer = await connect('/live');
  const { status } = session;
  session.status = () => {
    throw new Error('the world is gone');
  };
  clock.advanceMs(250);
  expect(await viewer.next()).toEqual({ type: 'trouble', error: 'the world is gone' });
  session.status = status;
  await settled();
  clock.advanceMs(250);
  expect(await viewer.next()).toMatchObject({ type: 'status' });
  viewer.close();
});

test('/preview announces the type, then sends the init segment as binary', async () => {
  const viewer = await connect('/preview');
  expect(await viewer.next()).toEqual({ mimeType: null });
  for (const listener of session.previewListeners) listener.init(Uint8Array.of(1, 2, 3), 'video/mp4');
  expect(await viewer.next()).toEqual({ mimeType: 'video/mp4' });
  expect(await viewer.next()).toEqual(Buffer.from([1, 2, 3]));
  viewer.close();
});

test('a viewer that stops reading skips to keyframes and the other one loses nothing (feed-control.md 118)', async () => {
  const { init, fragments, mimeType } = await createPreviewFixture({ widthPx: 64, heightPx: 48, seconds: 20 });
  const sent = fragments.map((fragment) => enlarge(fragment, 1024 * 1024));
  const mark = enlarge(fragments[0]!, 1024); // a keyframe that says: this viewer is back in step
  const quick = await connect('/preview');
  const stalled = await connect('/preview');
  const [listener] = session.previewListeners;
  listener!.init(init, mimeType);
  for (const viewer of [quick, stalled]) await nextMessages(viewer, 3); // no stream yet, its type, the init segment
  stalled.pause();
  for (const fragment of sent) {
    listener!.fragment(fragment);
    expect(fragment.equals((await quick.next()) as Buffer)).toBe(true);
  }
  stalled.resume();
  const received: Buffer[] = [];
  while (!received.some((one) => one.equals(mark))) {
    listener!.fragment(mark);
    await settled();
    received.push(...((await nextMessages(stalled, stalled.waitingMessages())) as Buffer[]));
  }
  const indices = received.map((one) => sent.findIndex((other) => other.equals(one))).filter((index) => index >= 0);
  expect(indices.length).toBeLessThan(sent.length / 2);
  const jumpedTo = indices.filter((index, at) => at > 0 && index !== indices[at - 1]! + 1);
  expect(jumpedTo.every((index) => index % 2 === 0)).toBe(true); // every other fragment starts with a keyframe
  quick.close();
  stalled.close();
});

test('a viewer that does not answer two heartbeats is dropped', async () => {
  const deaf = new WebSocket(`ws://127.0.0.1:${server.port}/preview`, { autoPong: false });
  const pinged = new Promise((resolve) => deaf.once('ping', resolve));
  const closed = new Promise<void>((resolve) => deaf.once('close', () => resolve()));
  await new Promise((resolve) => deaf.once('open', resolve));
  const viewer = await connect('/live');
  clock.advanceMs(10_000);
  await pinged;
  await viewer.next();
  await viewer.pinged; // its answer travels behind nothing else
  await get('/healthz');
  clock.advanceMs(10_000);
  await closed;
  expect(session.previewListeners.size).toBe(0);
  expect(await viewer.next()).toMatchObject({ type: 'status' });
  viewer.close();
});

test.each<[string, ClientOptions, number]>([
  ['/live', { origin: 'https://evil.example' }, 403],
  ['/preview', { origin: 'null' }, 403],
  ['/live', { headers: { host: 'evil.example' } }, 403],
  ['/status.json', {}, 404],
])('a WebSocket to %s with %o is refused with %i', async (path, options, expected) => {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, options);
  const status = await new Promise((resolve) => {
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
    socket.on('open', () => resolve('open'));
    socket.on('error', () => undefined);
  });
  expect(status).toBe(expected);
  socket.terminate();
});

test('the server answers on 127.0.0.1 only', async () => {
  const refused = await new Promise((resolve) => {
    const socket = createConnection({ host: '::1', port: server.port });
    socket.on('error', () => resolve(true));
    socket.on('connect', () => {
      socket.destroy();
      resolve(false);
    });
  });
  expect(refused).toBe(true);
  expect(server.url).toBe(`http://127.0.0.1:${server.port}/`);
});

test('closing the server ends its viewers and frees the port', async () => {
  const viewer = await connect('/live');
  await server.close();
  await viewer.closed;
  const again = await openControlServer({ port: server.port, session, clock });
  expect(again.port).toBe(server.port);
  await again.close();
});

type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: unknown;
};

function get(path: string): Promise<Answer> {
  return send('GET', path, '', {});
}

/** Plain HTTP, for `fetch` neither sets Host and Origin nor keeps `..` in a path. */
function send(method: string, path: string, body: string, headers: OutgoingHttpHeaders): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port: server.port, method, path, headers, agent: false });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('latin1');
        const isJson = String(response.headers['content-type']).startsWith('application/json');
        const json: unknown = isJson ? JSON.parse(text) : null;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
      });
    });
    request.end(body);
  });
}

async function eventIds(path: string): Promise<number[]> {
  const { json } = await get(path);
  return (json as { events: { id: number }[] }).events.map(({ id }) => id);
}

type Viewer = {
  next(): Promise<unknown>;
  waitingMessages(): number;
  pause(): void;
  resume(): void;
  close(): void;
  readonly closed: Promise<void>;
  readonly pinged: Promise<void>;
};

/** Messages in order: parsed JSON for text, a Buffer for binary. */
async function connect(path: string): Promise<Viewer> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`);
  const arrived: unknown[] = [];
  const waiting: ((message: unknown) => void)[] = [];
  socket.on('message', (data: Buffer, isBinary) => {
    const message: unknown = isBinary ? data : JSON.parse(data.toString());
    const waiter = waiting.shift();
    if (waiter === undefined) arrived.push(message);
    else waiter(message);
  });
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  const pinged = new Promise<void>((resolve) => socket.once('ping', () => resolve()));
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  return {
    next: () =>
      arrived.length > 0 ? Promise.resolve(arrived.shift()) : new Promise((resolve) => waiting.push(resolve)),
    waitingMessages: () => arrived.length,
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => socket.terminate(),
    closed,
    pinged,
  };
}

async function nextMessages(viewer: Viewer, count: number): Promise<unknown[]> {
  const messages: unknown[] = [];
  while (messages.length < count) messages.push(await viewer.next());
  return messages;
}

/** The fragment with a `free` box behind it: as heavy as a real one, and still a fragment. */
function enlarge(fragment: Uint8Array, bytes: number): Buffer {
  const large = Buffer.alloc(fragment.byteLength + bytes);
  large.set(fragment);
  large.writeUInt32BE(bytes, fragment.byteLength);
  large.write('free', fragment.byteLength + 4, 'latin1');
  return large;
}

/** Lets the server's loop go back to sleep after a tick of the fake clock. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
