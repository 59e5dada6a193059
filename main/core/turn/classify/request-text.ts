/** A request taken apart: what the user says, and what they pasted. */
export interface RequestText {
  /** The user's own words: code, traces and compiler output are out; code in backticks is named `x`. */
  prose: string;
  wordCount: number;
  /** A stack trace or compiler error was pasted. */
  hasTrace: boolean;
  hasCode: boolean;
  /** Files named anywhere outside pasted text. */
  files: string[];
  /** Entries of a list of things to do. */
  listItems: number;
}

/** Lines of stack traces, test reports and compilers; any language that prints them. */
const TRACE_LINES: readonly RegExp[] = [
  /^\s*at\s+\S.*[:(]/,
  /^\s*File ".*", line \d+/,
  /^Traceback \(most recent call last\)/,
  /^(?:[\w.]+)?(?:Error|Exception|Warning|Panic)(?:\s*\[\w+\])?\s*[:(]/,
  /^(?:error|fatal|panic|warning)(?:\s+\w+\d+|\[\w+\])?\s*:/i,
  /^\s*(?:FAIL|FAILED|✗|×|✕)\s/,
  /^[\w./\\-]+\.\w+:\d+(?::\d+)?/,
  /^goroutine \d+/,
  /^\s*(?:-->|\|)\s/,
  /^[\w.$/]+\([^)]*\)(?:\s\+0x\w+)?$/,
  /^\s+\/\S+:\d+/,
  /^npm ERR!/,
];

const FENCE = /```[\s\S]*?(?:```|$)/g;
const FILE =
  /(?:\.{0,2}\/)?(?:[\w@.+-]+\/)+[\w@+-]+\.\w{1,8}\b|\b(?:src|lib|app|apps|tests?|packages|docs|config|server|client|main|core|components|pages|api|utils|helpers|auth)\/[\w@./+-]*|\b[\w@+-]+\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|css|scss|html?|vue|svelte|json|ya?ml|toml|md|sql|sh|txt|lock|xml|ini)\b|\b(?:README|Dockerfile|Makefile|LICENSE|CHANGELOG)\b/g;

/** What a request is about stands at its beginning or its end; the patterns' time grows with the square of the length. */
const HEAD_CHARS = 4_000;
const TAIL_CHARS = 2_000;
const LONG_WORD = /\S{80,}/g;

/** The parts of a request that classification reads. */
export function boundedRequest(text: string): string {
  const part =
    text.length <= HEAD_CHARS + TAIL_CHARS
      ? text
      : `${text.slice(0, HEAD_CHARS)}\n${text.slice(-TAIL_CHARS)}`.toWellFormed();
  return part.replaceAll(LONG_WORD, 'x');
}

const isTrace = (line: string): boolean => TRACE_LINES.some((shape) => shape.test(line));

export function readRequest(text: string): RequestText {
  const part = boundedRequest(text);
  const withoutCode = part.replaceAll(FENCE, '\n');
  const lines = withoutCode.split(/\r?\n/);
  const own = lines.filter((line) => !isTrace(line));
  // Source lines of a trace stand between its frames, indented.
  const hasTrace = own.length < lines.length;
  const prose = own
    .filter((line) => !(hasTrace && /^(?: {4}|\t)\S/.test(line)))
    .join('\n')
    .trim();
  return {
    prose,
    wordCount: (prose.match(/[\p{L}\p{N}_'-]+/gu) ?? []).length,
    hasTrace: hasTrace || /\b\w*(?:Error|Exception)\b\s*:/.test(withoutCode),
    hasCode: withoutCode !== part,
    files: [...new Set(prose.match(FILE) ?? [])],
    listItems: (prose.match(/^\s*(?:\d+[.)]|[-*•])\s+\S/gm) ?? []).length,
  };
}
