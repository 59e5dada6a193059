import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatBody, ScriptReply, ScriptStep } from './script-reply';
import { asDocument, writeStream, type WriteContext } from './stream-writer';

export interface ScriptedModelOptions {
  /** Replies in order. */
  script?: ScriptStep[];
  /** Answers every request for which the script has nothing left; without it that is a 500 naming the request. */
  otherwise?: ScriptStep;
  /** What GET /v1/models lists. Default: one model, `scripted`. */
  models?: { id: string; [field: string]: unknown }[];
  /** With a key, requests without it are refused with 401. */
  apiKey?: string;
  /** Refuse requests that bring tools, as a model without tool calling does. */
  noTools?: boolean;
  /** Answer /api/tags and /api/show as Ollama does; the value is the context size it reports. */
  ollama?: { numCtx?: number; contextLength?: number; capabilities?: string[] };
  port?: number;
}

export interface RecordedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: ChatBody;
  /** The client's port: requests over one kept-alive connection share it. */
  remotePort: number;
  /** Set when the client closed the connection before the reply was complete. */
  aborted: boolean;
  /** performance.now() on arrival and at the end of the reply. */
  arrivedAt: number;
  endedAt: number | null;
}

export interface ScriptedModel {
  /** Base URL with /v1. */
  url: string;
  /** Chat requests in the order of their arrival. */
  requests: RecordedRequest[];
  /** Adds replies to the end of the script. */
  push(...steps: ScriptStep[]): void;
  /** Lets streams go on that wait at `holdAfterChars`. */
  release(): void;
  /** Resolves once `count` chat requests have arrived. @throws Error after `timeoutMs` (default 10 s) */
  waitForRequests(count: number, timeoutMs?: number): Promise<void>;
  /** Closes every connection that is kept alive and idle, as a proxy does without a word. */
  closeIdle(): void;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * An OpenAI-compatible model server on 127.0.0.1 that plays a script, for unit and end-to-end tests alike.
 *
 * @example
 * await using model = await startScriptedModel({
 *   script: [calls('read_file', { path: 'a.ts' }), (body) => `I saw ${body.messages.length} messages.`],
 * });
 * // … run a turn against model.url …
 * expect(model.requests[1]?.body.messages.at(-1)).toMatchObject({ role: 'tool' });
 */
export async function startScriptedModel(options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const service = new ModelService(options);
  const server = createServer((request, response) => void service.answer(request, response));
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> => closeServer(server, service);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests: service.requests,
    push: (...steps) => void service.script.push(...steps),
    release: () => service.release(),
    waitForRequests: (count, timeoutMs = 10_000) => service.waitForRequests(count, timeoutMs),
    closeIdle: () => server.closeIdleConnections(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function closeServer(server: Server, service: ModelService): Promise<void> {
  service.release();
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

class ModelService {
  readonly requests: RecordedRequest[] = [];
  readonly script: ScriptStep[];
  private callNumber = 0;
  private waiters = new Set<() => void>();
  private arrivals = new Set<() => void>();

  constructor(private readonly options: ScriptedModelOptions) {
    this.script = [...(options.script ?? [])];
  }

  release(): void {
    for (const go of this.waiters) go();
    this.waiters.clear();
  }

  async waitForRequests(count: number, timeoutMs: number): Promise<void> {
    const limit = AbortSignal.timeout(timeoutMs);
    while (this.requests.length < count) {
      if (limit.aborted)
        throw new Error(`Only ${this.requests.length} of ${count} requests came within ${timeoutMs} ms.`);
      await new Promise<void>((resolve) => {
        this.arrivals.add(resolve);
        limit.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await readBody(request);
      await this.route(request, response, body);
    } catch (error) {
      if (!response.headersSent)
        sendJson(response, 500, { error: { message: `The script failed: ${String(error)}` } });
      else response.destroy();
    }
  }

  private async route(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const { apiKey, ollama, models = [{ id: 'scripted' }] } = this.options;
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`) {
      sendJson(response, 401, { error: { message: 'Incorrect API key provided.', code: 'invalid_api_key' } });
    } else if (path.endsWith('/chat/completions')) await this.chat(request, response, path, body as ChatBody);
    else if (path === '/v1/models') sendJson(response, 200, { object: 'list', data: models });
    else if (ollama !== undefined && path === '/api/tags') {
      sendJson(response, 200, { models: models.map(({ id }) => ({ name: id, model: id })) });
    } else if (ollama !== undefined && path === '/api/show') sendJson(response, 200, ollamaShow(ollama));
    else sendJson(response, 404, { error: { message: `No route ${path}` } });
  }

  private async chat(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    body: ChatBody,
  ): Promise<void> {
    const record: RecordedRequest = {
      method: request.method ?? '',
      path,
      headers: request.headers,
      body,
      remotePort: request.socket.remotePort ?? 0,
      aborted: false,
      arrivedAt: performance.now(),
      endedAt: null,
    };
    response.on('finish', () => (record.endedAt = performance.now()));
    response.on('close', () => (record.aborted = !response.writableFinished));
    const number = this.requests.push(record);
    for (const arrived of this.arrivals) arrived();
    this.arrivals.clear();
    if (this.options.noTools === true && (body.tools ?? []).length > 0) {
      sendJson(response, 400, { error: { message: `${body.model} does not support tools` } });
      return;
    }
    await this.reply(response, body, await this.nextReply(body, number));
  }

  private async nextReply(body: ChatBody, number: number): Promise<ScriptReply> {
    const step = this.script.shift() ?? this.options.otherwise;
    if (step === undefined) {
      return { status: 500, body: { error: { message: `The script has no reply for request ${number}.` } } };
    }
    const reply = typeof step === 'function' ? await step(body, number) : step;
    return typeof reply === 'string' ? { text: reply } : reply;
  }

  private async reply(response: ServerResponse, body: ChatBody, reply: ScriptReply): Promise<void> {
    if (reply.headDelayMs !== undefined) await sleep(reply.headDelayMs);
    if (reply.silent === true) return;
    const context: WriteContext = {
      model: body.model,
      nextCallId: () => `call_${(this.callNumber += 1)}`,
      held: () => new Promise((resolve) => this.waiters.add(resolve)),
    };
    if (reply.status !== undefined) sendStatus(response, reply.status, reply);
    else if (reply.asDocument === true || body.stream !== true)
      sendJson(response, 200, asDocument(reply, context));
    else await writeStream(response, reply, context);
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) text += String(chunk);
  return text === '' ? {} : JSON.parse(text);
}

function sendStatus(response: ServerResponse, status: number, reply: ScriptReply): void {
  if (typeof reply.body === 'string') {
    const kind = reply.body.trimStart().startsWith('<') ? 'text/html' : 'text/plain';
    response.writeHead(status, { 'content-type': kind, ...reply.headers }).end(reply.body);
  } else if (reply.body === undefined) response.writeHead(status, reply.headers).end();
  else sendJson(response, status, reply.body, reply.headers);
}

function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

const ollamaShow = ({
  numCtx,
  contextLength,
  capabilities,
}: NonNullable<ScriptedModelOptions['ollama']>): unknown => ({
  parameters: numCtx === undefined ? '' : `num_ctx                        ${numCtx}`,
  model_info: contextLength === undefined ? {} : { 'llama.context_length': contextLength },
  ...(capabilities === undefined ? {} : { capabilities }),
});
