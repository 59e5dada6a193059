import { useEffect, useMemo, useState } from 'react';
import { useClient } from '../../lib/client-context';
import { splitPath } from '../../lib/format';
import { matchAgents } from './match-agents';
import { insertMention, mentionAt, type MentionQuery } from './mentions';
import { useStore } from '../../lib/store';
import { agentStore } from './agent-store';
import { matchSlash } from './slash-commands';
import type { Suggestion } from './suggestions';

const MAX_FILES = 12;
/** Waiting this long after a key keeps typing from asking for every letter. */
const ASK_AFTER_MS = 60;

/** What a choice does to the box: new text and caret, and whether a command now runs. */
export interface Choice {
  readonly text: string;
  readonly caret: number;
  readonly command?: string;
}

export interface SuggestionState {
  readonly label: string;
  readonly items: readonly Suggestion[];
  readonly at: number;
  move(step: 1 | -1): void;
  choose(index?: number): Choice | null;
  dismiss(): void;
}

/** What fits the text at the caret: files after `@`, commands after `/` at the start. */
export function useSuggestions(text: string, caret: number, running: boolean): SuggestionState {
  const mention = useMemo(() => mentionAt(text, caret), [text, caret]);
  const files = useFiles(mention);
  const { agents } = useStore(agentStore);
  const commands = useMemo(
    () => [...matchSlash(text, running), ...matchAgents(text, agents)],
    [text, running, agents],
  );
  const source = `${mention ? `@${mention.from}${mention.query}` : ''}|${commands.length > 0 ? text : ''}`;
  const [choice, setChoice] = useState({ source: '', at: 0, closed: false });
  const current = choice.source === source ? choice : { source, at: 0, closed: false };
  const items: readonly Suggestion[] = current.closed
    ? []
    : mention
      ? files.map(fileItem)
      : commands.map(commandItem);
  return {
    label: mention ? 'Files' : 'Commands',
    items,
    at: Math.min(current.at, Math.max(0, items.length - 1)),
    move: (step) =>
      setChoice({ ...current, at: (current.at + step + items.length) % Math.max(1, items.length) }),
    choose: (index = current.at) => {
      const item = items[index];
      if (!item) return null;
      if (mention) return insertMention(text, mention, item.id);
      return { text: '', caret: 0, command: item.id };
    },
    dismiss: () => setChoice({ ...current, closed: true }),
  };
}

function fileItem(path: string): Suggestion {
  const { folder, name } = splitPath(path);
  return { id: path, label: name, detail: folder.replace(/\/$/, ''), icon: 'file' };
}

const commandItem = ({ name, text }: { name: string; text: string }): Suggestion => ({
  id: name,
  label: `/${name}`,
  detail: text,
  icon: 'symbol-event',
});

function useFiles(mention: MentionQuery | null): readonly string[] {
  const client = useClient();
  const [found, setFound] = useState<{ query: string; paths: readonly string[] }>({ query: '', paths: [] });
  const query = mention?.query ?? null;
  useEffect(() => {
    if (query === null) return undefined;
    let current = true;
    const timer = setTimeout(() => {
      client.files.find({ query, limit: MAX_FILES }).then(
        (paths) => {
          if (current) setFound({ query, paths });
        },
        // Without an answer there is nothing to suggest; typing the path still works.
        () => {
          if (current) setFound({ query, paths: [] });
        },
      );
    }, ASK_AFTER_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [client, query]);
  return query === null ? [] : found.paths;
}
