/** Where strict JSON parsing stops and whether only the end of the text is missing. */
export interface JsonFault {
  /** 0-based offset of the first character that can't be right; the length of the text when it just ends. */
  position: number;
  /** True when the text is the beginning of valid JSON: a longer text could still parse. */
  truncated: boolean;
}

const LITERAL = /true|false|null/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Everything that may stand in a string as it is: no quote, backslash or control character. */
const PLAIN = String.raw`[\u0020\u0021\u0023-\u005b\u005d-\uffff]`;
const STRING_BODY = String.raw`"(?:${PLAIN}|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*`;
const STRING = new RegExp(`${STRING_BODY}"`, 'y');
const STRING_START = new RegExp(String.raw`${STRING_BODY}(?:\\(?:u[0-9a-fA-F]{0,3})?)?`, 'y');
const SPACE = /[ \t\n\r]*/y;

class Fault extends Error {
  constructor(readonly position: number) {
    super('json fault');
  }
}

/**
 * Finds the place where `text` stops being JSON; null when it is JSON. Own scanner because the engine's messages name
 * no stable position for text that ends early. Slower than JSON.parse, so call it only after that has failed.
 */
export function findJsonFault(text: string): JsonFault | null {
  try {
    const end = skip(text, readValue(text, skip(text, 0), 0));
    return end === text.length ? null : { position: end, truncated: false };
  } catch (error) {
    if (error instanceof Fault) return { position: error.position, truncated: error.position >= text.length };
    throw error;
  }
}

function match(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

const skip = (text: string, at: number): number => match(SPACE, text, at);

function readValue(text: string, at: number, depth: number): number {
  if (depth > 500) throw new Fault(at);
  const first = text[at];
  if (first === '{') return readObject(text, at, depth);
  if (first === '[') return readList(text, at, depth);
  if (first === '"') return readString(text, at);
  return readScalar(text, at);
}

function readScalar(text: string, at: number): number {
  const literal = match(LITERAL, text, at);
  if (literal !== -1) return literal;
  const number = match(NUMBER, text, at);
  const rest = text.slice(at);
  if (number !== -1) return number;
  const begun =
    rest === '' || rest === '-' || ['true', 'false', 'null'].some((word) => word.startsWith(rest));
  throw new Fault(begun ? text.length : at);
}

function readString(text: string, at: number): number {
  if (text[at] !== '"') throw new Fault(at);
  const end = match(STRING, text, at);
  if (end !== -1) return end;
  throw new Fault(Math.max(at, match(STRING_START, text, at)));
}

function expect(text: string, at: number, char: string): number {
  if (text[at] !== char) throw new Fault(at);
  return at + 1;
}

function readObject(text: string, start: number, depth: number): number {
  let at = skip(text, start + 1);
  if (text[at] === '}') return at + 1;
  for (;;) {
    at = expect(text, skip(text, readString(text, at)), ':');
    at = skip(text, readValue(text, skip(text, at), depth + 1));
    if (text[at] === '}') return at + 1;
    at = skip(text, expect(text, at, ','));
  }
}

function readList(text: string, start: number, depth: number): number {
  let at = skip(text, start + 1);
  if (text[at] === ']') return at + 1;
  for (;;) {
    at = skip(text, readValue(text, at, depth + 1));
    if (text[at] === ']') return at + 1;
    at = skip(text, expect(text, at, ','));
  }
}
