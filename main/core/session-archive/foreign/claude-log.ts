import { basename, join } from 'node:path';
import type { HistoryCall, ModelMessage } from '../../model/port';
import type { LoggedMessage } from '../turn-maker';
import { type ForeignTool, isInjected, timeOf } from './foreign-log';
import { activeBranch, filesBelow, readRecords } from './jsonl-log';
import { argumentsText, contentText, field, type Fields, image, text } from './loose-fields';

type Assistant = Extract<ModelMessage, { role: 'assistant' }>;

/** Records of subagents and remarks of the tool itself are no part of the conversation. */
const isSpoken = (record: Fields): boolean =>
  (record['type'] === 'user' || record['type'] === 'assistant') &&
  record['isSidechain'] !== true &&
  record['isMeta'] !== true &&
  record['isApiErrorMessage'] !== true;

const parts = (record: Fields): readonly unknown[] => {
  const content = field(record['message'], 'content');
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content : [];
};

const resultIds = (record: Fields): string[] =>
  parts(record).flatMap((part) => {
    const id = text(part, 'type') === 'tool_result' ? text(part, 'tool_use_id') : null;
    return id === null ? [] : [id];
  });

/**
 * The branch that the conversation ended on. Results of calls that were made together are side branches of the log; those
 * of calls on the branch belong to it.
 */
function onBranch(records: readonly Fields[]): Fields[] {
  const lines = records.filter((record) => record['isSidechain'] !== true);
  const last = lines.findLastIndex(isSpoken);
  const branch = activeBranch(lines.slice(0, last + 1), {
    id: (record) => record['uuid'],
    // A compaction begins a new chain and names the old one besides.
    parent: (record) => record['parentUuid'] ?? record['logicalParentUuid'],
  });
  const calls = new Set<unknown>();
  for (const record of branch)
    for (const part of parts(record)) if (text(part, 'type') === 'tool_use') calls.add(text(part, 'id'));
  return lines.filter(
    (record) => isSpoken(record) && (branch.has(record) || resultIds(record).some((id) => calls.has(id))),
  );
}

/** Builds the messages; an answer is written in several records under one id. */
class Conversation {
  readonly messages: LoggedMessage[] = [];
  private readonly answers = new Map<string, Assistant>();
  private readonly names = new Map<string, string>();
  private at = 0;

  add(record: Fields): void {
    this.at = timeOf(record['timestamp'], this.at);
    if (record['type'] === 'user') this.user(record);
    else this.assistant(record);
  }

  private user(record: Fields): void {
    for (const part of parts(record)) {
      if (text(part, 'type') !== 'tool_result') continue;
      const callId = text(part, 'tool_use_id') ?? '';
      const name = this.names.get(callId);
      if (name === undefined) continue;
      const message = { role: 'tool', callId, name, content: contentText(field(part, 'content')) } as const;
      this.messages.push({ message, at: this.at, failed: field(part, 'is_error') === true });
    }
    const said = parts(record)
      .filter((part) => text(part, 'type') === 'text')
      .map((part) => text(part, 'text') ?? '')
      .filter((each) => !isInjected(each))
      .join('\n');
    const images = parts(record).flatMap((part) => {
      const source = text(part, 'type') === 'image' ? field(part, 'source') : undefined;
      return image(field(source, 'media_type'), field(source, 'data'));
    });
    if (said.trim() === '' && images.length === 0) return;
    const message = { role: 'user', content: said, ...(images.length === 0 ? {} : { images }) } as const;
    this.messages.push({ message, at: this.at });
  }

  private assistant(record: Fields): void {
    const id = text(record['message'], 'id') ?? text(record, 'uuid') ?? '';
    const answer = this.answer(id);
    const add = (old: string | undefined, more: string): string => (old ? `${old}\n\n${more}` : more);
    for (const part of parts(record)) {
      const kind = text(part, 'type');
      if (kind === 'text') answer.content = add(answer.content, text(part, 'text') ?? '');
      else if (kind === 'thinking') answer.reasoning = add(answer.reasoning, text(part, 'thinking') ?? '');
      else if (kind === 'tool_use') this.call(answer, part);
    }
  }

  private call(answer: Assistant, part: unknown): void {
    const [id, name] = [text(part, 'id'), text(part, 'name')];
    if (id === null || name === null) return;
    this.names.set(id, name);
    const call: HistoryCall = { id, name, arguments: argumentsText(field(part, 'input')) };
    answer.calls = [...(answer.calls ?? []), call];
  }

  private answer(id: string): Assistant {
    const known = this.answers.get(id);
    if (known) return known;
    const made: Assistant = { role: 'assistant', content: '' };
    this.answers.set(id, made);
    this.messages.push({ message: made, at: this.at });
    return made;
  }
}

/** The newest name that the user or the tool gave. */
function titleOf(records: readonly Fields[]): string | null {
  const named = (type: string, name: string): string | null => {
    const record = records.findLast((each) => each['type'] === type);
    return record ? text(record, name) : null;
  };
  return named('custom-title', 'customTitle') ?? named('ai-title', 'aiTitle') ?? named('summary', 'summary');
}

const OWN_TYPES = new Set([
  'user',
  'assistant',
  'system',
  'summary',
  'attachment',
  'file-history-snapshot',
  'queue-operation',
]);
const isOwnRecord = ({ type }: Fields): boolean => typeof type === 'string' && OWN_TYPES.has(type);

/** Claude Code: `projects/<folder>/<session>.jsonl`. */
export const claudeLog: ForeignTool = {
  id: 'claude',
  name: 'Claude Code',
  usualFolder: (env, home) => join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), 'projects'),
  find: async (folder, signal) =>
    (await filesBelow(folder, '.jsonl', 1, signal))
      // Files of subagents stand beside those of the user's sessions.
      .filter((path) => !basename(path).startsWith('agent-'))
      .map((path) => ({ id: basename(path, '.jsonl'), path })),
  read: async ({ path }, signal) => {
    const { records, skipped } = await readRecords(path, signal);
    if (records.length > 0 && !records.some(isOwnRecord)) return null;
    const conversation = new Conversation();
    for (const record of onBranch(records)) conversation.add(record);
    const cwd = records.map((record) => text(record, 'cwd')).find((each) => each !== null) ?? null;
    return { messages: conversation.messages, title: titleOf(records), cwd, skipped };
  },
};
