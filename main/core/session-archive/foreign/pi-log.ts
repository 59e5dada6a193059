import { basename, join } from 'node:path';
import type { HistoryCall } from '../../model/port';
import type { LoggedMessage } from '../turn-maker';
import { type ForeignTool, timeOf } from './foreign-log';
import { activeBranch, filesBelow, readRecords } from './jsonl-log';
import { argumentsText, contentText, field, type Fields, image, list, text } from './loose-fields';

function user(message: unknown): LoggedMessage['message'] {
  const content = contentText(field(message, 'content'));
  const images = list(message, 'content').flatMap((part) =>
    text(part, 'type') === 'image' ? image(field(part, 'mimeType'), field(part, 'data')) : [],
  );
  return { role: 'user', content, ...(images.length === 0 ? {} : { images }) };
}

function assistant(message: unknown): LoggedMessage['message'] {
  const parts = list(message, 'content');
  const calls = parts.flatMap((part): HistoryCall[] => {
    const [id, name] = [text(part, 'id'), text(part, 'name')];
    if (text(part, 'type') !== 'toolCall' || id === null || name === null) return [];
    return [{ id, name, arguments: argumentsText(field(part, 'arguments')) }];
  });
  const reasoning = parts
    .map((part) => text(part, 'thinking') ?? '')
    .join('\n\n')
    .trim();
  return {
    role: 'assistant',
    content: contentText(field(message, 'content')),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(calls.length === 0 ? {} : { calls }),
  };
}

/** A message of the log as ours; null for kinds that are none of the conversation. */
function logged(record: Fields, before: number): LoggedMessage | null {
  const message = record['message'];
  const at = timeOf(field(message, 'timestamp'), timeOf(record['timestamp'], before));
  switch (field(message, 'role')) {
    case 'user':
      return { message: user(message), at };
    case 'assistant':
      return { message: assistant(message), at };
    case 'toolResult': {
      const callId = text(message, 'toolCallId') ?? '';
      const name = text(message, 'toolName') ?? 'tool';
      const content = contentText(field(message, 'content'));
      return {
        message: { role: 'tool', callId, name, content },
        at,
        failed: field(message, 'isError') === true,
      };
    }
    case 'bashExecution': {
      const ran = `I ran \`${text(message, 'command') ?? ''}\`:\n${text(message, 'output') ?? ''}`;
      return { message: { role: 'user', content: ran }, at };
    }
    default:
      return null;
  }
}

/** pi: `sessions/--<folder>--/<time>_<session>.jsonl`; from version 2 on a tree whose last entry ends the active branch. */
export const piLog: ForeignTool = {
  id: 'pi',
  name: 'pi',
  usualFolder: (env, home) => join(env['PI_CODING_AGENT_DIR'] ?? join(home, '.pi', 'agent'), 'sessions'),
  find: async (folder, signal) =>
    (await filesBelow(folder, '.jsonl', 1, signal)).map((path) => {
      const name = basename(path, '.jsonl');
      return { id: name.slice(name.indexOf('_') + 1), path };
    }),
  read: async ({ path }, signal) => {
    const { records, skipped } = await readRecords(path, signal);
    const header = records.find((record) => record['type'] === 'session');
    if (!header && records.length > 0) return null;
    const entries = records.filter((record) => record !== header);
    const isTree = entries.some((entry) => 'parentId' in entry);
    const branch = isTree
      ? activeBranch(entries, { id: (entry) => entry['id'], parent: (entry) => entry['parentId'] })
      : new Set(entries);
    const messages: LoggedMessage[] = [];
    for (const entry of entries.filter((each) => each['type'] === 'message' && branch.has(each))) {
      const message = logged(entry, messages.at(-1)?.at ?? 0);
      if (message) messages.push(message);
    }
    const named = entries.findLast((entry) => entry['type'] === 'session_info');
    return { messages, title: named ? text(named, 'name') : null, cwd: text(header, 'cwd'), skipped };
  },
};
