/** One line that ripgrep printed: a match, or a line of context round one. */
export interface FoundLine {
  path: string;
  line: number;
  kind: 'match' | 'context';
  text: string;
}

const NUL = 0;
const NEWLINE = 0x0a;
const COLON = 0x3a;
const DASH = 0x2d;
/** Lines kept for sorting; beyond them matches are only counted. */
const KEEP_LINES = 2000;
/** A search with more matches than this is ended: the pattern is too wide to be of use. */
export const MAX_COUNTED = 20_000;
const LINE_CHARS = 500;
const BEFORE_MATCH = 150;
const BINARY_NOTE = /^(.*): binary file matches \(found [^\n]*\)\n/;

/**
 * Reads ripgrep's `path NUL line:column:text` as it streams in. Only the lines that may be shown become strings; a match
 * deep in a line of megabytes is cut out round the match (case-G04, G05).
 */
export class MatchReader {
  readonly lines: FoundLine[] = [];
  /** Names of binary files with a match (case-G11). */
  readonly binaries: string[] = [];
  matches = 0;
  /** Something came that is no line of ripgrep's. */
  isOdd = false;
  private waiting: Buffer[] = [];

  /** @param accepts asked once per file; others are neither kept nor counted */
  constructor(private readonly accepts: ((path: string) => boolean) | null) {}

  private readonly accepted = new Map<string, boolean>();

  /** @returns false when enough was seen */
  push(chunk: Buffer): boolean {
    this.waiting.push(chunk);
    if (!chunk.includes(NEWLINE)) return true;
    const bytes = this.waiting.length === 1 ? chunk : Buffer.concat(this.waiting);
    const rest = this.readRecords(bytes);
    this.waiting = rest === bytes.length ? [] : [bytes.subarray(rest)];
    return this.matches < MAX_COUNTED;
  }

  /** Call when the output has ended: notes on binary files come last and have no NUL after them. */
  end(): void {
    if (this.pathOf(Buffer.concat(this.waiting)) !== '') this.isOdd = true;
    this.waiting = [];
  }

  private readRecords(bytes: Buffer): number {
    let at = 0;
    for (;;) {
      const nul = bytes.indexOf(NUL, at);
      const end = nul === -1 ? -1 : bytes.indexOf(NEWLINE, nul);
      if (end === -1) return at;
      this.readRecord(bytes.subarray(at, nul), bytes.subarray(nul + 1, end));
      at = end + 1;
    }
  }

  private readRecord(head: Buffer, body: Buffer): void {
    let digits = 0;
    while (digits < body.length && body[digits] !== COLON && body[digits] !== DASH) digits += 1;
    const isMatch = body[digits] === COLON;
    const full = this.lines.length >= KEEP_LINES;
    if (full && this.accepts === null) {
      if (isMatch) this.matches += 1;
      return;
    }
    const line = Number(body.toString('latin1', 0, digits));
    if (digits === 0 || !Number.isInteger(line)) {
      this.isOdd = true;
      return;
    }
    const path = this.pathOf(head);
    if (!this.isAccepted(path)) return;
    if (isMatch) this.matches += 1;
    if (full) return;
    if (!isMatch) {
      this.lines.push({ path, line, kind: 'context', text: clip(body.subarray(digits + 1), 0) });
      return;
    }
    const columnEnd = body.indexOf(COLON, digits + 1);
    const column = Number(body.toString('latin1', digits + 1, columnEnd));
    this.lines.push({ path, line, kind: 'match', text: clip(body.subarray(columnEnd + 1), column - 1) });
  }

  /** The path before a NUL, freed of notes on binary files that stand before it. */
  private pathOf(head: Buffer): string {
    let text = head.toString('utf8');
    for (let note = BINARY_NOTE.exec(text); note !== null; note = BINARY_NOTE.exec(text)) {
      const name = withoutDot(note[1] ?? '');
      if (this.isAccepted(name)) this.binaries.push(name);
      text = text.slice(note[0].length);
    }
    return withoutDot(text);
  }

  private isAccepted(path: string): boolean {
    if (this.accepts === null) return true;
    let known = this.accepted.get(path);
    if (known === undefined) {
      known = this.accepts(path);
      this.accepted.set(path, known);
    }
    return known;
  }
}

const withoutDot = (printed: string): string => (printed.startsWith('./') ? printed.slice(2) : printed);

/** At most {@link LINE_CHARS} characters round byte `at`. */
function clip(text: Buffer, at: number): string {
  if (text.length <= LINE_CHARS) return text.toString('utf8').replace(/\r$/, '');
  const from = Math.max(0, at - BEFORE_MATCH);
  const piece = text.subarray(from, from + LINE_CHARS - 2);
  // The cut may have split a character at either end.
  const whole = piece.toString('utf8').replace(/^\ufffd+|\ufffd+$/g, '');
  return `${from > 0 ? '…' : ''}${whole}${from + piece.length < text.length ? '…' : ''}`;
}
