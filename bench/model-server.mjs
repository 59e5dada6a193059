/**
 * An OpenAI-compatible server that plays a fixed turn and notes when each request arrives. Stateless: how many tool results
 * a request holds decides which call comes next.
 */
import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';
import { needle, valueLine } from './gen-project.mjs';

export const OPERATIONS = ['read', 'grep', 'edit', 'shell'];

/** Messages that begin so are answered at once and briefly: they only make a session long. */
export const FILL_MARK = 'fill:';

const CALLS = {
  read: (n) => [
    'read_file',
    { path: 'bench/target.ts', start_line: 1 + ((n * 3) % 200), end_line: 100 + ((n * 3) % 200) },
  ],
  grep: (n) => ['grep', { pattern: needle(n) }],
  edit: (n) => [
    'edit_file',
    { path: 'bench/target.ts', old_string: valueLine(n), new_string: `${valueLine(n)} // e${n}` },
  ],
  shell: (n) => ['run_command', { command: `echo ok ${n}` }],
};

function chunk(delta, finish = null) {
  return `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'mock', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}

async function reply(response, call, words, n, delayMs, promptTokens) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.socket?.setNoDelay(true);
  if (call) {
    const [name, args] = call;
    response.write(
      chunk({
        tool_calls: [{ index: 0, id: `call_${n}`, type: 'function', function: { name, arguments: '' } }],
      }),
    );
    response.write(chunk({ tool_calls: [{ index: 0, function: { arguments: JSON.stringify(args) } }] }));
    response.write(chunk({}, 'tool_calls'));
  } else {
    for (let i = 0; i < words; i += 1) {
      response.write(chunk({ content: i % 40 === 39 ? 'word.\n\n' : 'word ' }));
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
    response.write(chunk({}, 'stop'));
  }
  const usage = { prompt_tokens: promptTokens, completion_tokens: 20, total_tokens: promptTokens + 20 };
  response.write(`data: ${JSON.stringify({ choices: [], usage })}\n\n`);
  response.end('data: [DONE]\n\n');
}

/**
 * @param {{ turns: number, words?: number, delayMs?: number, callFor?: (n: number) => [string, object] }} script number of tool
 *   calls, then words of the final answer, with so many milliseconds between two of them; `callFor` makes the n-th call instead
 *   of the four operations in turn
 * @returns {Promise<{ url: string, records: { op: string, arrivedAt: number, endedAt: number, bytes: number, sincePrevious: number | null, previousOp: string | null }[], close(): Promise<void> }>}
 *   times are epoch milliseconds with fractions
 */
export function startModelServer({ turns, words = 500, delayMs = 0, callFor }) {
  const records = [];
  const now = () => performance.timeOrigin + performance.now();
  const server = createServer((request, response) => {
    const arrivedAt = now();
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      if (!request.url?.endsWith('/chat/completions')) {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('{"object":"list","data":[{"id":"mock"}]}');
        return;
      }
      const raw = Buffer.concat(parts);
      const { messages } = JSON.parse(raw.toString());
      const done = messages.filter((message) => message.role === 'tool').length;
      const fills = messages.at(-1)?.content?.startsWith?.(FILL_MARK) ?? false;
      const previous = records.at(-1);
      const operation = callFor ? 'custom' : OPERATIONS[done % OPERATIONS.length];
      const op = done < turns ? operation : 'final';
      const record = {
        op,
        arrivedAt,
        endedAt: 0,
        bytes: raw.length,
        sincePrevious: previous ? arrivedAt - previous.endedAt : null,
        previousOp: previous?.op ?? null,
      };
      records.push(record);
      response.on('finish', () => (record.endedAt = now()));
      const [length, delay] = fills ? [60, 0] : [words, delayMs];
      const call = op === 'final' ? null : (callFor ?? CALLS[op])(done);
      void reply(response, call, length, done, delay, Math.round(raw.length / 4));
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      resolve({
        url: `http://127.0.0.1:${port}/v1`,
        records,
        close: () =>
          new Promise((closed) => {
            server.closeAllConnections();
            server.close(closed);
          }),
      });
    });
  });
}
