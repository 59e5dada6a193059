/** Characters of one line that are shown (case-G14). */
export const LINE_CHARS = 2000;
const NEWLINE = 0x0a;
/** A character takes at most this many bytes. */
const MAX_BYTES_PER_CHAR = 4;

/** Some consecutive lines of a file and how many it has. */
export interface LineWindow {
  /** Without line breaks; long ones clipped and marked. */
  lines: string[];
  totalLines: number;
}

/** Lines `first` (1-based) and following, at most `count`, of LF text. */
export function windowOf(text: string, first: number, count: number): LineWindow {
  const lines: string[] = [];
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); ; end = text.indexOf('\n', start)) {
    const last = end === -1;
    const stop = last ? text.length : end;
    // Text after the last line break is a line only if there is any.
    if (last && stop === start) break;
    if (line >= first && lines.length < count)
      lines.push(clipLine(text.slice(start, Math.min(stop, start + LINE_CHARS)), stop - start));
    line += 1;
    start = stop + 1;
    if (last) break;
  }
  return { lines, totalLines: line - 1 };
}

function clipLine(head: string, length: number): string {
  return length > LINE_CHARS ? `${head} … [line has ${length} characters]` : head;
}

/** The same for a file that is read in pieces; holds the wanted lines only. */
export class LineScanner {
  private readonly lines: string[] = [];
  private line = 1;
  private head: Buffer[] = [];
  private headBytes = 0;
  private lineBytes = 0;

  constructor(
    private readonly first: number,
    private readonly count: number,
  ) {}

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.append(chunk, start, end);
      this.finishLine();
      start = end + 1;
    }
    this.append(chunk, start, chunk.length);
  }

  end(): LineWindow {
    if (this.lineBytes > 0) this.finishLine();
    return { lines: this.lines, totalLines: this.line - 1 };
  }

  private wanted(): boolean {
    return this.line >= this.first && this.lines.length < this.count;
  }

  private append(chunk: Buffer, start: number, end: number): void {
    this.lineBytes += end - start;
    const room = LINE_CHARS * MAX_BYTES_PER_CHAR - this.headBytes;
    if (!this.wanted() || room <= 0 || end === start) return;
    // Copied, so that one kept line does not hold a whole chunk in memory.
    const piece = Buffer.from(chunk.subarray(start, Math.min(end, start + room)));
    this.head.push(piece);
    this.headBytes += piece.length;
  }

  private finishLine(): void {
    if (this.wanted()) {
      const text = Buffer.concat(this.head).toString('utf8').replace(/\r$/, '');
      const long = text.length > LINE_CHARS || this.lineBytes > this.headBytes;
      this.lines.push(long ? `${text.slice(0, LINE_CHARS)} … [line has ${this.lineBytes} bytes]` : text);
    }
    this.line += 1;
    this.head = [];
    this.headBytes = 0;
    this.lineBytes = 0;
  }
}
