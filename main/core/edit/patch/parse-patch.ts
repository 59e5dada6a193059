import { malformed } from './patch-error';
import type { Chunk, ChunkLine, PatchSection } from './patch';
import { unwrapPatch, type NumberedLine } from './unwrap-patch';

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const END_OF_FILE = '*** End of File';
const HEADER = /^\*\*\* (Add|Delete|Update) File:(.*)$/;
const MOVE = /^\*\*\* Move to:(.*)$/;
/** What unified diffs have after `@@`: positions, which say nothing here. */
const POSITIONS = /^-\d+(?:,\d+)? \+\d+(?:,\d+)?(?: @@.*)?$/;

/**
 * Reads a patch in the V4A form, strictly: every line must be what its place allows.
 *
 * @throws AppError `bad_argument` with the line (`detail.line`)
 */
export function parsePatch(patch: string): PatchSection[] {
  const lines = unwrapPatch(patch);
  const [first] = lines;
  const last = lines.at(-1);
  if (first?.text.trim() !== BEGIN) throw malformed(first?.line ?? 1, `the first line must be \`${BEGIN}\``);
  if (last === undefined || lines.length < 2 || last.text.trim() !== END)
    throw malformed(last?.line ?? 1, `the last line must be \`${END}\``);
  const reader = new PatchReader(lines.slice(1, -1));
  const sections = reader.sections();
  if (sections.length === 0) throw malformed(last.line, 'it changes no file');
  return sections;
}

class PatchReader {
  private at = 0;

  constructor(private readonly lines: readonly NumberedLine[]) {}

  sections(): PatchSection[] {
    const sections: PatchSection[] = [];
    for (let line = this.next(); line !== undefined; line = this.next()) {
      if (line.text.trim() === '') continue;
      sections.push(this.section(line));
    }
    return sections;
  }

  private next(): NumberedLine | undefined {
    return this.lines[this.at++];
  }

  private peek(): NumberedLine | undefined {
    return this.lines[this.at];
  }

  private section({ text, line }: NumberedLine): PatchSection {
    // Between sections nothing but a header can stand, so blanks before it do no harm.
    const header = HEADER.exec(text.trim());
    if (header === null)
      throw malformed(line, `a file header such as \`*** Update File: path\` must stand here`);
    const path = (header[2] ?? '').trim();
    if (path === '') throw malformed(line, 'the path is missing');
    if (header[1] === 'Delete') return { kind: 'delete', path, line };
    return header[1] === 'Add' ? this.added(path, line) : this.updated(path, line);
  }

  private added(path: string, line: number): PatchSection {
    let text = '';
    for (let next = this.peek(); next?.text.startsWith('+') === true; next = this.peek()) {
      text += `${next.text.slice(1)}\n`;
      this.at += 1;
    }
    return { kind: 'add', path, line, text };
  }

  private updated(path: string, line: number): PatchSection {
    const moveTo = this.moveTarget();
    const chunks: Chunk[] = [];
    for (let next = this.peek(); next !== undefined && !isHeader(next.text); next = this.peek()) {
      if (next.text.trim() === '' && this.onlyBlanksAhead()) break;
      chunks.push(this.chunk(next, chunks.length === 0));
    }
    if (chunks.length === 0 && moveTo === null) throw malformed(line, `\`${path}\` has no change`);
    return { kind: 'update', path, line, moveTo, chunks };
  }

  private moveTarget(): string | null {
    const next = this.peek();
    const move = next && MOVE.exec(next.text.trim());
    if (!next || !move) return null;
    this.at += 1;
    const target = (move[1] ?? '').trim();
    if (target === '') throw malformed(next.line, 'the path to move to is missing');
    return target;
  }

  /** Whether nothing of the section is left but blank lines; they are skipped. */
  private onlyBlanksAhead(): boolean {
    const ahead = this.lines.slice(this.at);
    const end = ahead.findIndex(({ text }) => text.trim() !== '');
    const next = end === -1 ? undefined : ahead[end];
    if (next !== undefined && !isHeader(next.text)) return false;
    this.at += end === -1 ? ahead.length : end;
    return true;
  }

  private chunk({ line }: NumberedLine, first: boolean): Chunk {
    const anchors = this.anchors(line, first);
    const lines: ChunkLine[] = [];
    let endOfFile = false;
    for (let next = this.peek(); next !== undefined; next = this.peek()) {
      if (next.text.trimEnd() === END_OF_FILE) {
        this.at += 1;
        endOfFile = true;
        break;
      }
      if (isHeader(next.text) || next.text.startsWith('@@')) break;
      lines.push(chunkLine(next));
      this.at += 1;
    }
    while (lines.at(-1)?.kind === 'context' && this.isEmptyLine(lines.at(-1))) lines.pop();
    if (lines.every(({ kind }) => kind === 'context'))
      throw malformed(line, lines.length === 0 ? 'the chunk is empty' : 'the chunk changes nothing');
    return { line, anchors, lines, endOfFile };
  }

  /** Lines without any character between chunks belong to none of them. */
  private isEmptyLine(line: ChunkLine | undefined): boolean {
    return line !== undefined && this.lines.find((each) => each.line === line.line)?.text === '';
  }

  private anchors(line: number, first: boolean): Chunk['anchors'] {
    const anchors: Chunk['anchors'] = [];
    let headers = 0;
    let bare = false;
    for (let next = this.peek(); next?.text.startsWith('@@') === true; next = this.peek()) {
      if (bare) throw malformed(next.line - 1, 'the chunk is empty');
      const text = next.text.slice(2).replace(/^ /, '').trimEnd();
      bare = text.trim() === '';
      if (!bare && !POSITIONS.test(text.trim())) anchors.push({ text, line: next.line });
      headers += 1;
      this.at += 1;
    }
    if (headers === 0 && !first) throw malformed(line, 'a chunk begins with `@@`');
    if (this.peek() === undefined) throw malformed(line, 'the chunk is empty');
    return anchors;
  }
}

/** Markers stand at the beginning of a line: after `+`, `-` or a space they are text of the file. */
const isHeader = (text: string): boolean => text.startsWith('***') && text.trimEnd() !== END_OF_FILE;

const KINDS: Record<string, ChunkLine['kind']> = { ' ': 'context', '+': 'add', '-': 'delete' };

function chunkLine({ text, line }: NumberedLine): ChunkLine {
  if (text === '') return { kind: 'context', text: '', line };
  const kind = KINDS[text.charAt(0)];
  if (kind === undefined) throw malformed(line, 'a line of a chunk begins with a space, `+` or `-`');
  return { kind, text: text.slice(1), line };
}
