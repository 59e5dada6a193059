import { expect, test } from 'vitest';
import { faultError, type Endpoint } from './errors';
import type { ModelError } from './model-error';
import { readFaultBody } from './provider-fault';
import { durationMs, serverWaitMs } from './retry-after';
import { testEndpoint } from './testing/decode';

function fail(
  status: number,
  body: unknown,
  waitMs: number | null = null,
  endpoint: Endpoint = testEndpoint,
): ModelError {
  return faultError(
    readFaultBody(status, typeof body === 'string' ? body : JSON.stringify(body)),
    endpoint,
    waitMs,
  );
}

const said = (message: string): unknown => ({ error: { message } });

test('fault-F19: web pages give status and host, never markup', () => {
  const page =
    '<!DOCTYPE html>\n<html><head><title>502</title></head><body><h1>Bad Gateway</h1></body></html>';
  for (const [status, code] of [
    [401, 'provider_auth'],
    [403, 'provider_auth'],
    [502, 'provider_overloaded'],
  ] as const) {
    const error = fail(status, page);
    expect(error.code).toBe(code);
    expect(error.message).toContain(String(status));
    expect(error.message).toContain('api.example.com');
    expect(JSON.stringify(error.toShape())).not.toMatch(/<|Bad Gateway/);
  }
});

test('fault-F26: a spent quota is told from a rate limit and never retried', () => {
  for (const code of ['insufficient_quota', 'billing_hard_limit_reached']) {
    expect(fail(429, { error: { message: 'No.', code } })).toMatchObject({
      code: 'provider_quota',
      retry: null,
    });
  }
  expect(fail(402, said('Insufficient Balance'))).toMatchObject({ code: 'provider_quota' });
  expect(fail(400, said('Your credit balance is too low to access the API.'))).toMatchObject({
    code: 'provider_quota',
  });
  expect(fail(429, said('Rate limit reached for gpt-4o in organization on requests per min'))).toMatchObject({
    code: 'provider_rate_limit',
    retry: { limit: 5 },
  });
});

test('a rate limit that only says when to come back in its body waits that long', () => {
  const error = fail(429, {
    error: {
      code: 429,
      status: 'RESOURCE_EXHAUSTED',
      message: 'You exceeded your current quota.',
      details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '17s' }],
    },
  });
  expect(error).toMatchObject({ code: 'provider_rate_limit', retry: { waitMs: 17_000 } });
});

test('fault-F27: Retry-After is read in all its forms', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const wait = (headers: Record<string, string>): number | null =>
    serverWaitMs((name) => headers[name], 429, now);
  expect(wait({ 'retry-after': '7' })).toBe(7000);
  expect(wait({ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' })).toBe(30_000);
  expect(wait({ 'retry-after-ms': '250' })).toBe(250);
  expect(wait({ 'x-ratelimit-reset-requests': '1m2s' })).toBe(62_000);
  expect(wait({ 'retry-after': '-3' })).toBeNull();
  expect(wait({ 'retry-after': 'soon, I hope' })).toBeNull();
  expect(wait({})).toBeNull();
  expect(durationMs('1h2m3.5s')).toBe(3_723_500);
});

test('fault-F27: a wait of more than five minutes is told, not waited out', () => {
  const error = fail(429, said('slow down'), 99_999_000);
  expect(error).toMatchObject({ code: 'provider_rate_limit', retry: null });
  expect(error.message).toContain('asks to wait 28 hours');
});

test('fault-F29: faults that pass are retried, 501 is not', () => {
  for (const status of [408, 409, 425, 500, 502, 503, 504, 520, 524, 529])
    expect(fail(status, '').retry).not.toBeNull();
  expect(fail(501, said('Not implemented'))).toMatchObject({ code: 'provider_protocol', retry: null });
});

test('fault-F30: an unknown model may be tried once more', () => {
  const error = fail(404, { error: { message: 'The model `m-1` does not exist', code: 'model_not_found' } });
  expect(error).toMatchObject({ code: 'provider_model', retry: { limit: 1 } });
});

test('fault-F31: a refused key says where to look', () => {
  const error = fail(401, { error: { message: 'Incorrect API key provided: sk-very-secret.' } });
  expect(error).toMatchObject({ code: 'provider_auth', retry: null });
  expect(error.hint).toMatch(/settings/);
  expect(JSON.stringify(error.toShape())).not.toContain('sk-very-secret');
  expect(fail(401, '', null, { ...testEndpoint, secrets: [] }).message).toContain('wants a key');
});

test('fault-F32: a request of too many bytes is no context overflow', () => {
  expect(
    fail(413, { error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } }),
  ).toMatchObject({
    code: 'provider_too_large',
  });
});

test('fault-F37: the exact words of the provider are kept, cut at 2 kB and without control characters', () => {
  const error = fail(400, said(`tools[3].function.parameters: "type" is missing\u0007 ${'x'.repeat(3000)}`));
  expect(error.code).toBe('provider_invalid_request');
  expect(error.message).toContain('tools[3].function.parameters: "type" is missing');
  expect(error.message).not.toContain('\u0007');
  expect(error.message.length).toBeLessThan(2200);
});

test('fault-F49: a filtered prompt fails as filtered', () => {
  expect(fail(400, { error: { code: 'content_filter', message: 'The prompt was filtered' } })).toMatchObject({
    code: 'provider_filtered',
    retry: null,
  });
});

test('a model without tools is named with a hint', () => {
  for (const words of [
    'registry.ollama.ai/library/gemma:2b does not support tools',
    'No endpoints found that support tool use.',
    'This model does not support function calling',
  ]) {
    const error = fail(400, said(words));
    expect(error.code).toBe('provider_no_tools');
    expect(error.hint).toContain('supports tool calling');
  }
});

test('an upstream error that an aggregator wraps is shown with its own words', () => {
  const error = fail(400, {
    error: {
      message: 'Provider returned error',
      code: 400,
      metadata: { raw: '{"error":{"message":"tool_use ids must be unique"}}' },
    },
  });
  expect(error.message).toContain('tool_use ids must be unique');
});

test('error bodies without an error field are read', () => {
  expect(fail(422, { detail: [{ msg: 'field required' }] }).message).toContain('field required');
  expect(fail(400, { message: 'nope' }).message).toContain('nope');
  expect(fail(400, 'plain words').message).toContain('plain words');
});

const OVERFLOWS: [string, number, unknown, number | null][] = [
  ['Anthropic', 400, said('prompt is too long: 213462 tokens > 200000 maximum'), 200_000],
  [
    'Anthropic with max_tokens',
    400,
    said('input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input'),
    200_000,
  ],
  ['Bedrock', 400, said('Input is too long for requested model.'), null],
  ['OpenAI code', 400, { error: { message: 'Too big.', code: 'context_length_exceeded' } }, null],
  ['OpenAI wording', 400, said('Your input exceeds the context window of this model.'), null],
  [
    'Gemini',
    400,
    said('The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).'),
    1_048_575,
  ],
  [
    'xAI',
    400,
    said("This model's maximum prompt length is 131072 but the request contains 537812 tokens."),
    131_072,
  ],
  ['Groq', 400, said('Please reduce the length of the messages or completion.'), null],
  [
    'OpenRouter',
    400,
    said("This endpoint's maximum context length is 65536 tokens. However, you requested about 90000"),
    65_536,
  ],
  [
    'vLLM only',
    400,
    said("You passed 9000 input tokens, but the model's context length is only 8192 tokens"),
    8192,
  ],
  ['vLLM input length', 400, said("The input length (9000) exceeds the model's context length (8192)"), 8192],
  ['Copilot', 400, said('prompt token count of 130000 exceeds the limit of 128000'), 128_000],
  [
    'llama.cpp',
    400,
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 9000,
        n_ctx: 4096,
      },
    },
    4096,
  ],
  [
    'LM Studio',
    400,
    { error: 'The number of tokens to keep from the initial prompt is greater than the context length.' },
    null,
  ],
  ['MiniMax', 400, said('invalid params, context window exceeds limit (2013)'), null],
  ['Kimi', 400, said('Invalid request: Your request exceeded model token limit: 262144'), 262_144],
  [
    'Mistral',
    400,
    said(
      'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    ),
    32_768,
  ],
  ['Cerebras 400', 400, '', null],
  ['Cerebras 413', 413, '', null],
  ['anybody', 400, said('too many tokens in the prompt'), null],
];

test.each(OVERFLOWS)('fault-F87–F103: %s says that the context overflowed', (_who, status, body, window) => {
  const error = fail(status, body);
  expect(error).toMatchObject({ code: 'provider_context', retry: null });
  expect(error.learnedContextWindow ?? null).toBe(window);
});

test('fault-F87–F103: a limit of tokens per minute is a rate limit, not an overflow', () => {
  const error = fail(429, said('Rate limit reached on tokens per min (TPM): Limit 30000. Too many tokens'));
  expect(error.code).toBe('provider_rate_limit');
});
