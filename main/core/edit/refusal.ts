import { AppError } from '../../../shared/error';
import { isElision } from './match/elision';
import type { SourceText } from './match/source-text';
import type { Span } from './match/strategy';
import { lineOf, nearestPlace, visible } from './nearest';

type Reason = 'no_change' | 'no_match' | 'ambiguous' | 'empty_old';
const CODES = {
  no_change: 'bad_argument',
  no_match: 'not_found',
  ambiguous: 'conflict',
  empty_old: 'bad_argument',
} as const;
/** Candidates whose text is shown, and whose lines are named. */
const SHOWN = 5;
const NAMED = 20;

/** Which of a call's edits is meant. */
export interface EditPosition {
  name: string;
  index: number;
  count: number;
}

export function refuse(
  reason: Reason,
  { name, index, count }: EditPosition,
  message: string,
  facts: Record<string, unknown> = {},
): AppError {
  const which = count > 1 ? `Edit ${index + 1} of ${count} in \`${name}\`` : `\`${name}\``;
  return new AppError(CODES[reason], `${which}: ${message}`, {
    audience: 'model',
    hint: 'Nothing was written.',
    detail: { reason, path: name, edit: index + 1, ...facts },
  });
}

/** Says where the candidates are, each with the line it begins in. */
export function ambiguous(
  text: string,
  spans: readonly Span[],
  how: { strategy: string; all: boolean },
  position: EditPosition,
): AppError {
  const lines = spans.slice(0, NAMED).map((span) => lineOf(text, span.start));
  const more = spans.length > lines.length ? ', …' : '';
  const loosely = how.strategy === 'exact' ? '' : ` (by ${how.strategy}; nowhere exactly)`;
  const advice = how.all
    ? 'replace_all needs the exact text.'
    : `Add surrounding lines to make it unique${how.strategy === 'exact' ? ', or set replace_all' : ''}.`;
  const split = text.split('\n');
  const shown = [...new Set(lines)]
    .slice(0, SHOWN)
    .map((line) => `\n  line ${line}: ${visible(split[line - 1])}`);
  return refuse(
    'ambiguous',
    position,
    `old_string matches ${spans.length} places (lines ${lines.join(', ')}${more})${loosely}. ${advice}${shown.join('')}`,
    { places: spans.length, lines, strategy: how.strategy },
  );
}

/** Says why nothing was found: a known slip first, then the nearest place and its difference. */
export function noMatch(source: SourceText, wanted: string, position: EditPosition): AppError {
  const slip = slipIn(source.text, wanted);
  const near = nearestPlace(source.text, slip === LINE_NUMBERS ? withoutNumbers(wanted) : wanted);
  return refuse('no_match', position, ['old_string was not found.', slip, near].filter(Boolean).join(' '));
}

const NUMBERED = /^ *\d+(?:\||→|:?\t|: )/;
const LINE_NUMBERS =
  'It has line numbers in it: leave out the numbers and the sign after them, which read_file and grep add.';
const ELIDED =
  'It leaves lines out (`...`): give all lines in full, or edit the parts one by one with `edits`.';
const CASE = 'It is there in other upper and lower case.';

function slipIn(text: string, wanted: string): string {
  const lines = wanted.split('\n').filter((line) => line.trim() !== '');
  if (lines.length > 0 && lines.every((line) => NUMBERED.test(line))) return LINE_NUMBERS;
  if (lines.some(isElision)) return ELIDED;
  return wanted.length > 3 && text.toLowerCase().includes(wanted.toLowerCase()) ? CASE : '';
}

const withoutNumbers = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(NUMBERED, ''))
    .join('\n');
