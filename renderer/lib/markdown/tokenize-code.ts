import { type Language, languageFor } from './languages';

export type CodeKind = 'plain' | 'key' | 'str' | 'num' | 'fn' | 'type' | 'com' | 'prop' | 'add' | 'del';

/** A coloured piece of one line. */
export interface CodeSpan {
  readonly kind: CodeKind;
  readonly text: string;
}

/** Longer code is shown plain: colour is not worth the time then. */
export const MAX_COLOURED_LINES = 1000;
/** Longer lines (minified code) are shown plain. */
const MAX_COLOURED_CHARS = 2000;

/** A string or block comment that the line leaves open; null at the top level. */
type Carry = { kind: 'str' | 'com'; close: string; raw: boolean } | null;

interface Scan {
  readonly rules: Language;
  readonly line: string;
  readonly spans: CodeSpan[];
  at: number;
  plainFrom: number;
  carry: Carry;
}

/**
 * Colours code by light rules: comments, strings, numbers, keywords, types, calls, properties. One array of spans per
 * line; joining their texts gives the line back. Unknown languages and code over {@link MAX_COLOURED_LINES} stay plain.
 */
export function tokenizeCode(code: string, languageName: string): CodeSpan[][] {
  const lines = code.split('\n');
  const name = languageName.toLowerCase();
  if (name === 'diff' || name === 'patch') return lines.map(diffLine);
  const language = languageFor(name);
  if (!language || lines.length > MAX_COLOURED_LINES) return lines.map(plain);
  let carry: Carry = null;
  return lines.map((line) => {
    if (line.length > MAX_COLOURED_CHARS) return plain(line);
    const scan: Scan = { rules: language.rules, line, spans: [], at: 0, plainFrom: 0, carry };
    if (language.name === 'markup') scanMarkup(scan);
    else scanLine(scan);
    carry = scan.carry;
    return scan.spans;
  });
}

const plain = (line: string): CodeSpan[] => (line === '' ? [] : [{ kind: 'plain', text: line }]);

function diffLine(line: string): CodeSpan[] {
  if (line === '') return [];
  const sign = line[0];
  if (line.startsWith('@@')) return [{ kind: 'fn', text: line }];
  if (line.startsWith('+++') || line.startsWith('---')) return [{ kind: 'com', text: line }];
  return [{ kind: sign === '+' ? 'add' : sign === '-' ? 'del' : 'plain', text: line }];
}

function emit(scan: Scan, kind: CodeKind, end: number): void {
  flushPlain(scan);
  if (end > scan.at) scan.spans.push({ kind, text: scan.line.slice(scan.at, end) });
  scan.at = end;
  scan.plainFrom = end;
}

function flushPlain(scan: Scan): void {
  if (scan.at > scan.plainFrom) {
    scan.spans.push({ kind: 'plain', text: scan.line.slice(scan.plainFrom, scan.at) });
  }
  scan.plainFrom = scan.at;
}

function scanLine(scan: Scan): void {
  if (scan.carry) finishCarry(scan, 0);
  while (scan.at < scan.line.length) {
    if (!(scanComment(scan) || scanString(scan) || scanNumber(scan) || scanName(scan))) scan.at += 1;
  }
  flushPlain(scan);
}

/** Emits from `scan.at` to the end of what is open, searching its close from `scan.at + skip`. */
function finishCarry(scan: Scan, skip: number): void {
  const carry = scan.carry;
  if (!carry) return;
  const end = findClose(scan.line, scan.at + skip, carry.close, carry.raw);
  if (end !== -1) scan.carry = null;
  emit(scan, carry.kind, end === -1 ? scan.line.length : end);
}

/** Offset after the next `close` that no backslash escapes; -1 without one. */
function findClose(line: string, from: number, close: string, raw: boolean): number {
  for (let i = from; i < line.length; i += 1) {
    if (!raw && line[i] === '\\') i += 1;
    else if (line.startsWith(close, i)) return i + close.length;
  }
  return -1;
}

function scanComment(scan: Scan): boolean {
  const { line, at, rules } = scan;
  const block = rules.block.find(([open]) => line.startsWith(open, at));
  if (block) {
    scan.carry = { kind: 'com', close: block[1], raw: true };
    finishCarry(scan, block[0].length);
    return true;
  }
  const opener = rules.line.find((open) => line.startsWith(open, at));
  // `#` opens a comment only after a blank: `$#`, `a#b` and `#include` are none.
  const glued = opener === '#' && at > 0 && !/\s/.test(line[at - 1] ?? '');
  if (!opener || glued) return false;
  emit(scan, 'com', line.length);
  return true;
}

function scanString(scan: Scan): boolean {
  const { line, at, rules } = scan;
  const rule = rules.strings.find(({ open }) => line.startsWith(open, at));
  if (!rule) return false;
  const end = findClose(line, at + rule.open.length, rule.close, rule.raw ?? false);
  if (end === -1 && rule.multiline) {
    scan.carry = { kind: 'str', close: rule.close, raw: rule.raw ?? false };
  }
  const stop = end === -1 ? line.length : end;
  const isProp = rules.props === true && /^\s*:/.test(line.slice(stop));
  emit(scan, isProp ? 'prop' : 'str', stop);
  return true;
}

const NUMBER =
  /(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)[a-zA-Z%]{0,3}/y;

function scanNumber(scan: Scan): boolean {
  const { line, at } = scan;
  const code = line.charCodeAt(at);
  if (code < 48 || code > 57 || isNameChar(scan, line[at - 1])) return false;
  NUMBER.lastIndex = at;
  emit(scan, 'num', at + (NUMBER.exec(line)?.[0].length ?? 1));
  return true;
}

const LETTER = /[\p{L}\p{N}_]/u;
const isNameChar = (scan: Scan, char: string | undefined): boolean =>
  char !== undefined && (LETTER.test(char) || (scan.rules.nameChars?.includes(char) ?? false));

function scanName(scan: Scan): boolean {
  const { line, at } = scan;
  let end = at;
  if (line[end] === '#') end += 1;
  while (end < line.length && isNameChar(scan, line[end])) end += 1;
  if (end === at || (end === at + 1 && line[at] === '#')) return false;
  emit(scan, kindOfName(scan, line.slice(at, end), line.slice(end, end + 40)), end);
  return true;
}

function kindOfName({ rules }: Scan, name: string, rest: string): CodeKind {
  if (rules.keywords.has(rules.caseless ? name.toLowerCase() : name)) return 'key';
  if (rules.props && /^\s*:(?:\s|$)/.test(rest)) return 'prop';
  if (rest.startsWith('(') || rest.startsWith('!(')) return 'fn';
  if (rules.typeCase && /^[A-Z]/.test(name)) return /^[A-Z][A-Z0-9_]+$/.test(name) ? 'num' : 'type';
  return 'plain';
}

const TAG = /<\/?[A-Za-z][\w:.-]*|\/?>/y;
const ATTRIBUTE = /[\w:@.-]+(?=\s*=)/y;

function scanMarkup(scan: Scan): void {
  if (scan.carry) finishCarry(scan, 0);
  let inTag = false;
  while (scan.at < scan.line.length) {
    const { line, at } = scan;
    TAG.lastIndex = at;
    ATTRIBUTE.lastIndex = at;
    const tag = TAG.exec(line)?.[0];
    const attribute = tag === undefined ? ATTRIBUTE.exec(line)?.[0] : undefined;
    if (scanComment(scan)) continue;
    if (tag !== undefined) {
      inTag = tag.startsWith('<');
      emit(scan, 'key', at + tag.length);
    } else if (attribute !== undefined) emit(scan, 'prop', at + attribute.length);
    else if (!(inTag && scanString(scan))) scan.at += 1;
  }
  flushPlain(scan);
}
