import { expect, test } from 'vitest';
import type { ReplyCall } from './port';
import { call, callDelta, decode, delta, end, sse } from './testing/decode';

async function callsOf(...chunks: unknown[]): Promise<ReplyCall[]> {
  const { reply, error } = await decode(sse(...chunks, end('tool_calls')));
  if (error !== null) throw error;
  return reply?.calls ?? [];
}

const brief = (calls: readonly ReplyCall[]): [string, unknown][] =>
  calls.map(({ name, args }) => [name, args.ok ? args.value : args.reason]);

const ids = (calls: readonly ReplyCall[]): string[] => calls.map(({ id }) => id);

test('fault-F59: without an index an id opens a call and pieces without one go on with the last', async () => {
  const calls = await callsOf(
    callDelta({ id: 'a', name: 'read_file', args: '' }),
    callDelta({ args: '{"path":' }),
    callDelta({ args: '"a"}' }),
    callDelta({ id: 'b', name: 'read_file', args: '' }),
    callDelta({ args: '{"path":"b"}' }),
  );
  expect(brief(calls)).toEqual([
    ['read_file', { path: 'a' }],
    ['read_file', { path: 'b' }],
  ]);
  const repeated = await callsOf(
    callDelta({ id: 'a', name: 'glob', args: '{"pattern"' }),
    callDelta({ id: 'a', name: 'glob', args: ':"*"}' }),
  );
  expect(brief(repeated)).toEqual([['glob', { pattern: '*' }]]);
});

test('fault-F60: two calls under one index stay two', async () => {
  const calls = await callsOf(
    callDelta({ index: 0, id: 'a', name: 'glob', args: '{"pattern":"a"}' }),
    callDelta({ index: 0, id: 'b', name: 'glob', args: '{"pattern":' }),
    callDelta({ index: 0, args: '"b"}' }),
  );
  expect(brief(calls)).toEqual([
    ['glob', { pattern: 'a' }],
    ['glob', { pattern: 'b' }],
  ]);
});

test('fault-F60: two whole calls without ids under one index stay two', async () => {
  const calls = await callsOf(
    callDelta({ index: 0, name: 'glob', args: '{"pattern":"a"}' }),
    callDelta({ index: 0, name: 'glob', args: '{"pattern":"b"}' }),
  );
  expect(brief(calls)).toEqual([
    ['glob', { pattern: 'a' }],
    ['glob', { pattern: 'b' }],
  ]);
});

test('fault-F61: pieces with a strange index but no id or name go on with the last call', async () => {
  const calls = await callsOf(
    callDelta({ index: 0, id: 'a', name: 'glob', args: '{"pattern"' }),
    callDelta({ index: 1, args: ':"*"}' }),
  );
  expect(brief(calls)).toEqual([['glob', { pattern: '*' }]]);
});

test('fault-F62: indexes from 1 or with holes give calls in order', async () => {
  const calls = await callsOf(
    callDelta({ index: 5, id: 'c', name: 'c', args: '{}' }),
    callDelta({ index: 0, id: 'a', name: 'a', args: '{}' }),
    callDelta({ index: 2, id: 'b', name: 'b', args: '{}' }),
  );
  expect(calls.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  const fromOne = await callsOf(
    callDelta({ index: 1, id: 'a', name: 'a', args: '{"x"' }),
    callDelta({ index: 1, args: ':1}' }),
  );
  expect(brief(fromOne)).toEqual([['a', { x: 1 }]]);
});

test('fault-F63: one chunk with several calls, same index or out of order, gives them all', async () => {
  const same = await callsOf(
    callDelta({ index: 0, id: 'a', name: 'a', args: '{}' }, { index: 0, id: 'b', name: 'b', args: '{}' }),
  );
  expect(same.map(({ name }) => name)).toEqual(['a', 'b']);
  const noIds = await callsOf(
    callDelta({ index: 0, name: 'a', args: '' }, { index: 0, name: 'b', args: '' }),
  );
  expect(noIds.map(({ name }) => name)).toEqual(['a', 'b']);
  const swapped = await callsOf(
    callDelta({ index: 1, id: 'b', name: 'b', args: '{}' }, { index: 0, id: 'a', name: 'a', args: '{}' }),
  );
  expect(swapped.map(({ name }) => name)).toEqual(['a', 'b']);
});

test('fault-F64: calls without an id get one', async () => {
  const calls = await callsOf(
    callDelta({ index: 0, name: 'a', args: '{}' }),
    callDelta({ index: 1, id: '', name: 'b', args: '{}' }),
    callDelta({ index: 2, id: null, name: 'c', args: '{}' }),
  );
  for (const id of ids(calls)) expect(id).toMatch(/^call_[0-9a-f]{32}$/);
  expect(new Set(ids(calls)).size).toBe(3);
});

test('fault-F65: ids are made legal, at most 64 characters', async () => {
  const calls = await callsOf(
    callDelta({ index: 0, id: 'functions.read:0', name: 'a', args: '{}' }),
    callDelta({ index: 1, id: 'x'.repeat(80), name: 'b', args: '{}' }),
  );
  expect(ids(calls)).toEqual(['functions_read_0', 'x'.repeat(64)]);
});

test('fault-F66: an id used twice, or in an earlier turn, is replaced', async () => {
  const twice = await callsOf(
    callDelta({ index: 0, id: 'a', name: 'a', args: '{"x":1}' }),
    callDelta({ index: 1, id: 'a', name: 'b', args: '{"x":2}' }),
  );
  expect(twice[0]?.id).toBe('a');
  expect(twice[1]?.id).toMatch(/^call_/);
  const body = sse(callDelta({ index: 0, id: 'old', name: 'a', args: '{}' }), end('tool_calls'));
  const { reply } = await decode(body, ['old']);
  expect(reply?.calls[0]?.id).toMatch(/^call_/);
});

test('fault-F67: names that come split or again and again are joined rightly', async () => {
  const split = await callsOf(
    callDelta({ index: 0, id: 'a', name: 'read_', args: '' }),
    callDelta({ index: 0, name: 'file', args: '{"path":"a"}' }),
  );
  expect(brief(split)).toEqual([['read_file', { path: 'a' }]]);
  const again = await callsOf(
    callDelta({ index: 0, id: 'a', name: 'read_file', args: '{"path"' }),
    callDelta({ index: 0, id: 'a', name: 'read_file', args: ':"a"' }),
    callDelta({ index: 0, id: 'a', name: 'read_file', args: '}' }),
    callDelta({ index: 0, id: 'a', name: 'read_file', args: '' }),
  );
  expect(brief(again)).toEqual([['read_file', { path: 'a' }]]);
});

test('fault-F68: arguments that are an object are taken', async () => {
  const calls = await callsOf(callDelta({ index: 0, id: 'a', name: 'glob', args: { pattern: '*' } }));
  expect(calls[0]).toMatchObject({ raw: '{"pattern":"*"}', args: { ok: true, value: { pattern: '*' } } });
});

test('fault-F69, F70: empty, null and absent arguments read as an empty object', async () => {
  const calls = await callsOf(
    callDelta({ index: 0, id: 'a', name: 'a', args: '' }),
    callDelta({ index: 1, id: 'b', name: 'b', args: null }),
    callDelta({ index: 2, id: 'c', name: 'c', args: 'null' }),
    callDelta({ index: 3, id: 'd', name: 'd' }),
  );
  expect(calls.map(({ args }) => args)).toEqual(Array(4).fill({ ok: true, value: {} }));
});

test('fault-F71: invalid JSON is refused with the place where it breaks', async () => {
  const [first] = await callsOf(callDelta({ index: 0, id: 'a', name: 'a', args: '{"path": a.ts}' }));
  expect(first?.args).toMatchObject({ ok: false, reason: 'invalid_json' });
  expect(first?.args.ok === false ? first.args.message : '').toContain('position 9');
  const [glued] = await callsOf(callDelta({ index: 0, id: 'a', name: 'a', args: '{"a":1}{"b":2}' }));
  expect(glued?.args).toMatchObject({ ok: false, reason: 'invalid_json' });
});

test('fault-F72: arguments encoded twice are decoded once more', async () => {
  const calls = await callsOf(callDelta({ index: 0, id: 'a', name: 'a', args: JSON.stringify('{"a":1}') }));
  expect(calls[0]?.args).toEqual({ ok: true, value: { a: 1 } });
});

test('fault-F73: a call without a name is handed on for the tool runner to refuse', async () => {
  expect(brief(await callsOf(callDelta({ index: 0, id: 'a', name: '', args: '{"x":1}' })))).toEqual([
    ['', { x: 1 }],
  ]);
});

test('fault-F74, F75: values are handed on as they came', async () => {
  const args = String.raw`{"path":"C:\\Users\\unicorn","flag":"true","n":"5","none":null}`;
  const [first] = await callsOf(callDelta({ index: 0, id: 'a', name: 'a', args }));
  expect(first?.args).toEqual({
    ok: true,
    value: { path: String.raw`C:\Users\unicorn`, flag: 'true', n: '5', none: null },
  });
  const [bad] = await callsOf(
    callDelta({ index: 0, id: 'a', name: 'a', args: String.raw`{"path":"C:\Users\unicorn"}` }),
  );
  expect(bad?.args).toMatchObject({ ok: false, reason: 'invalid_json' });
});

test('fault-F76: calls count whatever the finish reason is', async () => {
  const piece = callDelta({ index: 0, id: 'a', name: 'glob', args: '{"pattern":"*"}' });
  for (const body of [sse(piece, end('stop')), sse(piece)]) {
    expect((await decode(body)).reply).toMatchObject({
      finish: 'calls',
      calls: [{ name: 'glob', args: { ok: true } }],
    });
  }
});

test('a call in the old function_call form is taken', async () => {
  const calls = await callsOf(
    delta({ function_call: { name: 'glob', arguments: '{"pattern"' } }),
    delta({ function_call: { arguments: ':"*"}' } }),
  );
  expect(brief(calls)).toEqual([['glob', { pattern: '*' }]]);
});

test('a call list with odd entries is read past them', async () => {
  const calls = await callsOf(
    delta({ tool_calls: [null, 'x', 7, call({ index: 0, id: 'a', name: 'a', args: '{}' })] }),
  );
  expect(calls).toHaveLength(1);
});
