import type { ContextEntry } from '../entry';

const MAX_ITEMS = 30;
const LINE_CHARS = 240;

const oneLine = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= LINE_CHARS ? line : `${line.slice(0, LINE_CHARS).toWellFormed()}…`;
};

interface Activity {
  requests: string[];
  answers: string[];
  files: Map<string, Set<string>>;
  commands: string[];
  failures: string[];
}

function argument(text: string, name: string): string | null {
  try {
    const value = (JSON.parse(text) as Record<string, unknown> | null)?.[name];
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

function noteCall(activity: Activity, name: string, args: string): void {
  const path = argument(args, 'path');
  const command = argument(args, 'command');
  if (path !== null) activity.files.set(path, (activity.files.get(path) ?? new Set()).add(name));
  if (command !== null) activity.commands.push(oneLine(command));
}

function activityOf(entries: readonly ContextEntry[]): Activity {
  const activity: Activity = { requests: [], answers: [], files: new Map(), commands: [], failures: [] };
  for (const { message } of entries) {
    if (message.role === 'user') activity.requests.push(oneLine(message.content));
    else if (message.role === 'assistant') {
      if (message.content.trim() !== '') activity.answers.push(oneLine(message.content));
      for (const call of message.calls ?? []) noteCall(activity, call.name, call.arguments);
    } else if (message.role === 'tool' && /^(error|denied|not run|interrupted)/i.test(message.content)) {
      activity.failures.push(`${message.name}: ${oneLine(message.content)}`);
    }
  }
  return activity;
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const left = lines.length - MAX_ITEMS;
  const shown = left > 0 ? [`(${left} earlier ones left out)`, ...lines.slice(-MAX_ITEMS)] : lines;
  return [`## ${title}`, ...shown.map((line) => `- ${line}`)];
}

/**
 * A summary made without a model, from the record alone: what was asked, which files and commands were used, what failed,
 * what was answered. For when no model gives a usable one.
 */
export function localSummary(
  entries: readonly ContextEntry[],
  previous: string | null,
  limitChars: number,
): string {
  const { requests, answers, files, commands, failures } = activityOf(entries);
  const touched = [...files].map(([path, tools]) => `${path} (${[...tools].join(', ')})`);
  const text = [
    ...(previous === null ? [] : [previous, '']),
    ...section('What the user wrote', requests),
    ...section('Files', touched),
    ...section('Commands', commands),
    ...section('What did not succeed', failures),
    ...section('Answers', answers),
  ].join('\n');
  return text.length <= limitChars ? text : `[…]\n${text.slice(-limitChars).toWellFormed()}`;
}
