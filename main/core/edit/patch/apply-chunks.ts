import { AppError } from '../../../../shared/error';
import { fitReplacement } from '../match/fit-replacement';
import type { Fold } from '../match/fold';
import { IndentMap, indentUnit } from '../match/indent-map';
import { SourceText } from '../match/source-text';
import { nearestPlace } from '../nearest';
import { rebuild, type Replacement } from '../replace';
import type { TextFile } from '../text-codec';
import { placeOf, type Placed } from './place-chunk';
import type { Chunk } from './patch';

export interface PatchedText {
  /** The whole new text with the file's own line endings. */
  raw: string;
  notes: string[];
  /** The loosest way in which a chunk was found; absent when all were found exactly. */
  match?: string;
}

const LOOSE: Record<Fold, string> = {
  plain: 'line-trimmed',
  spaces: 'indentation-flexible',
  unicode: 'unicode-normalised',
};

/**
 * Applies the chunks of one file in order, all or none. Lines that are context stay as the file has them; a last line
 * without a line break gets one (case-P16).
 *
 * @throws AppError `not_found` (`no_match`), `conflict` (`ambiguous`), `bad_argument` (`no_change`)
 */
export function applyChunks(file: TextFile, chunks: readonly Chunk[], name: string): PatchedText {
  const completed = file.text === '' || file.finalNewline ? file : withFinalBreak(file);
  const source = new SourceText(completed.text);
  const replacements: Replacement[] = [];
  const matches = new Set<string>();
  let cursor = 0;
  for (const [index, chunk] of chunks.entries()) {
    const placed = placeOf(source, chunk, cursor, {
      name,
      index,
      nearest: (lines) => nearest(completed, lines),
    });
    if (placed.loose) matches.add(LOOSE[placed.fold]);
    replacements.push(...replacementsOf(source, chunk, placed, index));
    cursor = placed.end;
  }
  const raw = rebuild(completed, replacements);
  if (raw === file.raw) throw noChange(name);
  return {
    raw,
    notes: completed === file ? [] : ['a line break was added at the end of the file'],
    ...(matches.size === 0 ? {} : { match: [...matches].join(', ') }),
  };
}

const nearest = (file: TextFile, lines: readonly string[]): string =>
  nearestPlace(file.text, lines.join('\n'));

function withFinalBreak(file: TextFile): TextFile {
  const last = file.raw.lastIndexOf('\n');
  const ending = last > 0 && file.raw[last - 1] === '\r' ? '\r\n' : '\n';
  return { ...file, raw: file.raw + ending, text: `${file.text}\n`, finalNewline: true };
}

/** One replacement per run of changed lines, so that the context in between is not touched. */
function replacementsOf(source: SourceText, chunk: Chunk, placed: Placed, edit: number): Replacement[] {
  const texts = chunk.lines.map(({ text }) => text);
  const indents = new IndentMap(placed.indents, texts, indentUnit(source.lines));
  const made: Replacement[] = [];
  let line = placed.start;
  for (let at = 0; at < chunk.lines.length;) {
    if (chunk.lines[at]?.kind === 'context') {
      line += 1;
      at += 1;
      continue;
    }
    const run = runFrom(chunk, at);
    at += run.length;
    const removed = run.filter(({ kind }) => kind === 'delete').map(({ text }) => text);
    const added = run.filter(({ kind }) => kind === 'add').map(({ text }) => text);
    const pairs = removed.map((asked, step) => ({ asked, file: lineAt(source, line + step) }));
    const fitted = fitReplacement(pairs, added, { fold: placed.fold, indents });
    const [start, end] = [offsetOf(source, line), offsetOf(source, line + removed.length)];
    made.push({ start, end, edit, text: fitted.map((text) => `${text}\n`).join('') });
    line += removed.length;
  }
  return made;
}

function runFrom(chunk: Chunk, from: number): Chunk['lines'] {
  const end = chunk.lines.findIndex(({ kind }, at) => at >= from && kind === 'context');
  return chunk.lines.slice(from, end === -1 ? undefined : end);
}

function lineAt({ lines }: SourceText, at: number): string {
  const line = lines[at];
  return line === undefined ? '' : line.indent + line.body + line.trail;
}

const offsetOf = ({ lines, text }: SourceText, at: number): number => lines[at]?.offset ?? text.length;

const noChange = (name: string): AppError =>
  new AppError('bad_argument', `The patch leaves \`${name}\` as it is.`, {
    audience: 'model',
    hint: 'Nothing was written.',
    detail: { reason: 'no_change', path: name },
  });
