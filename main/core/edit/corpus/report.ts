import { z } from 'zod';
import { applyEdits } from '../replace';
import { MATCH_STRATEGIES } from '../match/strategies';
import { textFile } from '../text-codec';

/** One edit as a model makes it, and what is right: the text of the file afterwards, or null for a refusal. */
export const Attempt = z.strictObject({
  id: z.string(),
  /** The slip, as `tabs-for-spaces`. */
  kind: z.string(),
  file: z.string(),
  old: z.string(),
  new: z.string(),
  replaceAll: z.boolean().optional(),
  right: z.string().nullable(),
});
export type Attempt = z.infer<typeof Attempt>;

export interface Judged {
  attempt: Attempt;
  /** Which strategy applied it; null when it was refused. */
  strategy: string | null;
  /** The text it left, or the refusal's message. */
  got: string;
  verdict: 'accepted-right' | 'accepted-wrong' | 'refused-right' | 'refused-wrong';
}

/** One attempt per line. */
export const parseAttempts = (text: string): Attempt[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Attempt.parse(JSON.parse(line)));

export function judge(attempt: Attempt): Judged {
  const { file, old, right } = attempt;
  const edit = { oldString: old, newString: attempt.new, replaceAll: attempt.replaceAll ?? false };
  try {
    const outcome = applyEdits(textFile(file, 'utf-8', false), [edit], attempt.id);
    const verdict = outcome.raw === right ? 'accepted-right' : 'accepted-wrong';
    return { attempt, strategy: outcome.edits[0]?.strategy ?? null, got: outcome.raw, verdict };
  } catch (error) {
    const got = error instanceof Error ? error.message : String(error);
    return { attempt, strategy: null, got, verdict: right === null ? 'refused-right' : 'refused-wrong' };
  }
}

/** Counts per strategy: attempts that it applied rightly or wrongly; the last rows are what all of them refused. */
export function formatReport(judged: readonly Judged[]): string {
  const count = (strategy: string | null, verdict: Judged['verdict']): string =>
    String(judged.filter((each) => each.strategy === strategy && each.verdict === verdict).length).padStart(
      16,
    );
  const rows = MATCH_STRATEGIES.map(
    ({ name }) => name.padEnd(24) + count(name, 'accepted-right') + count(name, 'accepted-wrong'),
  );
  return [
    `${''.padEnd(24)}${'accepted-right'.padStart(16)}${'accepted-wrong'.padStart(16)}`,
    ...rows,
    `${'refused, rightly'.padEnd(24)}${count(null, 'refused-right')}`,
    `${'refused, needlessly'.padEnd(24)}${count(null, 'refused-wrong')}`,
    `${judged.length} attempts of ${new Set(judged.map(({ attempt }) => attempt.kind)).size} kinds`,
  ].join('\n');
}
