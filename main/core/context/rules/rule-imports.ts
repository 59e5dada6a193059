import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path';
import { isInside } from '../../workspace/path-jail';

/** `@path` in an imported file may import again, so often (convention of Claude Code). */
const MAX_DEPTH = 5;
const MAX_IMPORTS = 40;
const MAX_IMPORT_BYTES = 256 * 1024;
/** Files whose content is never put into a prompt by a line in a rules file. */
const SECRET =
  /^(\.env(\..*)?|.*\.(pem|key|p12|pfx|kdbx)|id_(rsa|dsa|ecdsa|ed25519)|\.netrc|\.npmrc|credentials.*)$/i;

export interface Imported {
  text: string;
  /** Paths that were taken in, relative to the jail. */
  imports: string[];
  problems: string[];
}

interface Course extends Omit<Imported, 'text'> {
  /** Real path that imports must stay in. */
  readonly jail: string;
  /** Files being imported right now: importing one of them again would never end. */
  readonly open: Set<string>;
}

/** `@path` at the start of a word, outside of inline code. */
const MENTION = /(^|[\s(])@((?:[^\s`'"()<>[\]{}\\]|\\.)+)/g;

/** Ends a sentence, not a path. */
const trimmedPath = (path: string): string => path.replace(/[.,;:!?]+$/, '');

/** Text in pieces; imports count in those that are no code. */
function pieces(text: string): { text: string; isCode: boolean }[] {
  const found: { text: string; isCode: boolean }[] = [];
  let last = 0;
  for (const match of text.matchAll(/^(```|~~~)[\s\S]*?(?:^\1[^\n]*$|(?![\s\S]))|`+[^`\n]+`+/gm)) {
    found.push({ text: text.slice(last, match.index), isCode: false }, { text: match[0], isCode: true });
    last = match.index + match[0].length;
  }
  return [...found, { text: text.slice(last), isCode: false }];
}

/** The real path of what a mention names; null when there is no such file (then it is no import but a name). */
async function target(mention: string, from: string, course: Course): Promise<string | null> {
  const path = mention.startsWith('~') ? null : resolve(dirname(from), mention);
  if (path === null) {
    course.problems.push(`@${mention}: imports can't leave the folder of the rules`);
    return null;
  }
  const real = await realpath(path).catch(() => null);
  if (real === null) return null;
  if (!isInside(course.jail, real)) {
    course.problems.push(`@${mention}: imports can't leave the folder of the rules`);
    return null;
  }
  if (SECRET.test(basename(real))) {
    course.problems.push(`@${mention}: files with secrets are not imported`);
    return null;
  }
  return real;
}

async function readText(path: string, mention: string, course: Course): Promise<string | null> {
  const facts = await stat(path).catch(() => null);
  if (!facts?.isFile()) return null;
  if (facts.size > MAX_IMPORT_BYTES) {
    course.problems.push(`@${mention}: too large (${Math.round(facts.size / 1024)} KB)`);
    return null;
  }
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null || bytes.includes(0)) return null;
  return bytes.toString('utf8');
}

/** The imported block for a mention; null leaves the mention as it is. */
async function importOne(
  mention: string,
  from: string,
  depth: number,
  course: Course,
): Promise<string | null> {
  if (isAbsolute(mention)) {
    course.problems.push(`@${mention}: imports are relative to the file that names them`);
    return null;
  }
  const real = await target(mention, from, course);
  if (real === null || course.open.has(real)) return null;
  if (depth > MAX_DEPTH || course.imports.length >= MAX_IMPORTS) {
    course.problems.push(
      `@${mention}: imported from too deep or too often (${MAX_DEPTH} levels, ${MAX_IMPORTS} files)`,
    );
    return null;
  }
  const text = await readText(real, mention, course);
  if (text === null) return null;
  const shown = relative(course.jail, real).split('\\').join('/');
  course.imports.push(shown);
  course.open.add(real);
  const inner = await expand(text, real, depth + 1, course);
  course.open.delete(real);
  return `\n<import path="${shown}">\n${inner.trim()}\n</import>\n`;
}

async function expand(text: string, from: string, depth: number, course: Course): Promise<string> {
  const done: string[] = [];
  for (const piece of pieces(text)) {
    if (piece.isCode) done.push(piece.text);
    else done.push(await expandProse(piece.text, from, depth, course));
  }
  return done.join('');
}

async function expandProse(text: string, from: string, depth: number, course: Course): Promise<string> {
  let result = '';
  let last = 0;
  for (const match of text.matchAll(MENTION)) {
    const [, before = '', raw = ''] = match;
    const path = trimmedPath(raw);
    if (path === '') continue;
    const block = await importOne(path, from, depth, course);
    if (block === null) continue;
    const start = match.index + before.length;
    result += text.slice(last, start) + block;
    last = start + 1 + path.length;
  }
  return result + text.slice(last);
}

/**
 * Puts the files that a rules file imports with `@path` in the place of their mentions: relative to the file, at most five
 * deep, not in code, and never from outside `jail`, links resolved. A mention of no file stays as it is.
 *
 * @param file real path of the rules file
 * @param jail real path of the folder that imports must stay in
 */
export async function withImports(text: string, file: string, jail: string): Promise<Imported> {
  const course: Course = { jail, open: new Set([file]), imports: [], problems: [] };
  const expanded = await expand(text, file, 1, course);
  return { text: expanded, imports: course.imports, problems: course.problems };
}
