import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../shared/error';
import type { Router } from '../rpc/router';
import { type ApiCaller, createApiCaller } from './api-caller';
import { MAX_MESSAGE_BYTES, readJsonBody } from './json-body';
import { sendFailure, sendJson } from './reply';
import { streamTurn } from './turn-stream';

/** What one route gets. `id` and `item` are the path's parameters, '' on routes without them. */
interface Call {
  id: string;
  item: string;
  url: URL;
  api: ApiCaller;
  body: () => Promise<Record<string, unknown>>;
  request: IncomingMessage;
  response: ServerResponse;
}

/** The value of the answer, or `STREAMED` when the route has answered by itself. */
type Route = (call: Call) => unknown;
const STREAMED = Symbol('streamed');

export interface RestOptions {
  router: Router;
  /** A fresh address that signs one more browser in. */
  newLink: () => string;
}

export type Rest = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>;

/** The routes for scripts (docs/rest.md), over the same channels that the window uses. */
export function createRest({ router, newLink }: RestOptions): Rest {
  const routes = restRoutes(router, newLink);
  return async (request, response, url) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const api = createApiCaller(router, { clientId: randomUUID(), signal: gone.signal });
    try {
      const { route, ...names } = findRoute(routes, request.method ?? '', url.pathname);
      const value = await route({ ...names, url, api, request, response, body: () => readJsonBody(request) });
      if (value !== STREAMED) sendJson(response, 200, { ok: true, value: value ?? null });
    } catch (error) {
      if (response.headersSent) response.destroy();
      else if (error instanceof AppError) sendFailure(response, error.toShape());
      else sendFailure(response, router.failure(`REST ${url.pathname}`, error));
    }
  };
}

/** What can be done with a session besides running turns in it; each body is its channel's input without the id. */
const sessionRoutes: Readonly<Record<string, Route>> = {
  'GET /api/search': ({ api, url }) =>
    api('session', 'search', {
      query: url.searchParams.get('query') ?? '',
      everywhere: url.searchParams.get('everywhere') !== 'false',
    }),
  'GET /api/sessions/:id/messages': ({ api, id, url }) =>
    api('session', 'messages', { id, ...numbersOf(url, ['after', 'limit']) }),
  'POST /api/sessions/:id/fork': async ({ api, id, body }) =>
    api('session', 'fork', { ...(await body()), id }),
  'POST /api/sessions/:id/rewind': async ({ api, id, body }) =>
    api('session', 'rewind', { ...(await body()), id }),
  'POST /api/sessions/:id/edit': async ({ api, id, body }) =>
    api('session', 'edit', { ...(await body()), id }),
  'POST /api/sessions/:id/export': async ({ api, id, body }) =>
    api('session', 'export', { ...(await body()), id }),
  'GET /api/sessions/:id/changes': ({ api, id, url }) =>
    api('changes', 'log', { sessionId: id, ...numbersOf(url, ['before', 'limit']), path: null }),
  'POST /api/sessions/:id/undo': async ({ api, id, body }) =>
    api('changes', 'undo', { ...(await body()), kind: 'turn', sessionId: id }),
  'POST /api/sessions/:id/restore': async ({ api, id, body }) =>
    api('changes', 'restore', { ...(await body()), sessionId: id }),
  'POST /api/changes/:id/undo': ({ api, id }) => api('changes', 'undo', { kind: 'set', setId: id }),
  'POST /api/changes/:id/redo': ({ api, id }) => api('changes', 'redo', { setId: id }),
  'GET /api/foreign': ({ api }) => api('session', 'foreign', null),
  'POST /api/foreign/:id': async ({ api, id, body }) =>
    api('session', 'importForeign', { ...(await body()), tool: id }),
  'POST /api/imports': async ({ api, body }) => api('session', 'import', await body()),
};

/** Messages that wait for the running turn of a session to end. */
const queueRoutes: Readonly<Record<string, Route>> = {
  'GET /api/sessions/:id/queue': ({ api, id }) => api('turn', 'queued', { sessionId: id }),
  'POST /api/sessions/:id/queue': async ({ api, id, request }) => {
    const { text = '', mentions, images } = await readJsonBody(request, MAX_MESSAGE_BYTES);
    return api('turn', 'queue', { text, mentions, images, sessionId: id });
  },
  'PATCH /api/sessions/:id/queue/:item': async ({ api, id, item, request }) => {
    const { text, mentions } = await readJsonBody(request, MAX_MESSAGE_BYTES);
    const waiting = await api('turn', 'queued', { sessionId: id });
    const old = waiting.find((message) => message.id === item);
    return api('turn', 'queue', { text, mentions: mentions ?? old?.mentions, sessionId: id, id: item });
  },
  'DELETE /api/sessions/:id/queue/:item': ({ api, id, item }) =>
    api('turn', 'unqueue', { sessionId: id, id: item }),
  'POST /api/sessions/:id/queue/send': ({ api, id }) => api('turn', 'sendQueued', { sessionId: id }),
};

/** Parameters of the address that are numbers; the channel says what is wrong with others. */
const numbersOf = (url: URL, names: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const text = url.searchParams.get(name);
      return text === null ? [] : [[name, Number(text)]];
    }),
  );

const restRoutes = (router: Router, newLink: () => string): Readonly<Record<string, Route>> => ({
  // The window asks this after a lost socket; being answered at all means that its session is known.
  'GET /api/session': () => null,
  'POST /api/links': () => ({ url: newLink() }),
  'POST /api/turns': async ({ request, response }) => {
    await streamTurn(router, request, response);
    return STREAMED;
  },
  'GET /api/sessions': ({ api, url }) =>
    api('session', 'list', { query: url.searchParams.get('query') ?? undefined }),
  'PATCH /api/sessions/:id': async ({ api, id, body }) => api('session', 'rename', { ...(await body()), id }),
  'DELETE /api/sessions/:id': ({ api, id }) => api('session', 'remove', { id }),
  'POST /api/sessions/:id/interject': async ({ api, id, request }) =>
    api('turn', 'interject', { ...(await readJsonBody(request, MAX_MESSAGE_BYTES)), sessionId: id }),
  'GET /api/sessions/:id/images': ({ api, id, url }) =>
    api('session', 'image', {
      id,
      messageId: url.searchParams.get('messageId') ?? '',
      ...numbersOf(url, ['index']),
    }),
  'POST /api/sessions/:id/stop': ({ api, id }) => api('turn', 'stop', { sessionId: id }),
  ...sessionRoutes,
  ...queueRoutes,
  'GET /api/approvals': ({ api }) => api('turn', 'approvals', null),
  'POST /api/approvals/:id': async ({ api, id, body }) =>
    settled(await api('turn', 'replyApproval', { ...(await body()), id })),
  'POST /api/questions/:id': async ({ api, id, body }) =>
    settled(await api('turn', 'replyQuestion', { ...(await body()), id })),
});

function settled(reply: { accepted: boolean }): { accepted: boolean } {
  if (reply.accepted) return reply;
  throw new AppError('conflict', 'Nothing waits for an answer under this id.', {
    hint: 'It was answered before, has timed out, or its turn has ended.',
  });
}

/** `/api/sessions/x1/stop` is looked up as `/api/sessions/:id/stop`, then with its last word as `:item`. */
function findRoute(
  routes: Readonly<Record<string, Route>>,
  method: string,
  pathname: string,
): Pick<Call, 'id' | 'item'> & { route: Route } {
  const [, api, noun, encodedId, ...rest] = pathname.split('/');
  const start = ['', api, noun, ...(encodedId === undefined ? [] : [':id'])];
  const last = rest.length > 1 ? rest.at(-1) : undefined;
  const exact = [...start, ...rest].join('/');
  const withItem = last === undefined ? exact : [...start, ...rest.slice(0, -1), ':item'].join('/');
  const id = decodeId(encodedId ?? '');
  for (const [pattern, encodedItem] of [[exact, ''] as const, [withItem, last ?? ''] as const]) {
    const key = `${method} ${pattern}`;
    const route = Object.hasOwn(routes, key) ? routes[key] : undefined;
    const item = decodeId(encodedItem);
    if (route && id !== null && item !== null) return { route, id, item };
  }
  const methods = Object.keys(routes)
    .filter((name) => [exact, withItem].some((pattern) => name.endsWith(` ${pattern}`)))
    .map((name) => name.split(' ', 1)[0]);
  throw new AppError('not_found', `There is no ${method} ${pathname}.`, {
    hint: methods.length > 0 ? `This path takes ${methods.join(', ')}.` : 'See docs/rest.md.',
  });
}

function decodeId(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
