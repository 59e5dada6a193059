/** How long Stop takes: from the request to the end of the turn, while an answer streams and while a command runs. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { startHost } from './host.mjs';
import { median, quantile, round } from './statistics.mjs';

const chunk = (delta) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;
const call = {
  index: 0,
  id: 'call_1',
  type: 'function',
  function: { name: 'run_command', arguments: '{"command":"sleep 60"}' },
};

/** Answers "text" with words without end, everything else with a command that sleeps. */
async function startEndlessModel() {
  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (Buffer.concat(parts).toString().includes('stop-command')) {
        response.write(chunk({ tool_calls: [call] }));
        response.end(
          'data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n',
        );
        return;
      }
      const timer = setInterval(() => response.write(chunk({ content: 'word ' })), 10);
      response.on('close', () => clearInterval(timer));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    close: () => server.closeAllConnections() ?? server.close(),
  };
}

async function stopOnce(host, text, ready) {
  const headers = { authorization: `Bearer ${host.token}`, 'content-type': 'application/json' };
  const base = `http://127.0.0.1:${host.port}/api`;
  const response = await fetch(`${base}/turns`, { method: 'POST', headers, body: JSON.stringify({ text }) });
  let seen = '';
  let stoppedAt = 0;
  const decoder = new TextDecoder();
  for await (const part of response.body) {
    seen += decoder.decode(part, { stream: true });
    if (stoppedAt === 0 && ready.test(seen)) {
      const { sessionId } = JSON.parse(seen.match(/^event: turn\ndata: (.*)$/m)[1]);
      stoppedAt = performance.now();
      await fetch(`${base}/sessions/${sessionId}/stop`, { method: 'POST', headers, body: '{}' });
    }
    if (/^event: done/m.test(seen)) return performance.now() - stoppedAt;
  }
  throw new Error(`the turn did not end:\n${seen.slice(-500)}`);
}

export async function measureStop({ node, cli, project, runs = 10 }) {
  const model = await startEndlessModel();
  const home = mkdtempSync(join(tmpdir(), 'lathe-bench-'));
  writeFileSync(
    join(home, 'rules.jsonc'),
    '[{"action":"run_command","resource":"sleep 60","effect":"allow"}]',
  );
  const host = await startHost({ node, cli, project, home, model });
  const cases = { streaming: ['stop-text', /event: token/], command: ['stop-command', /"state":"running"/] };
  const report = {};
  for (const [name, [text, ready]] of Object.entries(cases)) {
    const values = [];
    for (let run = 0; run < runs; run += 1) values.push(await stopOnce(host, text, ready));
    report[name] = { medianMs: round(median(values)), worstMs: round(quantile(values, 1)) };
  }
  await host.stop();
  model.close();
  rmSync(home, { recursive: true, force: true });
  return report;
}
