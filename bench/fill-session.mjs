/** Makes a long session the way a person would, only faster: turn by turn over the REST routes of a running host. */
import { FILL_MARK } from './model-server.mjs';

async function call(host, method, path, body) {
  const response = await fetch(`http://127.0.0.1:${host.port}${path}`, {
    method,
    headers: { authorization: `Bearer ${host.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} → ${response.status}: ${text.slice(0, 500)}`);
  return text;
}

const sessionIn = (stream) => JSON.parse(stream.match(/^event: turn\ndata: (.*)$/m)?.[1] ?? '{}').sessionId;

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
