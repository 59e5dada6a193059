import { basename, join } from 'node:path';
import type { HistoryCall, ModelMessage } from '../../model/port';
import type { LoggedMessage } from '../turn-maker';
import { type ForeignTool, isInjected, timeOf } from './foreign-log';
import { filesBelow, readRecords } from './jsonl-log';
import {
  argumentsText,
  contentText,
  dataUrlImage,
  field,
  type Fields,
  isFields,
  list,
  text,
} from './loose-fields';

type Assistant = Extract<ModelMessage, { role: 'assistant' }>;

/** Output is text, an object with text in it, or such an object written as JSON. */
function outputText(output: unknown): { content: string; failed: boolean } {
  const value = typeof output === 'string' ? (parsed(output) ?? output) : output;
  if (typeof value === 'string') return { content: value, failed: false };
  if (Array.isArray(value)) return { content: contentText(value), failed: false };
  const content = text(value, 'output') ?? text(value, 'content') ?? contentText(field(value, 'content'));
  const exitCode = field(field(value, 'metadata'), 'exit_code');
  const failed = field(value, 'success') === false || (typeof exitCode === 'number' && exitCode !== 0);
  return { content, failed };
}

/** Only output in the tool's own envelope is taken apart; a program's own JSON is its text. */
function parsed(output: string): Fields | null {
  if (!output.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(output);
    return isFields(value) && typeof value['output'] === 'string' && 'metadata' in value ? value : null;
  } catch {
    return null;
  }
}

/** Builds the messages from the items of a rollout. */
class Conversation {
  messages: LoggedMessage[] = [];
  private answer: Assistant | null = null;
  private reasoning = '';
  private readonly names = new Map<string, string>();
  private at = 0;

  add(item: Fields, timestamp: unknown): void {
    this.at = timeOf(timestamp, this.at);
    switch (item['type']) {
      case 'message':
        return this.message(item);
      case 'reasoning':
        this.reasoning = [this.reasoning, contentText(list(item, 'summary'))].filter(Boolean).join('\n\n');
        return;
      case 'function_call':
        return this.call(item, text(item, 'name'), argumentsText(item['arguments']));
      case 'custom_tool_call':
        return this.call(item, text(item, 'name'), argumentsText(item['input']));
      case 'local_shell_call':
        return this.call(item, 'shell', argumentsText(field(item, 'action')));
      case 'function_call_output':
      case 'custom_tool_call_output':
        return this.output(item);
    }
  }

  /** Takes back the last turns: the user went back to before them. */
  rollBack(turns: number): void {
    for (let left = turns; left > 0; left -= 1) {
      const from = this.messages.findLastIndex(({ message }) => message.role === 'user');
      if (from < 0) break;
      this.messages = this.messages.slice(0, from);
    }
    this.answer = null;
  }

  private message(item: Fields): void {
    const role = item['role'];
    if (role === 'assistant') {
      const content = contentText(item['content']);
      if (content !== '') this.startAnswer().content = content;
    }
    if (role !== 'user') return;
    const said = contentText(list(item, 'content').filter((part) => !isInjected(text(part, 'text') ?? '')));
    const images = list(item, 'content').flatMap((part) => dataUrlImage(field(part, 'image_url')));
    if (said.trim() === '' && images.length === 0) return;
    this.answer = null;
    const message = { role: 'user', content: said, ...(images.length === 0 ? {} : { images }) } as const;
    this.messages.push({ message, at: this.at });
  }

  private startAnswer(): Assistant {
    const reasoning = this.reasoning === '' ? {} : { reasoning: this.reasoning };
    this.reasoning = '';
    this.answer = { role: 'assistant', content: '', ...reasoning };
    this.messages.push({ message: this.answer, at: this.at });
    return this.answer;
  }

  private call(item: Fields, name: string | null, argumentText: string): void {
    const id = text(item, 'call_id') ?? text(item, 'id');
    if (id === null || name === null || this.names.has(id)) return;
    this.names.set(id, name);
    const answer = this.answer ?? this.startAnswer();
    const call: HistoryCall = { id, name, arguments: argumentText };
    answer.calls = [...(answer.calls ?? []), call];
  }

  private output(item: Fields): void {
    const callId = text(item, 'call_id') ?? '';
    const name = this.names.get(callId);
    if (name === undefined) return;
    const { content, failed } = outputText(item['output']);
    this.messages.push({ message: { role: 'tool', callId, name, content }, at: this.at, failed });
    // What comes after a result is a new answer.
    this.answer = null;
  }
}

const ITEM_TYPES = /^(?:message|reasoning|.*_call|.*_call_output)$/;

/** Codex: `sessions/YYYY/MM/DD/rollout-<time>-<session>.jsonl`, in its present form and the one before. */
export const codexLog: ForeignTool = {
  id: 'codex',
  name: 'Codex',
  usualFolder: (env, home) => join(env['CODEX_HOME'] ?? join(home, '.codex'), 'sessions'),
  find: async (folder, signal) =>
    (await filesBelow(folder, '.jsonl', 4, signal)).map((path) => {
      const name = basename(path, '.jsonl');
      const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.exec(name)?.[0];
      return { id: id ?? name, path };
    }),
  read: async ({ path }, signal) => {
    const { records, skipped } = await readRecords(path, signal);
    const meta = records.find((record) => record['type'] === 'session_meta');
    const isOld = !meta && records.some((record) => ITEM_TYPES.test(text(record, 'type') ?? ''));
    if (!meta && !isOld && records.length > 0) return null;
    const conversation = new Conversation();
    for (const record of records) {
      const payload = record['payload'];
      if (isOld) conversation.add(record, record['timestamp']);
      else if (record['type'] === 'response_item' && isFields(payload))
        conversation.add(payload, record['timestamp']);
      else if (record['type'] === 'event_msg' && text(payload, 'type') === 'thread_rolled_back')
        conversation.rollBack(Number(field(payload, 'num_turns')) || 0);
    }
    return { messages: conversation.messages, title: null, cwd: text(meta?.['payload'], 'cwd'), skipped };
  },
};
