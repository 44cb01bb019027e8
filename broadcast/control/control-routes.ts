import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { describeError } from '../../engine/errors.ts';
import type { ControlledSession, ShowAnswer, SugarAnswer } from './controlled-session.ts';
import { judgeHealth } from './health.ts';
import type { PageFile } from './page-files.ts';
import { refuseForeignRequest } from './request-guard.ts';
import { parseShowRequest } from './show-request.ts';
import { isName, parseSugarRequest } from './sugar-request.ts';

/** Spec: feed-control.md section 5, GET /events. */
const DEFAULT_EVENTS = 100;
const MAX_EVENTS = 4_096;

/**
 * What a browser may do with our page: nothing from elsewhere, no frames, the picture from memory (`blob:`).
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  'media-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export type ControlRoutes = {
  readonly session: ControlledSession;
  readonly pageFiles: ReadonlyMap<string, PageFile>;
};

/** Registers every HTTP route, the guard in front of them and the shape of errors: always `{error}` as JSON. */
export function registerControlRoutes(app: FastifyInstance, { session, pageFiles }: ControlRoutes): void {
  app.removeAllContentTypeParsers(); // text/plain needs no permission in a browser, so it is not accepted
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, text === '' ? {} : JSON.parse(text.toString()));
    } catch {
      done(Object.assign(new Error('the body is not JSON'), { statusCode: 400 }));
    }
  });

  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({
      'cache-control': 'no-store',
      'content-security-policy': PAGE_POLICY,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    const refusal = refuseForeignRequest(request.headers) ?? refuseSimpleRequest(request);
    if (refusal !== null) await reply.code(403).send({ error: refusal });
  });
  app.setNotFoundHandler(answerNotFound);
  app.setErrorHandler((error: unknown, _request, reply) => {
    const statusCode = errorStatus(error);
    return reply.code(statusCode).send({ error: describeError(error) });
  });

  app.get('/', (_request, reply) => sendFile(reply, pageFiles.get('index.html')));
  app.get<{ Params: { '*': string } }>('/page/*', (request, reply) => {
    const file = pageFiles.get(request.params['*']);
    return file === undefined ? answerNotFound(request, reply) : sendFile(reply, file);
  });

  app.get('/status.json', () => {
    const status = session.status();
    return { ...status, health: judgeHealth(status) };
  });
  app.get('/healthz', (_request, reply) => {
    const { alive, state, participants, reason } = judgeHealth(session.status());
    const facts = { state, participants, reason };
    return reply.code(alive ? 200 : 503).send(alive ? { status: 'ok', ...facts } : { error: reason, ...facts });
  });
  app.get('/metrics', (_request, reply) =>
    reply.type('text/plain; version=0.0.4; charset=utf-8').send(session.metrics()),
  );
  app.get<{ Querystring: Record<string, unknown> }>('/events', (request) => {
    const since = readCount(request.query['since'], 0);
    const limit = Math.min(MAX_EVENTS, readCount(request.query['limit'], DEFAULT_EVENTS));
    const oldestId = session.events(0, 1)[0]?.id ?? null;
    return { events: limit === 0 ? [] : session.events(since, limit), oldestId };
  });

  app.get('/shows', async () => ({ shows: await session.shows() }));

  app.post('/stop', (request, reply) => {
    const { by = 'operator' } = (request.body ?? {}) as { by?: unknown };
    if (!isName(by)) return reply.code(400).send({ error: '"by" must be 1 to 25 letters, digits, spaces, "_.-"' });
    session.requestStop(by);
    return reply.code(202).send({ status: 'stopping' });
  });
  app.post('/show', async (request, reply) => {
    const parsed = parseShowRequest(request.body);
    if (parsed.kind === 'refused') return reply.code(400).send({ error: parsed.error });
    return answerShow(reply, parsed.request.id, await session.requestShow(parsed.request));
  });
  // a named refusal: whoever asks learns that rewards come from the game alone (spec: session.md 18, PRO-10)
  app.post('/reward', (_request, reply) => reply.code(403).send({ error: 'rewards come from the game alone' }));
  app.post('/sugar', async (request, reply) => {
    const parsed = parseSugarRequest(request.body);
    if (parsed.kind === 'refused') return reply.code(400).send({ error: parsed.error });
    return answerSugar(reply, await session.sugar(parsed.request));
  });
}

/** A refusal says that nothing happened, so that nobody asks twice to be sure (spec: feed-control.md 93). */
function answerShow(reply: FastifyReply, id: string, answer: ShowAnswer): FastifyReply {
  switch (answer.kind) {
    case 'accepted':
      return reply.code(202).send({ status: 'swapping', to: id });
    case 'unknown-show':
      return reply.code(404).send({ error: answer.detail, mutation: 'none' });
    case 'already-running':
      return reply.code(409).send({ error: `${id} runs already`, mutation: 'none' });
    case 'busy':
      return reply.code(503).send({ error: answer.detail, mutation: 'none' });
    default:
      return answer satisfies never;
  }
}

function answerSugar(reply: FastifyReply, answer: SugarAnswer): FastifyReply {
  switch (answer.kind) {
    case 'accepted':
      return reply.code(202).send({ eventId: answer.eventId });
    case 'cooling-down': {
      const retryAfterMs = Math.max(0, Math.ceil(answer.retryAfterMs));
      return reply
        .code(429)
        .header('retry-after', Math.ceil(retryAfterMs / 1_000))
        .send({ retryAfterMs });
    }
    case 'invalid':
      return reply.code(400).send({ error: answer.detail });
    case 'unknown-agent':
      return reply.code(404).send({ error: answer.detail });
    case 'unsupported':
      return reply.code(422).send({ error: answer.detail, mutation: 'none' });
    case 'unavailable':
      return reply.code(503).send({ error: answer.detail, mutation: 'none' });
    default:
      return answer satisfies never;
  }
}

/**
 * A browser asks nobody before it posts a form to another site, but it does before it sends JSON or a header of its
 * own; nobody here would say yes.
 */
function refuseSimpleRequest(request: FastifyRequest): string | null {
  if (request.method !== 'POST') return null;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'a page of another site may not do that';
  const isJson = /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '');
  if (isJson || request.headers['x-fly-console'] !== undefined) return null;
  return 'send Content-Type: application/json, or the header X-Fly-Console: 1';
}

function answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?')[0]!.slice(0, 120);
  return reply.code(404).send({ error: `${request.method} ${path} is not a route of this server` });
}

function sendFile(reply: FastifyReply, file: PageFile | undefined): FastifyReply {
  if (file === undefined) return reply.code(404).send({ error: 'the console page is not installed' });
  return reply.type(file.contentType).send(file.body);
}

/** A whole number from a query, or the fallback when it is unreadable (spec: feed-control.md section 5). */
function readCount(value: unknown, fallback: number): number {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : fallback;
}

/** Our own refusals carry a status below 500; anything else failed in the session and was not applied here. */
function errorStatus(error: unknown): number {
  const statusCode = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? statusCode : 503;
}
