import { encodeText, type TextFile } from '../../edit/text-codec';
import { linesWithEndings } from './lines-with-endings';
import type { PendingFile, PendingLines } from './pending-file';
import type { PendingHunk } from './review-hunks';
import { sameShape, shapeFor } from './shape';

/**
 * The bytes of the current file with these hunks taken back. When nothing else is different from the base, they are the
 * base's bytes; otherwise lines come with the line ending they had, in the file's encoding.
 *
 * @param baseBytes of the content that the base began with
 * @throws AppError `unsupported_encoding` when a line can't be written in the file's encoding
 */
export async function withoutHunks(
  file: PendingFile,
  lines: PendingLines,
  hunks: readonly PendingHunk[],
  baseBytes: Buffer | null,
): Promise<Buffer> {
  const { baseFile, currentFile } = lines;
  const isAll = hunks.length === file.hunks.length;
  if (isAll && lines.isBaseExact && baseBytes !== null && baseFile !== null) {
    if (currentFile === null || sameShape(baseFile, currentFile) || !lines.reshaped.byPeople)
      return baseBytes;
  }
  const kept = currentFile ?? baseFile;
  const taken: Piece[] = [];
  let at = 0;
  for (const { change } of hunks) {
    const [oldStart, oldEnd, newStart, newEnd] = change;
    taken.push({ side: 'current', start: at, end: newStart }, { side: 'base', start: oldStart, end: oldEnd });
    at = newEnd;
  }
  taken.push({ side: 'current', start: at, end: lines.current.length });
  return await written(lines, taken, kept, kept === currentFile ? baseFile : null, file.path);
}

/** The bytes of the base with these hunks taken in, written as the current file is. */
export async function withHunks(
  file: PendingFile,
  lines: PendingLines,
  hunks: readonly PendingHunk[],
): Promise<Buffer> {
  const kept = lines.currentFile ?? lines.baseFile;
  const taken: Piece[] = [];
  let at = 0;
  for (const { change } of hunks) {
    const [oldStart, oldEnd, newStart, newEnd] = change;
    taken.push({ side: 'base', start: at, end: oldStart }, { side: 'current', start: newStart, end: newEnd });
    at = oldEnd;
  }
  taken.push({ side: 'base', start: at, end: lines.base.length });
  return await written(lines, taken, kept, kept === lines.currentFile ? lines.baseFile : null, file.path);
}

interface Piece {
  side: 'base' | 'current';
  start: number;
  end: number;
}

async function written(
  lines: PendingLines,
  pieces: readonly Piece[],
  kept: TextFile | null,
  other: TextFile | null,
  path: string,
): Promise<Buffer> {
  const shape =
    kept === null ? { encoding: 'utf-8' as const, bom: false, ending: '\n' as const } : shapeFor(kept, other);
  const ownEndings = kept?.eol === 'mixed';
  const raw = { base: rawLines(lines, lines.base), current: linesWithEndings(lines.currentFile?.raw ?? '') };
  const made = pieces.flatMap(({ side, start, end }) => raw[side].slice(start, end));
  const text = made
    .map((line, at) => {
      const bare = line.replace(/\r?\n$/, '');
      if (bare === line && at === made.length - 1) return line;
      return ownEndings && bare !== line ? line : bare + shape.ending;
    })
    .join('');
  return await encodeText(shape, text, path);
}

/** The base's lines as they were written in the contents they come from. */
function rawLines({ history, baseFile, textOfVersion }: PendingLines, ids: readonly number[]): string[] {
  const split = new Map<number, { ids: Int32Array; lines: string[] }>();
  const versionLine = (id: number): string | undefined => {
    const version = history.birthOf(id);
    if (version < 0) return undefined;
    if (!split.has(version)) {
      const file = textOfVersion(version);
      const own = history.idsOf(version);
      if (file === null || own === null) return undefined;
      split.set(version, { ids: own, lines: linesWithEndings(file.raw) });
    }
    const found = split.get(version);
    return found?.lines[found.ids.indexOf(id)];
  };
  const ending = baseFile?.eol === 'crlf' ? '\r\n' : '\n';
  return ids.map((id) => {
    const key = history.keyOf(id);
    const [text = '', mark] = key.split('\n');
    if (mark !== undefined) return text;
    return baseFile?.eol === 'mixed' ? (versionLine(id) ?? text + ending) : text + ending;
  });
}
