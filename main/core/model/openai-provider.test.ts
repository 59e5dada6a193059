import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { calls } from '../../../e2e/support/scripted-model/script-reply';
import {
  startScriptedModel,
  type ScriptedModelOptions,
} from '../../../e2e/support/scripted-model/scripted-model';
import { ModelError } from './model-error';
import { OpenAiProvider, type OpenAiProviderOptions } from './openai-provider';
import type { ModelReply, ModelRequest, ModelStreamEvent } from './port';
import { DEFAULT_DIALECT } from './presets';
import { withRetries } from './retry';

const tool = { name: 'read_file', description: 'Reads.', parameters: { type: 'object', properties: {} } };

const ask = (changes: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'm-1',
  messages: [{ role: 'user', content: 'Hello' }],
  tools: [tool],
  toolChoice: 'auto',
  ...changes,
});

const provider = (baseUrl: string, changes: Partial<OpenAiProviderOptions> = {}): OpenAiProvider =>
  new OpenAiProvider({
    id: 'example',
    name: 'Example',
    baseUrl,
    apiKey: 'sk-test-key',
    dialect: DEFAULT_DIALECT,
    ...changes,
  });

interface Ran {
  reply: ModelReply | null;
  error: ModelError | null;
  events: ModelStreamEvent[];
}

async function run(
  stream: AsyncGenerator<ModelStreamEvent, ModelReply>,
  onEvent: (event: ModelStreamEvent) => void = () => undefined,
): Promise<Ran> {
  const events: ModelStreamEvent[] = [];
  try {
    for (;;) {
      const step = await stream.next();
      if (step.done === true) return { reply: step.value, error: null, events };
      events.push(step.value);
      onEvent(step.value);
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { reply: null, error, events };
  }
}

const never = (): AbortSignal => new AbortController().signal;

/** One request against a scripted server. */
async function oneRequest(
  options: ScriptedModelOptions,
  changes: Partial<OpenAiProviderOptions> = {},
): Promise<Ran> {
  await using model = await startScriptedModel(options);
  return await run(provider(model.url, changes).stream(ask(), { signal: never() }));
}

test('a reply streams word by word with its calls, usage and key', async () => {
  await using model = await startScriptedModel({
    apiKey: 'sk-test-key',
    script: [{ text: 'Let me look.', reasoning: 'hm', calls: [{ tool: 'read_file', args: { path: 'a' } }] }],
  });
  const { reply, events } = await run(provider(model.url).stream(ask(), { signal: never() }));
  expect(events).toEqual([
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'Let' },
    { type: 'text', text: ' me' },
    { type: 'text', text: ' look.' },
  ]);
  expect(reply).toMatchObject({
    text: 'Let me look.',
    finish: 'calls',
    usage: { inputTokens: 100, outputTokens: 10 },
    calls: [{ id: 'call_1', name: 'read_file', args: { ok: true, value: { path: 'a' } } }],
  });
  expect(model.requests[0]?.body).toEqual({
    model: 'm-1',
    stream: true,
    stream_options: { include_usage: true },
    tools: [{ type: 'function', function: tool }],
    tool_choice: 'auto',
    messages: [{ role: 'user', content: 'Hello' }],
  });
});

test('history goes out in the order and form that servers take', async () => {
  await using model = await startScriptedModel({ script: ['ok'] });
  const messages: ModelRequest['messages'] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: ' ', images: [{ mime: 'image/png', base64: 'AAAA' }] },
    {
      role: 'assistant',
      content: '',
      reasoning: 'private',
      calls: [{ id: 'functions.read:0', name: 'read_file', arguments: '{"path":"a"}' }],
      opaque: { provider: 'other', data: { reasoningDetails: ['secret'] } },
    },
    { role: 'tool', callId: 'functions.read:0', name: 'read_file', content: '1| x' },
  ];
  await run(provider(model.url).stream(ask({ messages }), { signal: never() }));
  expect(model.requests[0]?.body.messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'functions_read_0',
          type: 'function',
          function: { name: 'read_file', arguments: '{"path":"a"}' },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'functions_read_0', content: '1| x' },
  ]);
});

test('fault-F53: reasoning goes back for turns with tools, where the provider needs it', async () => {
  await using model = await startScriptedModel({ script: ['ok'] });
  const messages: ModelRequest['messages'] = [
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'plain', reasoning: 'dropped' },
    { role: 'user', content: 'two' },
    {
      role: 'assistant',
      content: '',
      reasoning: 'kept',
      calls: [{ id: 'a', name: 'read_file', arguments: '{}' }],
    },
    { role: 'tool', callId: 'a', name: 'read_file', content: 'x' },
  ];
  const dialect = { ...DEFAULT_DIALECT, reasoningField: 'reasoning_content' as const };
  await run(provider(model.url, { dialect }).stream(ask({ messages }), { signal: never() }));
  const sent = model.requests[0]?.body.messages as Record<string, unknown>[];
  expect(sent.map((message) => message['reasoning_content'])).toEqual([
    undefined,
    undefined,
    undefined,
    'kept',
    undefined,
  ]);
});

test('fault-F54: thought signatures and reasoning details return to their own provider untouched', async () => {
  await using model = await startScriptedModel({ script: ['ok'] });
  const opaque = {
    provider: 'example',
    data: {
      calls: { a: { google: { thought_signature: 's' } } },
      reasoningDetails: [{ type: 'reasoning.encrypted', data: 'x' }],
    },
  };
  const messages: ModelRequest['messages'] = [
    { role: 'user', content: 'one' },
    { role: 'assistant', content: '', calls: [{ id: 'a', name: 'read_file', arguments: '{}' }], opaque },
    { role: 'tool', callId: 'a', name: 'read_file', content: 'x' },
  ];
  await run(provider(model.url).stream(ask({ messages }), { signal: never() }));
  expect(model.requests[0]?.body.messages[1]).toMatchObject({
    tool_calls: [{ id: 'a', extra_content: { google: { thought_signature: 's' } } }],
    reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }],
  });
});

test('fields that a server refuses are left out from then on, per base URL', async () => {
  const refuse = (message: string): { status: number; body: unknown } => ({
    status: 400,
    body: { error: { message } },
  });
  await using model = await startScriptedModel({
    script: [
      refuse('Unrecognized request argument: stream_options'),
      refuse('tool_choice "required" is not supported'),
      refuse(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      ),
      'ok',
      'ok',
    ],
  });
  const example = provider(model.url);
  const request = ask({ toolChoice: 'required', maxOutputTokens: 500 });
  for (let round = 0; round < 2; round += 1) {
    expect((await run(example.stream(request, { signal: never() }))).reply?.text).toBe('ok');
  }
  expect(model.requests).toHaveLength(5);
  for (const { body } of model.requests.slice(3)) {
    expect(body).toMatchObject({ tool_choice: 'auto', max_completion_tokens: 500 });
    expect(body).not.toHaveProperty('stream_options');
    expect(body).not.toHaveProperty('max_tokens');
  }
});

test('H8: a refused tool choice is asked again as auto at once, and learnt for that model alone', async () => {
  await using model = await startScriptedModel({
    script: [
      { status: 400, body: { error: { message: 'Thinking mode does not support this tool_choice' } } },
      'ok',
      'ok',
      'ok',
    ],
  });
  const example = provider(model.url);
  const wishes = [
    ask({ toolChoice: 'required' }),
    ask({ toolChoice: 'required' }),
    ask({ toolChoice: 'required', model: 'other' }),
  ];
  for (const wish of wishes) {
    const { events, reply } = await run(example.stream(wish, { signal: never() }));
    expect(reply?.text).toBe('ok');
    expect(events.some((event) => event.type === 'retry')).toBe(false);
  }
  const sent = model.requests.map(({ body }) => [body.model, body.tool_choice]);
  expect(sent).toEqual([
    [ask().model, 'required'],
    [ask().model, 'auto'],
    [ask().model, 'auto'],
    ['other', 'required'],
  ]);
});

test('H8: a tool choice that is refused inside a successful response is asked again as auto too', async () => {
  await using model = await startScriptedModel({
    script: [{ streamError: { message: 'tool_choice: only auto is supported', code: 400 } }, 'ok'],
  });
  const named = ask({ toolChoice: { name: 'attempt_completion' } });
  const { reply } = await run(provider(model.url).stream(named, { signal: never() }));
  expect(reply?.text).toBe('ok');
  expect(model.requests.map(({ body }) => body.tool_choice)).toEqual([
    { type: 'function', function: { name: 'attempt_completion' } },
    'auto',
  ]);
});

test('fault-F105: when only the answer does not fit, a shorter one is asked for; the identical body is not sent again', async () => {
  const message =
    'input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000, decrease input length or `max_tokens` and try again';
  await using model = await startScriptedModel({
    script: [{ status: 400, body: { error: { message } } }, 'ok'],
  });
  const { reply } = await run(
    provider(model.url).stream(ask({ maxOutputTokens: 21_333 }), { signal: never() }),
  );
  expect(reply?.text).toBe('ok');
  expect(model.requests.map(({ body }) => body['max_tokens'])).toEqual([21_333, 9_936]);
});

test('fault-F36: a stream that is silent after the machine slept fails with its text kept', async () => {
  await using model = await startScriptedModel({ script: [{ text: 'half of it', holdAfterChars: 4 }] });
  let slept = 0;
  const clocks = { monotonic: () => performance.now(), wall: () => performance.now() + slept };
  const sleep = { clocks, limits: { tickMs: 5, jumpMs: 20_000, graceMs: 20 } };
  const stream = provider(model.url, { sleep }).stream(ask(), { signal: never() });
  const first = await stream.next();
  expect(first.value).toMatchObject({ type: 'text' });
  slept = 3_600_000;
  const failure = await (async () => {
    for (;;) if ((await stream.next()).done) return null;
  })().catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: 'provider_unreachable',
    partial: { text: expect.stringMatching(/^half/) as string },
  });
});

test('fault-F82: parallel_tool_calls goes only where it is taken', async () => {
  await using model = await startScriptedModel({ script: ['ok', 'ok'] });
  await run(provider(model.url).stream(ask(), { signal: never() }));
  await run(
    provider(model.url, { dialect: { ...DEFAULT_DIALECT, parallel: true } }).stream(ask(), {
      signal: never(),
    }),
  );
  expect(model.requests.map(({ body }) => body['parallel_tool_calls'])).toEqual([undefined, true]);
});

test('fault-F18: a document in place of the stream is read; only one request is sent', async () => {
  const { reply } = await oneRequest({
    script: [{ ...calls('read_file', { path: 'a' }, 'Hi'), asDocument: true }],
  });
  expect(reply).toMatchObject({ text: 'Hi', finish: 'calls' });
});

test('fault-F19: an HTML error names status and host', async () => {
  const { error } = await oneRequest({
    script: [{ status: 502, body: '<html><h1>Bad gateway</h1></html>' }],
  });
  expect(error).toMatchObject({ code: 'provider_overloaded' });
  expect(error?.message).not.toContain('<');
});

test('a server that nobody started is named with what to do', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const { error } = await run(
    provider(`http://127.0.0.1:${port}/v1`, { name: 'Ollama' }).stream(ask(), { signal: never() }),
  );
  expect(error).toMatchObject({ code: 'provider_unreachable', hint: 'Is Ollama running?' });
  expect(error?.message).toContain(`127.0.0.1:${port}`);
});

test('a model without tools is told from other refusals', async () => {
  expect((await oneRequest({ noTools: true })).error?.code).toBe('provider_no_tools');
});

test('fault-F17: a dropped connection keeps what had arrived', async () => {
  const text = 'word '.repeat(60).trim();
  const { error } = await oneRequest({ script: [{ text, dropAfterChars: 200 }] });
  expect(error?.code).toBe('provider_unreachable');
  expect(error?.partial?.text.length).toBeGreaterThanOrEqual(200);
});

test('fault-F20: a kept-alive connection that the server closed is replaced without a word', async () => {
  const sockets: Socket[] = [];
  const body = 'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  const head = `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n`;
  // Answers the first request of each connection and resets it when a second one comes.
  const server = createServer((socket) => {
    sockets.push(socket);
    let answered = false;
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      if (answered) socket.resetAndDestroy();
      else if (data.toString().includes('"stream":true')) {
        answered = true;
        socket.write(head + body);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const example = provider(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  for (let round = 0; round < 2; round += 1) {
    const { reply, error } = await run(example.stream(ask(), { signal: never() }));
    expect(error).toBeNull();
    expect(reply?.text).toBe('Hi');
  }
  expect(sockets).toHaveLength(2);
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('connections are kept alive from request to request', async () => {
  await using model = await startScriptedModel({ otherwise: 'ok' });
  const example = provider(model.url);
  for (let round = 0; round < 10; round += 1) await run(example.stream(ask(), { signal: never() }));
  expect(model.requests).toHaveLength(10);
  // Not one, for a loaded machine: a request may begin before the end of the last response was seen.
  expect(new Set(model.requests.map(({ remotePort }) => remotePort)).size).toBeLessThan(5);
});

test('fault-F34: a stop in the middle of a stream closes the socket at once and keeps the text', async () => {
  await using model = await startScriptedModel({ script: [{ text: 'one two three', holdAfterChars: 5 }] });
  const stop = new AbortController();
  const { error } = await run(provider(model.url).stream(ask(), { signal: stop.signal }), (event) => {
    // Nothing else would end it: the server has gone silent, and a silence is borne for minutes.
    if (event.type === 'text' && event.text === ' two') setImmediate(() => stop.abort());
  });
  expect(error).toMatchObject({ code: 'cancelled', partial: { text: 'one two' } });
  await expect.poll(() => model.requests[0]?.aborted).toBe(true);
});

test('a stop before the response begins ends at once', async () => {
  await using model = await startScriptedModel({ script: [{ silent: true }] });
  const stop = new AbortController();
  const result = run(provider(model.url).stream(ask(), { signal: stop.signal }));
  await model.waitForRequests(1);
  stop.abort();
  expect((await result).error?.code).toBe('cancelled');
  await expect.poll(() => model.requests[0]?.aborted).toBe(true);
});

test('the first-byte clock ends a request that is never answered', async () => {
  for (const script of [[{ silent: true }], [{ silentBody: true }]]) {
    const { error } = await oneRequest({ script }, { limits: { firstByteMs: 60 } });
    expect(error).toMatchObject({ code: 'provider_timeout', retry: { limit: 5 } });
    expect(error?.message).toContain('did not begin to answer');
  }
});

test('fault-F16: the idle clock ends silence, but comments are a sign of life', async () => {
  const silence = await oneRequest(
    { script: [{ text: 'one two', holdAfterChars: 3 }] },
    { limits: { idleMs: 80 } },
  );
  expect(silence.error).toMatchObject({ code: 'provider_timeout', partial: { text: 'one' } });
  const alive = await oneRequest(
    { script: [{ text: 'late', commentsMs: 400 }] },
    { limits: { idleMs: 200, firstByteMs: 200 } },
  );
  expect(alive.reply?.text).toBe('late');
});

test('comments alone do not count as progress for ever', async () => {
  const { error } = await oneRequest(
    { script: [{ text: 'late', commentsMs: 5000 }] },
    { limits: { progressMs: 150 } },
  );
  expect(error?.message).toContain('made no progress');
});

test('fault-F40: a limit of 0 is no limit', async () => {
  const limits = { connectMs: 0, firstByteMs: 0, idleMs: 0, progressMs: 0 };
  expect((await oneRequest({ script: [{ text: 'ok', headDelayMs: 50 }] }, { limits })).reply?.text).toBe(
    'ok',
  );
});

test('fault-F28: overloads are waited out and the answer arrives once', async () => {
  await using model = await startScriptedModel({ script: [{ status: 529 }, { status: 503 }, 'Here I am.'] });
  const { reply, events } = await run(
    withRetries(provider(model.url), { baseMs: 5 }).stream(ask(), { signal: never() }),
  );
  expect(reply?.text).toBe('Here I am.');
  expect(events.filter(({ type }) => type === 'retry')).toHaveLength(2);
});

test('fault-F32: when images are too many bytes the oldest are left out once', async () => {
  await using model = await startScriptedModel({
    script: [{ status: 413, body: { error: { type: 'request_too_large', message: 'too large' } } }, 'ok'],
  });
  const image = (base64: string): ModelRequest['messages'][number] => ({
    role: 'user',
    content: 'look',
    images: [{ mime: 'image/png', base64 }],
  });
  const { reply } = await run(
    provider(model.url).stream(ask({ messages: [image('AAAA'), image('BBBB')] }), { signal: never() }),
  );
  expect(reply?.text).toBe('ok');
  expect(JSON.stringify(model.requests[1]?.body)).not.toContain('AAAA');
  expect(JSON.stringify(model.requests[1]?.body)).toContain('BBBB');
});

test('a redirect is not followed: keys do not travel', async () => {
  const { error } = await oneRequest({
    script: [{ status: 307, headers: { location: 'https://elsewhere.example/v1' } }],
  });
  expect(error?.code).toBe('provider_protocol');
});

test('from the end marker to the reply it takes next to no time, even if the server keeps the connection open', async () => {
  const { reply } = await oneRequest({ script: [{ text: 'ok', keepOpen: true }] });
  expect(reply?.text).toBe('ok');
});

test('fault-F12: an empty reply to a nearly full prompt is an overflow, to a short one an empty reply', async () => {
  const script = [{ finish: null, usage: null }];
  const windowOf = (): number => 10;
  expect((await oneRequest({ script }, { windowOf })).error).toMatchObject({
    code: 'provider_context',
    retry: null,
  });
  expect((await oneRequest({ script }, { windowOf: () => 100_000 })).error?.code).toBe('provider_empty');
});

test('sec-A04: no address, key or header comes from the environment', async () => {
  vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:9/v1');
  vi.stubEnv('OPENAI_API_KEY', 'sk-from-the-environment');
  vi.stubEnv('OPENAI_ORG_ID', 'org-x');
  vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'Authorization: Bearer other\nX-Spy: yes');
  await using model = await startScriptedModel({ script: ['ok', 'ok'] });
  await run(provider(model.url).stream(ask(), { signal: never() }));
  await run(provider(model.url, { apiKey: null }).stream(ask(), { signal: never() }));
  const [withKey, withoutKey] = model.requests.map(({ headers }) => headers);
  expect(withKey?.authorization).toBe('Bearer sk-test-key');
  expect(withoutKey).not.toHaveProperty('authorization');
  for (const headers of [withKey, withoutKey]) {
    expect(Object.keys(headers ?? {}).filter((name) => /^x-|^openai-/.test(name))).toEqual([]);
  }
});

const withSchema = (name: string, parameters: Record<string, unknown>): ModelRequest['tools'][number] => ({
  name,
  description: 'Does.',
  parameters,
});

test('fault-F109: a tool that is refused even in its plainest form is left out, said once, and stays out', async () => {
  const refusal = (at: number) => ({
    status: 400,
    body: { error: { message: 'Invalid schema', param: `tools[${at}].function.parameters` } },
  });
  await using model = await startScriptedModel({ script: [refusal(1), refusal(1), 'ok', 'again', 'other'] });
  const odd = withSchema('odd', { type: 'object', properties: { a: { type: 'string', format: 'uri' } } });
  const request = ask({
    tools: [tool, odd, withSchema('last', { type: 'object', properties: {} })],
    toolChoice: { name: 'odd' },
  });
  const adapter = provider(model.url);
  const first = await run(adapter.stream(request, { signal: never() }));
  expect(first.reply?.text).toBe('ok');
  expect(first.events).toEqual([
    {
      type: 'notice',
      kind: 'tool_left_out',
      text: 'Example does not take the tool odd for m-1, so it is left out. All others work. It said: Invalid schema',
    },
    { type: 'text', text: 'ok' },
  ]);
  const messages = [...request.messages, { role: 'assistant' as const, content: 'ok' }];
  const second = await run(adapter.stream({ ...request, messages }, { signal: never() }));
  expect(second.events).toEqual([{ type: 'text', text: 'again' }]);
  // Another session that begins is told as well.
  const other = await run(adapter.stream(request, { signal: never() }));
  expect(other.events.map(({ type }) => type)).toEqual(['notice', 'text']);
  const sent = model.requests.map(({ body }) => (body.tools ?? []).map((each) => each.function));
  expect(sent.map((list) => list.map(({ name }) => name))).toEqual([
    ['read_file', 'odd', 'last'],
    ['read_file', 'odd', 'last'],
    ['read_file', 'last'],
    ['read_file', 'last'],
    ['read_file', 'last'],
  ]);
  expect(sent[1]?.[1]?.parameters).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
  expect(model.requests[2]?.body.tool_choice).toBe('auto');
});

test('fault-F109: a refusal inside the stream counts as well; one that names no tool does not', async () => {
  await using model = await startScriptedModel({
    script: [
      { streamError: { code: 400, message: "Invalid schema for function 'odd': no properties" } },
      'ok',
      { status: 400, body: { error: { message: 'Invalid schema somewhere' } } },
    ],
  });
  const request = ask({ tools: [tool, withSchema('odd', { type: 'object', properties: {} })] });
  const first = await run(provider(model.url).stream(request, { signal: never() }));
  expect(first.reply?.text).toBe('ok');
  const second = await run(provider(model.url).stream(request, { signal: never() }));
  expect(second.error).toMatchObject({ code: 'provider_invalid_request' });
  expect(model.requests).toHaveLength(3);
  expect(JSON.stringify(second.error?.toShape())).not.toContain('refusalBody');
});

test('fault-F109: schemas from elsewhere are made fit before they are sent', async () => {
  await using model = await startScriptedModel({ script: ['ok'] });
  const request = ask({
    tools: [tool, withSchema('mcp.odd', { $schema: 'x', anyOf: [{ required: ['a'] }] })],
  });
  await run(provider(model.url).stream(request, { signal: never() }));
  expect(model.requests[0]?.body.tools?.[1]?.function).toEqual({
    name: expect.stringMatching(/^mcp_odd_[0-9a-f]{8}$/) as string,
    description: 'Does.',
    parameters: { type: 'object', properties: {} },
  });
});
