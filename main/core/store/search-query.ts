/** Longest search text and most terms that are looked at; more would only cost time. */
const MAX_QUERY_CHARS = 300;
const MAX_TERMS = 12;
/** Shorter words must match whole: nearly every word begins with any one letter. */
const MIN_PREFIX_CHARS = 2;

/** Scripts written without spaces: each character is a word of its own, so that any part of a text is found. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const UNSPACED_ALL = new RegExp(UNSPACED.source, 'gu');
const WORD = new RegExp(`${UNSPACED.source}|[\\p{L}\\p{N}\\p{M}\\p{Co}]`, 'u');
const NOT_WORD = /[^\p{L}\p{N}\p{M}\p{Co}]+/gu;

/** Words that stand next to each other, in order. `prefix`: the last of them may go on. */
export interface SearchTerm {
  readonly words: readonly string[];
  readonly prefix: boolean;
}

/** Text as the index takes it: characters of scripts without spaces stand apart. */
export const spaced = (text: string): string => text.replace(UNSPACED_ALL, ' $& ');

const wordsOf = (text: string): string[] =>
  spaced(text).replace(NOT_WORD, ' ').trim().split(' ').filter(Boolean);

function term(text: string, quoted: boolean): SearchTerm[] {
  const words = wordsOf(text);
  const last = words.at(-1);
  if (last === undefined) return [];
  const prefix = !quoted && last.length >= MIN_PREFIX_CHARS && !UNSPACED.test(last);
  return [{ words, prefix }];
}

/**
 * The terms of what a person typed: words, and phrases in double quotes. Everything that is no letter or digit only parts
 * words, so any text gives a valid search; text without a word gives none.
 */
export function searchTerms(query: string): SearchTerm[] {
  const terms: SearchTerm[] = [];
  for (const match of query.slice(0, MAX_QUERY_CHARS).matchAll(/"([^"]*)"?|[^\s"]+/g)) {
    terms.push(...term(match[1] ?? match[0], match[1] !== undefined));
  }
  return terms.slice(0, MAX_TERMS);
}

/** The terms as an FTS5 expression in which nothing of the user's text has a meaning; '' without terms. */
export const matchExpression = (terms: readonly SearchTerm[]): string =>
  terms.map(({ words, prefix }) => `"${words.join(' ')}"${prefix ? ' *' : ''}`).join(' ');

/** Lower case without accents: what the index compares. */
export const foldWord = (word: string): string =>
  word
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();

interface Token {
  text: string;
  start: number;
  end: number;
}

function* tokens(text: string): Generator<Token> {
  const pattern = new RegExp(
    `${UNSPACED.source}|(?:(?!${UNSPACED.source})[\\p{L}\\p{N}\\p{M}\\p{Co}])+`,
    'gu',
  );
  for (const match of text.matchAll(pattern)) {
    yield { text: foldWord(match[0]), start: match.index, end: match.index + match[0].length };
  }
}

export const holdsWord = (text: string): boolean => WORD.test(text);

/** Where the terms stand in a text, in order and without overlaps: UTF-16 offsets, end exclusive. */
export function findTerms(text: string, terms: readonly SearchTerm[]): [number, number][] {
  const list = [...tokens(text)];
  const folded = terms.map(({ words, prefix }) => ({ words: words.map(foldWord), prefix }));
  const ranges: [number, number][] = [];
  for (let at = 0; at < list.length; at += 1) {
    const found = folded.find((wanted) => standsAt(list, at, wanted));
    if (!found) continue;
    const [first, last] = [list[at], list[at + found.words.length - 1]];
    if (!first || !last) continue;
    ranges.push([first.start, last.end]);
    at += found.words.length - 1;
  }
  return ranges;
}

function standsAt(list: readonly Token[], at: number, { words, prefix }: SearchTerm): boolean {
  return words.every((word, i) => {
    const text = list[at + i]?.text;
    if (text === undefined) return false;
    return prefix && i === words.length - 1 ? text.startsWith(word) : text === word;
  });
}
