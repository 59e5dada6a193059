import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { AppError, toErrorShape } from '../../shared/error';
import { ApprovalAnswer } from '../../shared/model/approval';
import { readJsonBody } from './json-body';
import { sendFailure, sendJson } from './reply';
import { streamTurn } from './turn-stream';
import { errorDetail, type HostLog, type WebCore } from './web-core';

/** What one route gets. `id` is the path's parameter, '' on routes without one. */
interface Call {
  id: string;
  url: URL;
  request: IncomingMessage;
  response: ServerResponse;
}

/** The value of the answer, or `STREAMED` when the route has answered by itself. */
type Route = (call: Call) => unknown;
const STREAMED = Symbol('streamed');

export interface RestOptions {
  core: WebCore;
  log: HostLog;
  /** A fresh address that signs one more browser in. */
  newLink: () => string;
}

export type Rest = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>;

/** The routes for scripts (docs/rest.md). Answers are envelopes, failures carry a fitting status. */
export function createRest(options: RestOptions): Rest {
  const routes = restRoutes(options);
  return async (request, response, url) => {
    try {
      const { route, id } = findRoute(routes, request.method ?? '', url.pathname);
      const value = await route({ id, url, request, response });
      if (value !== STREAMED) sendJson(response, 200, { ok: true, value: value ?? null });
    } catch (error) {
      const shape = toErrorShape(error);
      if (shape.code === 'internal')
        options.log.error('REST route failed', { path: url.pathname, ...errorDetail(error) });
      if (response.headersSent) response.destroy();
      else sendFailure(response, shape);
    }
  };
}

const Text = z.strictObject({ text: z.string().min(1).max(1_000_000) });
const Title = z.strictObject({ title: z.string().min(1).max(200) });
const Reply = z.strictObject({ answer: ApprovalAnswer });
const Answer = z.strictObject({ answer: z.string().max(20_000) });

function restRoutes({ core, log, newLink }: RestOptions): Readonly<Record<string, Route>> {
  return {
    // The window asks this after a lost socket; being answered at all means that its session is known.
    'GET /api/session': () => null,
    'POST /api/links': () => ({ url: newLink() }),
    'POST /api/turns': async ({ request, response }) => {
      await streamTurn(core, request, response, log);
      return STREAMED;
    },
    'GET /api/sessions': ({ url }) => core.sessions.list(url.searchParams.get('query') ?? ''),
    'PATCH /api/sessions/:id': async ({ id, request }) => {
      const { title } = await readJsonBody(request, Title);
      return core.sessions.rename(id, title);
    },
    'DELETE /api/sessions/:id': ({ id }) => core.sessions.remove(id),
    'POST /api/sessions/:id/interject': async ({ id, request }) => {
      const { text } = await readJsonBody(request, Text);
      await core.turns.interject(id, text);
    },
    'POST /api/sessions/:id/stop': ({ id }) => core.turns.stop(id),
    'GET /api/approvals': () => core.approvals.pending(),
    'POST /api/approvals/:id': async ({ id, request }) => {
      const { answer } = await readJsonBody(request, Reply);
      return settled(core.approvals.reply(id, answer, 'user'));
    },
    'POST /api/questions/:id': async ({ id, request }) => {
      const { answer } = await readJsonBody(request, Answer);
      return settled(core.questions.reply(id, answer));
    },
  };
}

function settled(accepted: boolean): { accepted: true } {
  if (accepted) return { accepted };
  throw new AppError('conflict', 'Nothing waits for an answer under this id.', {
    hint: 'It was answered before, has timed out, or its turn has ended.',
  });
}

/** `/api/sessions/x1/stop` is looked up as `/api/sessions/:id/stop`. */
function findRoute(
  routes: Readonly<Record<string, Route>>,
  method: string,
  pathname: string,
): { route: Route; id: string } {
  const [, api, noun, encoded, ...rest] = pathname.split('/');
  const pattern = ['', api, noun, ...(encoded === undefined ? [] : [':id']), ...rest].join('/');
  const key = `${method} ${pattern}`;
  const route = Object.hasOwn(routes, key) ? routes[key] : undefined;
  const id = decodeId(encoded ?? '');
  if (route && id !== null) return { route, id };
  const others = Object.keys(routes).filter((name) => name.endsWith(` ${pattern}`));
  const hint =
    others.length > 0 ? `This path takes ${others.map((name) => name.split(' ')[0]).join(', ')}.` : undefined;
  throw new AppError('not_found', `There is no ${method} ${pathname}.`, {
    hint: hint ?? 'See docs/rest.md.',
  });
}

function decodeId(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
