import { expect, test } from 'vitest';
import { calls, type ScriptReply } from './script-reply';
import { startScriptedModel } from './scripted-model';

const body = (changes: Record<string, unknown> = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }], ...changes }),
});

test('replies play in order and may be worked out from the request', async () => {
  await using model = await startScriptedModel({
    script: [
      calls('glob', { pattern: '*' }),
      ({ messages }, number) => `${messages.length} message, request ${number}`,
    ],
  });
  const first = await (await fetch(`${model.url}/chat/completions`, body())).text();
  expect(first).toContain('"finish_reason":"tool_calls"');
  expect(first.endsWith('data: [DONE]\n\n')).toBe(true);
  const second = (await (await fetch(`${model.url}/chat/completions`, body({ stream: false }))).json()) as {
    choices: { message: { content: string } }[];
  };
  expect(second.choices[0]?.message.content).toBe('1 message, request 2');
  expect(model.requests).toHaveLength(2);
  expect((await fetch(`${model.url}/chat/completions`, body())).status).toBe(500);
});

test('a held stream goes on when it is released', async () => {
  const reply: ScriptReply = { text: 'one two', holdAfterChars: 3 };
  await using model = await startScriptedModel({ script: [reply] });
  const response = await fetch(`${model.url}/chat/completions`, body());
  model.release();
  await expect.poll(() => (model.release(), model.requests[0]?.endedAt)).not.toBeNull();
  expect(await response.text()).toContain('"content":" two"');
});

test('waiting for requests that do not come ends with a count', async () => {
  await using model = await startScriptedModel();
  await expect(model.waitForRequests(1, 30)).rejects.toThrow('Only 0 of 1');
});

test('the models list and Ollama routes answer', async () => {
  await using model = await startScriptedModel({ models: [{ id: 'a' }], ollama: { numCtx: 8192 } });
  expect(await (await fetch(`${model.url}/models`)).json()).toEqual({ object: 'list', data: [{ id: 'a' }] });
  expect(await (await fetch(model.url.replace('/v1', '/api/tags'))).json()).toEqual({
    models: [{ name: 'a', model: 'a' }],
  });
});
