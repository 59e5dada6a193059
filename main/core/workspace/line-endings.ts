import { diff } from 'fast-myers-diff';
import { dominantEnding, type TextFile } from '../edit/text-codec';

/** Each line without its ending, and the endings beside it; the last line has none. */
function splitLines(raw: string): { lines: string[]; endings: string[] } {
  const lines: string[] = [];
  const endings: string[] = [];
  let start = 0;
  for (let at = raw.indexOf('\n'); at !== -1; at = raw.indexOf('\n', start)) {
    const isCrlf = at > start && raw[at - 1] === '\r';
    lines.push(raw.slice(start, isCrlf ? at - 1 : at));
    endings.push(isCrlf ? '\r\n' : '\n');
    start = at + 1;
  }
  lines.push(raw.slice(start));
  endings.push('');
  return { lines, endings };
}

/** Ending of each new line: lines that stayed keep theirs, changed ones take the one of the line they replace. */
function mixedEndings(old: ReturnType<typeof splitLines>, lines: readonly string[], usual: string): string[] {
  const endings: string[] = [];
  let oldAt = 0;
  const keepTo = (end: number): void => {
    while (oldAt < end) endings.push(old.endings[oldAt++] ?? usual);
  };
  for (const [oldStart, oldEnd, newStart, newEnd] of diff(old.lines, [...lines])) {
    keepTo(oldStart);
    for (let i = 0; i < newEnd - newStart; i += 1) {
      const replaced = oldStart + i < oldEnd ? old.endings[oldStart + i] : undefined;
      endings.push(replaced === undefined || replaced === '' ? usual : replaced);
    }
    oldAt = oldEnd;
  }
  keepTo(old.lines.length);
  return endings.map((ending) => (ending === '' ? usual : ending));
}

/**
 * Editor text (LF only) with the line endings of the file it came from; an unchanged text gives back `file.raw` (case-D10).
 */
export function restoreLineEndings(file: TextFile, text: string): string {
  if (text === file.text) return file.raw;
  if (file.eol === 'lf' || file.eol === 'none') return text;
  if (file.eol === 'crlf') return text.replaceAll('\n', '\r\n');
  const lines = text.split('\n');
  const endings = mixedEndings(splitLines(file.raw), lines, dominantEnding(file));
  return lines
    .map((line, index) => line + (index < lines.length - 1 ? (endings[index] ?? '\n') : ''))
    .join('');
}
