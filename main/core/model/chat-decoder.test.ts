import { expect, test, vi } from 'vitest';
import { call, callDelta, decode, delta, end, inPieces, splitAt, sse, sseOpen } from './testing/decode';

const hello = sse(delta({ role: 'assistant', content: 'Hello' }), delta({ content: ' world' }), end('stop'));

async function textOf(body: string | Uint8Array | readonly Uint8Array[]): Promise<string> {
  const { reply, error } = await decode(body);
  if (error !== null) throw error;
  return reply?.text ?? '';
}

test('fault-F01: CRLF line ends give the same text, piece by piece', async () => {
  const { reply, events } = await decode(hello.replaceAll('\n', '\r\n'));
  expect(reply?.text).toBe('Hello world');
  expect(events).toEqual([
    { type: 'text', text: 'Hello' },
    { type: 'text', text: ' world' },
  ]);
});

test('fault-F02: lone CR line ends, and CRLF cut between chunks, end one line each', async () => {
  expect(await textOf(hello.replaceAll('\n', '\r'))).toBe('Hello world');
  const crlf = hello.replaceAll('\n', '\r\n');
  for (let at = 0; at <= crlf.length; at += 1) expect(await textOf(splitAt(crlf, at))).toBe('Hello world');
});

test('fault-F03: comments are skipped, also beside data in one chunk', async () => {
  expect(await textOf(`: ping\n\n:\n\n${hello.replace('data: [DONE]', ': ping\n\ndata: [DONE]')}`)).toBe(
    'Hello world',
  );
});

test('fault-F04: data that begins with a colon is skipped', async () => {
  expect(await textOf(`data: : OPENROUTER PROCESSING\n\n${hello}`)).toBe('Hello world');
});

test('fault-F05: data fields without a space are read', async () => {
  expect(await textOf(hello.replaceAll('data: ', 'data:'))).toBe('Hello world');
});

test('fault-F06: an event over several data lines is one JSON text', async () => {
  const lines = JSON.stringify(delta({ content: 'Hello' }, 'stop'), null, 2).split('\n');
  expect(await textOf(`${lines.map((line) => `data: ${line}`).join('\n')}\n\ndata: [DONE]\n\n`)).toBe(
    'Hello',
  );
});

test('fault-F07: characters cut at every byte position arrive whole', async () => {
  const text = 'é 漢 👩‍💻';
  const body = sse(delta({ content: text }), end('stop'));
  for (let at = 0; at <= Buffer.byteLength(body); at += 1) expect(await textOf(splitAt(body, at))).toBe(text);
});

test('fault-F08: every chunking of a body with calls gives the same reply', async () => {
  const body = sse(
    delta({ content: 'Let me look.' }),
    callDelta({ index: 0, id: 'a', name: 'read_file', args: '{"pa' }),
    callDelta({ index: 0, args: 'th":"é.ts"}' }),
    ...Array.from({ length: 50 }, () => delta({ content: '.' })),
    end('tool_calls'),
  );
  const { reply: whole } = await decode(body);
  expect(whole?.calls).toEqual([
    { id: 'a', name: 'read_file', args: { ok: true, value: { path: 'é.ts' } }, raw: '{"path":"é.ts"}' },
  ]);
  for (const size of [1, 2, 3, 7, 64, 1000])
    expect((await decode(inPieces(body, size))).reply).toEqual(whole);
});

test('fault-F09: Unicode line separators inside data are text', async () => {
  const text = 'a\u2028b\u2029c\u0085d';
  const raw = JSON.stringify(delta({ content: text }, 'stop'));
  expect(await textOf(`data: ${raw}\n\ndata: [DONE]\n\n`)).toBe(text);
});

test('fault-F10: BOM and other fields are skipped; a valid unterminated last event counts, a broken one does not', async () => {
  const fields = 'event: message\nid: 7\nretry: 10\n';
  expect(await textOf(`\uFEFF${fields}${hello}`)).toBe('Hello world');
  const last = JSON.stringify(delta({ content: '!' }, 'stop'));
  expect(await textOf(`${sseOpen(delta({ content: 'Hi' }))}data: ${last}`)).toBe('Hi!');
  const { error } = await decode(`${sseOpen(delta({ content: 'Hi' }))}data: ${last.slice(0, -4)}`);
  expect(error).toMatchObject({ code: 'provider_unreachable', partial: { text: 'Hi' } });
});

test('fault-F11: a finish reason without an end marker completes the reply', async () => {
  expect(await textOf(sseOpen(delta({ content: 'Hi' }), end('stop')))).toBe('Hi');
});

test('fault-F12: an end marker alone is an empty reply, to be tried twice more', async () => {
  const { error } = await decode('data: [DONE]\n\n');
  expect(error).toMatchObject({ code: 'provider_empty', retry: { limit: 2 } });
});

test('fault-F13: a call that the end of the stream cut off never becomes a call', async () => {
  const { error } = await decode(
    sseOpen(callDelta({ index: 0, id: 'a', name: 'write_file', args: '{"path":"a' })),
  );
  expect(error).toMatchObject({ code: 'provider_unreachable', insideCall: true, retry: { limit: 5 } });
});

test('fault-F14: unfinished arguments with finish reason tool_calls are marked as cut off', async () => {
  const { reply } = await decode(
    sse(callDelta({ index: 0, id: 'a', name: 'w', args: '{"content":"par' }), end('tool_calls')),
  );
  expect(reply?.calls[0]?.args).toMatchObject({ ok: false, reason: 'truncated' });
});

test('fault-F15: the output limit spoils the open call only; its complete sibling stays', async () => {
  const { reply } = await decode(
    sse(
      callDelta({ index: 0, id: 'a', name: 'read_file', args: '{"path":"a"}' }),
      callDelta({ index: 1, id: 'b', name: 'write_file', args: '{"content":"x' }),
      end('length'),
    ),
  );
  expect(reply?.finish).toBe('length');
  expect(reply?.calls.map(({ args }) => (args.ok ? 'ok' : args.reason))).toEqual(['ok', 'output_limit']);
});

test('fault-F17: text before a broken connection is kept as partial', async () => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from(sseOpen(delta({ content: 'x'.repeat(200) }))));
    },
    pull(controller) {
      controller.error(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
    },
  });
  const { decodeChatReply } = await import('./chat-decoder');
  const { testEndpoint } = await import('./testing/decode');
  const stream = decodeChatReply(body, { endpoint: testEndpoint, providerId: 'example' });
  const drain = async (): Promise<void> => {
    while ((await stream.next()).done !== true);
  };
  await expect(drain()).rejects.toMatchObject({
    code: 'provider_unreachable',
    partial: { text: 'x'.repeat(200), reasoning: '' },
  });
});

test('fault-F18: a JSON document in place of a stream is read as one completion', async () => {
  const message = {
    role: 'assistant',
    content: 'Hi',
    tool_calls: [call({ id: 'a', name: 'glob', args: '{"pattern":"*"}' })],
  };
  const body = JSON.stringify({
    choices: [{ message, finish_reason: 'tool_calls' }],
    usage: { prompt_tokens: 5, completion_tokens: 2 },
  });
  for (const size of [1, 9, 10_000]) {
    const { reply, events } = await decode(inPieces(`\n ${body}`, size));
    expect(reply).toMatchObject({ text: 'Hi', finish: 'calls', usage: { inputTokens: 5, outputTokens: 2 } });
    expect(reply?.calls[0]?.args).toEqual({ ok: true, value: { pattern: '*' } });
    expect(events).toEqual([{ type: 'text', text: 'Hi' }]);
  }
});

test('fault-F18: a document that holds an error is that error', async () => {
  const { error } = await decode(JSON.stringify([{ error: { code: 429, message: 'slow down' } }]));
  expect(error).toMatchObject({ code: 'provider_rate_limit', retry: { limit: 5 } });
});

test('fault-F19: a web page in place of a stream is named, not shown', async () => {
  const { error } = await decode('<!doctype html><html><body>Sign in to the network</body></html>');
  expect(error?.code).toBe('provider_protocol');
  expect(JSON.stringify(error?.toShape())).not.toMatch(/html|Sign in/);
});

test('fault-F21: a quota error inside a 200 stream fails with its words and is not retried', async () => {
  const { error } = await decode(sse({ error: { message: 'quota exceeded' } }));
  expect(error).toMatchObject({ code: 'provider_quota', retry: null });
  expect(error?.message).toContain('quota exceeded');
});

test('fault-F22: an overload event says whether it may be tried again and what had arrived', async () => {
  const overloaded =
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n';
  expect((await decode(overloaded)).error).toMatchObject({
    code: 'provider_overloaded',
    partial: null,
    retry: { limit: 5 },
  });
  expect((await decode(sseOpen(delta({ content: 'Hi' })) + overloaded)).error).toMatchObject({
    partial: { text: 'Hi' },
    insideCall: false,
  });
  const inCall = sseOpen(callDelta({ index: 0, id: 'a', name: 'x', args: '{' })) + overloaded;
  expect((await decode(inCall)).error).toMatchObject({ insideCall: true, retry: { limit: 5 } });
});

test('fault-F23: response.failed inside a 200 stream is a failure, not an answer', async () => {
  const failed = {
    type: 'response.failed',
    response: { error: { code: 'server_is_overloaded', message: 'busy' } },
  };
  const { error, events } = await decode(sse(failed));
  expect(error?.code).toBe('provider_overloaded');
  expect(events).toEqual([]);
});

test('fault-F24: error_message with a status is an invalid request', async () => {
  const { error } = await decode(sse({ choices: null, error_message: '400 Bad tool schema' }));
  expect(error).toMatchObject({ code: 'provider_invalid_request', retry: null });
});

test('fault-F25: an invalid request inside the stream is not retried', async () => {
  const { error } = await decode(
    sse({ error: { type: 'invalid_request_error', message: 'bad role order' } }),
  );
  expect(error).toMatchObject({ code: 'provider_invalid_request', retry: null });
});

test('fault-F41: chunks without choices are skipped', async () => {
  const filter = { choices: [], prompt_filter_results: [{ prompt_index: 0 }] };
  expect(await textOf(sse(filter, delta({ content: 'Hi' }), end('stop')))).toBe('Hi');
});

test('fault-F42, F45: usage comes from chunks with empty or null choices; the last one counts', async () => {
  const usage = (tokens: number): Record<string, number> => ({ prompt_tokens: tokens, completion_tokens: 1 });
  const { reply } = await decode(
    sse(delta({ content: 'Hi' }), { choices: null, usage: usage(5) }, end('stop'), {
      choices: [],
      usage: usage(9),
    }),
  );
  expect(reply?.usage).toEqual({ inputTokens: 9, outputTokens: 1 });
});

test('fault-F43: a choice without delta changes nothing, also after the finish reason', async () => {
  const { reply } = await decode(
    sse({ choices: [{ index: 0 }] }, delta({ content: 'Hi' }, 'stop'), {
      choices: [{ index: 0, finish_reason: null }],
    }),
  );
  expect(reply).toMatchObject({ text: 'Hi', finish: 'stop' });
});

test('fault-F44: usage beside the last content counts once, and so does the content', async () => {
  const last = {
    ...(delta({ content: 'Hi' }, 'stop') as object),
    usage: { prompt_tokens: 3, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 2 } },
  };
  const { reply } = await decode(sse(last));
  expect(reply).toMatchObject({ text: 'Hi', usage: { inputTokens: 3, outputTokens: 1, cachedTokens: 2 } });
});

test('fault-F46: a reply without usage says so', async () => {
  expect((await decode(hello)).reply?.usage).toBeNull();
});

test('fault-F47: final frames sent twice and messages repeated after their deltas count once', async () => {
  const last = delta({ content: ' world, this is the end' }, 'stop');
  expect(await textOf(sse(delta({ content: 'Hello' }), last, last))).toBe('Hello world, this is the end');
  const text = 'A whole answer, in full';
  expect(await textOf(sse(delta({ content: text }), delta({ content: text }, 'stop')))).toBe(text);
  expect(
    await textOf(
      sse(delta({ content: text }), { choices: [{ message: { content: text }, finish_reason: 'stop' }] }),
    ),
  ).toBe(text);
  const whole = { index: 0, id: 'a', name: 'glob', args: '{"pattern":"*"}' };
  const { reply } = await decode(sse(callDelta(whole), callDelta(whole), end('tool_calls')));
  expect(reply?.calls).toHaveLength(1);
  expect(reply?.calls[0]?.raw).toBe('{"pattern":"*"}');
});

test('fault-F48: a filtered reply fails as filtered and is not retried', async () => {
  expect((await decode(sse(end('content_filter')))).error).toMatchObject({
    code: 'provider_filtered',
    retry: null,
  });
});

test('fault-F51: an answer of nothing may be tried once more', async () => {
  expect((await decode(sse(delta({ content: '' }), end('stop')))).error).toMatchObject({
    code: 'provider_empty',
    retry: { limit: 1 },
  });
});

test('fault-F50: a filter that says nothing and leaves nothing is an empty answer, tried once more', async () => {
  const filtered = { choices: [{ delta: {}, content_filter_results: { hate: { filtered: true } } }] };
  expect((await decode(sse(filtered, end('stop')))).error).toMatchObject({
    code: 'provider_empty',
    retry: { limit: 1 },
  });
});

test('fault-F57: text that comes after a call is kept, and the call as well', async () => {
  const call = { index: 0, id: 'c1', function: { name: 'read_file', arguments: '{"path":"a"}' } };
  const { reply } = await decode(
    sse(delta({ tool_calls: [call] }), delta({ content: 'I read it.' }), end('tool_calls')),
  );
  expect(reply).toMatchObject({ text: 'I read it.', calls: [{ id: 'c1', name: 'read_file' }] });
});

test('fault-F52, F55: odd reasoning fields are read or skipped, never fatal', async () => {
  const { reply } = await decode(
    sse(
      delta({ reasoning_content: 'one ' }),
      delta({ reasoning: ['two ', { text: 'three ' }] }),
      delta({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'four' }] }),
      delta({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: '!', signature: 'sig' }] }),
      delta({ content: [{ type: 'thinking' }, { type: 'text' }, { type: 'text', text: 'Hi' }] }),
      { choices: [{ delta: { reasoning: null } }], usage: { prompt_tokens: 1, completion_tokens: 1 } },
      end('stop'),
    ),
  );
  expect(reply).toMatchObject({ text: 'Hi', reasoning: 'one two three four!' });
  expect(reply?.opaque).toEqual({
    provider: 'example',
    data: { reasoningDetails: [{ type: 'reasoning.text', index: 0, text: 'four!', signature: 'sig' }] },
  });
});

test('fault-F54: thought signatures of calls are kept under the id of their call', async () => {
  const entry = {
    ...call({ index: 0, id: '', name: 'glob', args: '{}' }),
    extra_content: { google: { thought_signature: 's' } },
  };
  const { reply } = await decode(sse(delta({ tool_calls: [entry] }), end('stop')));
  const id = reply?.calls[0]?.id ?? '';
  expect(reply?.opaque?.data).toEqual({ calls: { [id]: { google: { thought_signature: 's' } } } });
});

test('fault-F58: think tags are folded into reasoning however they are cut', async () => {
  const body = sse(delta({ content: '<think>Let me see: a < b.</think>\n\nIt is <think> b.' }), end('stop'));
  for (const size of [1, 5, 4000]) {
    const { reply } = await decode(inPieces(body, size));
    expect(reply).toMatchObject({ reasoning: 'Let me see: a < b.', text: 'It is <think> b.' });
  }
  const letters = [...'<thinking>hm</thinking>Yes'].map((char) => delta({ content: char }));
  expect((await decode(sse(...letters, end('stop')))).reply).toMatchObject({ reasoning: 'hm', text: 'Yes' });
  const unclosed = await decode(sse(delta({ content: '<think>on and on' }), end('stop')));
  expect(unclosed.error).toMatchObject({
    code: 'provider_empty',
    partial: { text: '', reasoning: 'on and on' },
  });
});

test('a malformed chunk is a protocol failure that may be tried again', async () => {
  const { error } = await decode(
    `${sseOpen(delta({ content: 'Hi' }))}data: {"choices":[\n\ndata: [DONE]\n\n`,
  );
  expect(error).toMatchObject({ code: 'provider_protocol', partial: { text: 'Hi' }, retry: { limit: 2 } });
});

test('keys in a provider message are blotted out', async () => {
  const { error } = await decode(
    sse({ error: { type: 'authentication_error', message: 'bad key sk-very-secret' } }),
  );
  expect(error?.code).toBe('provider_auth');
  expect(JSON.stringify(error?.toShape())).not.toContain('sk-very-secret');
});

test('of a stream in small pieces each event is parsed once, and nothing else is', async () => {
  const words = Array.from({ length: 500 }, (_, at) => `word${at} `);
  const body = sse(...words.map((content) => delta({ content })), end('stop'));
  const parse = vi.spyOn(JSON, 'parse');
  const { reply } = await decode(inPieces(body, 120));
  expect(reply?.text).toBe(words.join(''));
  expect(parse).toHaveBeenCalledTimes(words.length + 1);
});
