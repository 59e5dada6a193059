import { readFileSync, statSync } from 'node:fs';
import { replaceFile } from '../settings/replace-file';

/** Characters of MEMORY.md that are kept, and of its newest notes that go into the prompt (M4). */
export const KEPT_CHARS = 6_144;
export const PROMPT_CHARS = 2_048;
const MAX_BYTES = 1_000_000;

/**
 * Whole lines from the end that fit together; a single line that does not is cut.
 *
 * @returns '' for an empty text
 */
export function newestLines(text: string, limit: number): string {
  const lines = text.trimEnd().split('\n');
  const kept: string[] = [];
  let length = 0;
  for (const line of lines.toReversed()) {
    if (length + line.length + 1 > limit) break;
    kept.unshift(line);
    length += line.length + 1;
  }
  if (kept.length > 0 || lines.length === 0) return kept.join('\n').trim();
  return (lines.at(-1) ?? '').slice(0, limit).toWellFormed().trim();
}

/** One project's MEMORY.md: a list of notes, oldest first, that people may edit. */
export class MemoryFile {
  private writing: Promise<unknown> = Promise.resolve();

  constructor(readonly path: string) {}

  /** '' when there is none, or when it is nothing a person would have written. */
  read(): string {
    try {
      const facts = statSync(this.path, { throwIfNoEntry: false });
      if (!facts?.isFile() || facts.size > MAX_BYTES) return '';
      return readFileSync(this.path, 'utf8')
        .replace(/^\uFEFF/, '')
        .replaceAll('\r\n', '\n');
    } catch {
      // What can't be read is not remembered; writing tells of the trouble.
      return '';
    }
  }

  /**
   * Adds a line at the end; a line with the same words is moved there, the oldest ones go when there is no more room.
   *
   * @throws AppError `disk_full`, `io_failed`
   */
  append(line: string): Promise<void> {
    const write = async (): Promise<void> => {
      const words = (each: string): string => each.replace(/^- (?:\d{4}-\d{2}-\d{2}: )?/, '').trim();
      const others = this.read()
        .split('\n')
        .filter((each) => each.trim() !== '' && words(each) !== words(line));
      await replaceFile(this.path, `${newestLines([...others, line].join('\n'), KEPT_CHARS)}\n`);
    };
    const done = this.writing.then(write, write);
    this.writing = done.catch(() => undefined);
    return done;
  }
}
