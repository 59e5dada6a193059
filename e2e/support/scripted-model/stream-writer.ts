import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ScriptCall, ScriptReply } from './script-reply';

export interface WriteContext {
  model: string;
  nextCallId: () => string;
  /** Resolves when the test calls `release()`. */
  held: () => Promise<void>;
}

/** Writes one reply as a server-sent event stream, as OpenAI does: one word per chunk. */
export async function writeStream(
  response: ServerResponse,
  reply: ScriptReply,
  context: WriteContext,
): Promise<void> {
  response.socket?.setNoDelay(true);
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    ...reply.headers,
  });
  response.flushHeaders();
  if (reply.silentBody === true) return;
  const send = chunkSender(response, reply, context.model);
  await writeComments(response, reply.commentsMs ?? 0);
  if (reply.raw !== undefined) response.write(reply.raw);
  for (const word of words(reply.reasoning ?? '')) await send({ reasoning_content: word });
  if (!(await writeText(response, reply, context, send))) return;
  for (const [index, call] of (reply.calls ?? []).entries()) await writeCall(call, index, context, send);
  if (reply.streamError !== undefined)
    response.write(`data: ${JSON.stringify({ error: reply.streamError })}\n\n`);
  await writeEnd(response, reply, send);
}

async function writeComments(response: ServerResponse, forMs: number): Promise<void> {
  const until = performance.now() + forMs;
  while (performance.now() < until && !response.destroyed) {
    response.write(': keep-alive\n\n');
    await sleep(20);
  }
}

type Send = (delta: Record<string, unknown>, finish?: string | null) => Promise<void>;

function chunkSender(response: ServerResponse, reply: ScriptReply, model: string): Send {
  return async (delta, finish = null) => {
    if (reply.delayMs !== undefined) await sleep(reply.delayMs);
    if (response.destroyed) return;
    const chunk = {
      id: 'chatcmpl-scripted',
      object: 'chat.completion.chunk',
      created: 0,
      model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
}

/** False when the script had the socket dropped. */
async function writeText(
  response: ServerResponse,
  reply: ScriptReply,
  context: WriteContext,
  send: Send,
): Promise<boolean> {
  let sent = 0;
  let held = false;
  for (const word of ['', ...words(reply.text ?? '')]) {
    if (reply.dropAfterChars !== undefined && sent >= reply.dropAfterChars) return drop(response);
    if (!held && reply.holdAfterChars !== undefined && sent >= reply.holdAfterChars) {
      held = true;
      await context.held();
    }
    if (word !== '') await send({ content: word });
    sent += word.length;
  }
  return reply.dropAfterChars === undefined ? true : drop(response);
}

/** Lets what was written reach the client first, then resets the connection. */
function drop(response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    response.write('', () => {
      response.socket?.destroy();
      resolve(false);
    });
  });
}

async function writeCall(call: ScriptCall, index: number, context: WriteContext, send: Send): Promise<void> {
  const args = typeof call.args === 'string' ? call.args : JSON.stringify(call.args);
  const id = call.id ?? context.nextCallId();
  await send({ tool_calls: [{ index, id, type: 'function', function: { name: call.tool, arguments: '' } }] });
  for (const piece of pieces(args, 64))
    await send({ tool_calls: [{ index, function: { arguments: piece } }] });
}

async function writeEnd(response: ServerResponse, reply: ScriptReply, send: Send): Promise<void> {
  if (reply.finish !== null && reply.streamError === undefined)
    await send({}, reply.finish ?? defaultFinish(reply));
  const usage = reply.usage === undefined ? { prompt_tokens: 100, completion_tokens: 10 } : reply.usage;
  if (usage !== null) response.write(`data: ${JSON.stringify({ choices: [], usage })}\n\n`);
  if (reply.noDone !== true) response.write('data: [DONE]\n\n');
  if (reply.keepOpen !== true) response.end();
}

const defaultFinish = (reply: ScriptReply): string =>
  (reply.calls ?? []).length > 0 ? 'tool_calls' : 'stop';

/** The reply as one JSON document. */
export function asDocument(reply: ScriptReply, context: WriteContext): Record<string, unknown> {
  const toolCalls = (reply.calls ?? []).map((call) => ({
    id: call.id ?? context.nextCallId(),
    type: 'function',
    function: {
      name: call.tool,
      arguments: typeof call.args === 'string' ? call.args : JSON.stringify(call.args),
    },
  }));
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    model: context.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: reply.text ?? null,
          ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
        },
        finish_reason: reply.finish ?? defaultFinish(reply),
      },
    ],
    usage: reply.usage ?? { prompt_tokens: 100, completion_tokens: 10 },
  };
}

const words = (text: string): string[] => text.match(/\s*\S+\s*$|\s*\S+/g) ?? [];

const pieces = (text: string, size: number): string[] => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
