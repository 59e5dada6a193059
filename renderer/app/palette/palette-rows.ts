import type { Command } from '../command-registry';
import { splitPath } from '../../lib/format';
import { fuzzyMatch, type MatchRange } from './fuzzy';

export interface PaletteRow {
  key: string;
  group: string;
  icon: string;
  label: string;
  ranges: readonly MatchRange[];
  /** Dim text after the label: a file's folder. */
  detail: string;
  /** Shortcut as `parseChord` reads it; '' for none. */
  keys: string;
}

const RECENT = 'Recently used';

function commandRow(command: Command, group: string, ranges: readonly MatchRange[]): PaletteRow {
  return {
    key: command.id,
    group,
    icon: command.icon ?? 'symbol-event',
    label: command.title,
    ranges,
    detail: '',
    keys: command.keys?.[0] ?? '',
  };
}

/** Commands that match: the recently used ones first in that order, then the rest by how well they match. */
export function commandRows(
  query: string,
  commands: readonly Command[],
  recent: readonly string[],
): PaletteRow[] {
  const matches = commands.flatMap((command) => {
    const match = command.hidden === true ? null : fuzzyMatch(query, command.title);
    return match ? [{ command, match }] : [];
  });
  const rank = (id: string): number => recent.indexOf(id);
  const used = matches.filter(({ command }) => rank(command.id) >= 0);
  const others = matches.filter(({ command }) => rank(command.id) < 0);
  used.sort((left, right) => rank(left.command.id) - rank(right.command.id));
  others.sort((left, right) => right.match.score - left.match.score);
  return [
    ...used.map(({ command, match }) => commandRow(command, RECENT, match.ranges)),
    ...others.map(({ command, match }) => commandRow(command, 'Commands', match.ranges)),
  ];
}

/** A file query's parts: `src/a.ts:12:3` opens line 12, column 3. Both are 1-based. */
export interface FileQuery {
  text: string;
  line?: number;
  column?: number;
}

export function parseFileQuery(query: string): FileQuery {
  const match = /^(.*?):(\d+)(?::(\d+))?$/.exec(query.trim());
  if (!match) return { text: query.trim().replace(/:$/, '') };
  const [, text = '', line, column] = match;
  return {
    text,
    line: Math.max(1, Number(line)),
    ...(column === undefined ? {} : { column: Math.max(1, Number(column)) }),
  };
}

function fileRow(path: string, query: string, group: string): PaletteRow {
  const { folder, name } = splitPath(path);
  const plain = query.toLowerCase().replaceAll('\\', '/');
  const ranges = plain.includes('/') ? [] : (fuzzyMatch(plain, name)?.ranges ?? []);
  return {
    key: path,
    group,
    icon: 'file-code',
    label: name,
    ranges,
    detail: folder.replace(/\/$/, ''),
    keys: '',
  };
}

/** Files as the host ranked them; without a query only those opened before. */
export function fileRows(query: string, found: readonly string[], recent: readonly string[]): PaletteRow[] {
  if (query === '') {
    const rest = found.filter((path) => !recent.includes(path));
    return [
      ...recent.map((path) => fileRow(path, '', 'Recently opened')),
      ...rest.map((path) => fileRow(path, '', 'Files')),
    ];
  }
  return found.map((path) => fileRow(path, query, 'Files'));
}

/** Puts `key` first in a list of recently used ones. */
export function withRecent(recent: readonly string[], key: string, limit: number): string[] {
  return [key, ...recent.filter((other) => other !== key)].slice(0, limit);
}
