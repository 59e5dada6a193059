import { AppError } from '../../../shared/error';
import { SourceText } from './match/source-text';
import { MATCH_STRATEGIES } from './match/strategies';
import type { Found, MatchStrategy, StrategyName } from './match/strategy';
import { lineOf } from './nearest';
import { ambiguous, noMatch, refuse, type EditPosition } from './refusal';
import type { TextFile } from './text-codec';

export interface TextEdit {
  oldString: string;
  newString: string;
  replaceAll: boolean;
}

export interface EditOutcome {
  /** The whole new text with the file's own line endings; untouched ranges are the old ones, byte for byte. */
  raw: string;
  /** Per edit, in the order given. `line` is 1-based in the old text. */
  edits: { places: number; line: number; strategy: StrategyName }[];
}

/** A place in the LF-normalised text and what goes there; `edit` is which of the edits it is. */
export interface Replacement extends Found {
  edit: number;
}

/**
 * Applies all edits or none. Every edit is looked up in the text as it was, so their order does not matter; two that touch
 * the same range are an error (case-E21). The replaced lines keep their line endings (case-E04).
 *
 * @throws AppError with `detail.reason`: `not_found` (`no_match`), `conflict` (`ambiguous`, `overlap`), `bad_argument`
 *   (`no_change`, `empty_old`)
 */
export function applyEdits(
  file: TextFile,
  edits: readonly TextEdit[],
  name: string,
  strategies: readonly MatchStrategy[] = MATCH_STRATEGIES,
): EditOutcome {
  const source = new SourceText(file.text);
  const replacements: Replacement[] = [];
  const outcomes: EditOutcome['edits'] = [];
  edits.forEach((edit, index) => {
    const found = findPlaces(source, normalise(edit), { name, index, count: edits.length }, strategies);
    replacements.push(...found.replacements);
    outcomes.push({
      places: found.replacements.length,
      line: lineOf(file.text, found.replacements[0]?.start ?? 0),
      strategy: found.strategy,
    });
  });
  replacements.sort((a, b) => a.start - b.start || a.end - b.end);
  refuseOverlaps(file.text, replacements, name);
  return { raw: rebuild(file, replacements), edits: outcomes };
}

/** Models copy line endings and marks from wherever they saw the text; the file's own ones are put back on writing. */
function normalise(edit: TextEdit): TextEdit {
  return {
    oldString: edit.oldString.replace(/^\ufeff/, '').replaceAll('\r\n', '\n'),
    newString: edit.newString.replace(/^\ufeff/, '').replaceAll('\r\n', '\n'),
    replaceAll: edit.replaceAll,
  };
}

function findPlaces(
  source: SourceText,
  edit: TextEdit,
  position: EditPosition,
  strategies: readonly MatchStrategy[],
): { replacements: Replacement[]; strategy: StrategyName } {
  const { oldString: oldText, newString: newText, replaceAll } = edit;
  if (oldText === newText) throw refuse('no_change', position, 'old_string and new_string are the same.');
  if (oldText === '') return { replacements: [fillEmpty(source.text, newText, position)], strategy: 'exact' };
  for (const { name: strategy, find } of strategies) {
    if (strategy !== 'exact' && !source.allowsLoose) break;
    const found = find(source, { oldText, newText });
    if (found.length === 0) continue;
    if (strategy === 'exact' && !replaceAll) found.push(...overlapping(source.text, oldText, found));
    // Only the exact text is safe to be replaced wherever it stands.
    const all = replaceAll && strategy !== 'exact';
    if (found.length > 1 && (all || !replaceAll))
      throw ambiguous(source.text, found, { strategy, all }, position);
    return { replacements: found.map((place) => ({ ...place, edit: position.index })), strategy };
  }
  throw noMatch(source, oldText, position);
}

/** A second place may begin inside the first one, as that of `a\na` in three such lines. */
function overlapping(text: string, oldText: string, found: readonly Found[]): Found[] {
  const [first] = found;
  const at = first === undefined || found.length > 1 ? -1 : text.indexOf(oldText, first.start + 1);
  return at === -1 ? [] : [{ start: at, end: at + oldText.length, text: '' }];
}

/** An empty old_string fills an empty file; in one with text it could mean anything (case-E17). */
function fillEmpty(text: string, newText: string, position: EditPosition): Replacement {
  if (text === '') return { start: 0, end: 0, edit: position.index, text: newText };
  throw refuse(
    'empty_old',
    position,
    'old_string is empty but the file has text. Give the text to replace, or use write_file to replace everything.',
  );
}

function refuseOverlaps(text: string, sorted: readonly Replacement[], name: string): void {
  for (let at = 1; at < sorted.length; at += 1) {
    const [before, after] = [sorted[at - 1] as Replacement, sorted[at] as Replacement];
    if (after.start >= before.end && after.start !== before.start) continue;
    const [first, second] = [before.edit, after.edit].sort((a, b) => a - b) as [number, number];
    throw new AppError(
      'conflict',
      `Edits ${first + 1} and ${second + 1} of \`${name}\` overlap at line ${lineOf(text, after.start)}. Nothing was written; join them into one edit.`,
      { audience: 'model', detail: { reason: 'overlap', path: name, edits: [first + 1, second + 1] } },
    );
  }
}

/** The raw text with the replacements made; sorted, not overlapping. What is outside them stays as it is. */
export function rebuild(file: TextFile, sorted: readonly Replacement[]): string {
  const toRaw = rawOffsets(file);
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end, text } of sorted) {
    const from = toRaw(start);
    const to = toRaw(end);
    pieces.push(file.raw.slice(done, from), withEndings(file, text, from, to));
    done = to;
  }
  pieces.push(file.raw.slice(done));
  return pieces.join('');
}

/** Maps offsets of the normalised text, asked for in ascending order, to offsets of the raw one. */
function rawOffsets(file: TextFile): (offset: number) => number {
  if (file.raw.length === file.text.length) return (offset) => offset;
  let removed = 0;
  let next = file.raw.indexOf('\r\n');
  return (offset) => {
    // The k-th pair's LF stands at (raw index of its CR − pairs before it) in the normalised text.
    while (next !== -1 && next - removed < offset) {
      removed += 1;
      next = file.raw.indexOf('\r\n', next + 2);
    }
    return offset + removed;
  };
}

function withEndings(file: TextFile, text: string, from: number, to: number): string {
  if (file.raw.length === file.text.length || !text.includes('\n')) return text;
  const old = file.raw.slice(from, to).match(/\r?\n/g) ?? [];
  const last = old.at(-1);
  const rest =
    file.raw[to - 1] === '\n' && last !== undefined ? last : (endingAround(file.raw, to) ?? last ?? '\n');
  let index = 0;
  return text.replaceAll('\n', () => old[index++] ?? rest);
}

/** The ending of the line that `offset` is in; for the last line that of the line before. */
function endingAround(raw: string, offset: number): string | null {
  const after = raw.indexOf('\n', offset);
  const at = after === -1 ? raw.lastIndexOf('\n', offset) : after;
  if (at === -1) return null;
  return raw[at - 1] === '\r' ? '\r\n' : '\n';
}
