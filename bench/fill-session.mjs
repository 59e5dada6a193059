/** Makes a long session the way a person would, only faster: turn by turn over the REST routes of a running host. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILL_MARK } from './model-server.mjs';

export async function call(host, method, path, body) {
  const response = await fetch(`http://127.0.0.1:${host.port}${path}`, {
    method,
    headers: { authorization: `Bearer ${host.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} → ${response.status}: ${text.slice(0, 500)}`);
  return text;
}

export const sessionIn = (stream) =>
  JSON.parse(stream.match(/^event: turn\ndata: (.*)$/m)?.[1] ?? '{}').sessionId;

/** Two messages a turn: the user's and the answer. */
export async function fillSession(host, title, messages) {
  let sessionId;
  for (let turn = 0; turn < messages / 2; turn += 1) {
    const text = `${FILL_MARK} message ${turn} of the ${title} session`;
    const stream = await call(host, 'POST', '/api/turns', {
      text,
      mode: 'ask',
      ...(sessionId ? { sessionId } : {}),
    });
    sessionId ??= sessionIn(stream);
  }
  await call(host, 'PATCH', `/api/sessions/${sessionId}`, { title });
}

/** Calls of one answer in a long session, as a person's real ones have: a question, some reading, an answer. */
const STEPS_PER_TURN = 4;

/** OpenAI messages of a session with so many messages and bytes, most of them in results of tools. */
export function* longHistory(messages, bytes) {
  const perTurn = 2 + 2 * STEPS_PER_TURN;
  const turns = Math.ceil(messages / perTurn);
  const line = 'export const value = await readThing(path, { deep: true }); // a line of some file\n';
  const result = line.repeat(Math.ceil(bytes / (turns * STEPS_PER_TURN) / line.length));
  for (let turn = 0; turn < turns; turn += 1) {
    yield { role: 'user', content: `Question ${turn}: where is thing${turn} used?` };
    for (let step = 0; step < STEPS_PER_TURN; step += 1) {
      const id = `call_${turn}_${step}`;
      const call = {
        id,
        type: 'function',
        function: { name: 'read_file', arguments: `{"path":"src/f${step}.ts"}` },
      };
      yield { role: 'assistant', content: '', tool_calls: [call] };
      yield { role: 'tool', tool_call_id: id, content: result };
    }
    yield {
      role: 'assistant',
      content: `thing${turn} is used in src/f1.ts. ${'It is a sentence of an answer. '.repeat(20)}`,
    };
  }
}

/** Brings a long session in the way a person would: by importing it. Resolves to its id and how long that took. */
export async function importLongSession(host, messages, bytes) {
  const folder = mkdtempSync(join(tmpdir(), 'lathe-bench-import-'));
  const lines = [...longHistory(messages, bytes)].map((message) => JSON.stringify(message));
  writeFileSync(join(folder, 'chat_history.jsonl'), `${lines.join('\n')}\n`);
  const startedAt = performance.now();
  const { value } = JSON.parse(await call(host, 'POST', '/api/imports', { path: folder }));
  const importMs = performance.now() - startedAt;
  rmSync(folder, { recursive: true, force: true });
  return { id: value.session.id, importMs, messages: value.messages };
}
