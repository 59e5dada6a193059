import type { OriginRun } from './origin-lines';

type OriginSet = OriginRun['set'];

export interface OriginSign {
  /** At most three characters: the turn's number, or a letter. */
  text: string;
  /** Names the colour. */
  kind: 'agent' | 'user' | 'outside' | 'undo';
}

/** What stands beside the first line of a run. */
export function originSign({ author, turn }: OriginSet): OriginSign {
  switch (author.kind) {
    case 'agent':
    case 'command':
      return { text: turn ? shortNumber(turn.number) : 'A', kind: 'agent' };
    case 'user':
      return { text: 'U', kind: 'user' };
    case 'outside':
      return { text: 'O', kind: 'outside' };
    case 'undo':
      return { text: '↶', kind: 'undo' };
  }
}

const shortNumber = (turn: number): string => (turn < 1000 ? String(turn) : `${Math.floor(turn / 1000)}k`);

/** Who it was. */
export function authorWords({ author }: OriginSet): string {
  switch (author.kind) {
    case 'agent':
      return 'The agent';
    case 'command':
      return `The agent’s command ${author.command.split('\n', 1)[0] ?? ''}`;
    case 'user':
      return 'You';
    case 'outside':
      return 'Another program';
    case 'undo':
      return {
        undo: 'An undo',
        redo: 'A redo',
        restore: 'A restore',
        reject: 'A rejection',
        resolve: 'A resolved conflict',
      }[author.cause];
  }
}

export interface OriginWords {
  /** "Turn 3: Make add work", or what happened where there was no turn. */
  title: string;
  /** "The agent, 30 Nov 15:04". */
  by: string;
}

/** @param at formats epoch milliseconds */
export function originWords(set: OriginSet, at: (ms: number) => string): OriginWords {
  const { turn, label } = set;
  const title = turn ? `Turn ${turn.number}: ${turn.request}` : label.replaceAll('`', '');
  return { title, by: `${authorWords(set)}, ${at(set.at)}` };
}

/** Date and time as people write them. */
export const formatMoment = (ms: number): string =>
  new Date(ms).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });

/** A person's text in Markdown that means nothing but itself. */
export const plainMarkdown = (text: string): string =>
  text.replaceAll(/[\\`*_{}[\]()#+\-.!|<>~$&]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ');
