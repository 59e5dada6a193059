import { expect, test } from 'vitest';
import { call, stepOf, times } from '../testing/steps';
import { RepeatedText } from './repeated-text';
import { jaccard, shingles, wordsOf } from './similarity';

const LONG =
  'I will now look at the configuration loader once more, since the value of the timeout has to come from there, and then I will decide whether it has to be changed.';

const said = (guard: RepeatedText, texts: readonly string[], edits: readonly number[] = []) =>
  texts.flatMap((text, at) => {
    const changedFiles = edits.includes(at) ? 1 : 0;
    const verdict = guard.observe(
      stepOf(at + 1, [call('read_file', { path: String(at) }, { changedFiles })], text),
    );
    return verdict ? [[at + 1, Object.keys(verdict)[0]]] : [];
  });

test('near-duplicate text is measured by shared three-word shingles (Jaccard)', () => {
  const set = (text: string) => shingles(wordsOf(text));
  expect(jaccard(set(LONG), set(LONG))).toBe(1);
  expect(jaccard(set(LONG), set(LONG.replace('once more', 'again')))).toBeGreaterThan(0.75);
  expect(jaccard(set(LONG), set('Something else altogether, with other words in it.'))).toBe(0);
  expect(jaccard(set(''), set(''))).toBe(0);
});

test('nearly the same text four times is nudged, six times refused, eight times the end', () => {
  const texts = times(8, (at) => LONG.replace('once more', `once more (${at})`));
  expect(said(new RepeatedText(), texts)).toEqual([
    [4, 'nudge'],
    [6, 'refusal'],
    [8, 'stop'],
  ]);
});

test('short announcements, different texts and steps that change a file are no loop', () => {
  expect(
    said(
      new RepeatedText(),
      times(20, () => 'Next file.'),
    ),
  ).toEqual([]);
  expect(
    said(
      new RepeatedText(),
      times(20, (at) => times(30, (word) => `word${at}x${word}`).join(' ')),
    ),
  ).toEqual([]);
  expect(
    said(
      new RepeatedText(),
      times(20, () => LONG),
      [2, 5, 8, 11, 14, 17],
    ),
  ).toEqual([]);
});

test('the refusal is for the tools of the repeated step, never for attempt_completion', () => {
  const guard = new RepeatedText();
  const verdicts = times(6, (at) => guard.observe(stepOf(at + 1, [call('read_file', { at })], LONG)));
  const refusal = verdicts[5]?.refusal;
  expect(refusal?.refuses(call('read_file', { at: 99 }))).toBe(true);
  expect(refusal?.refuses(call('edit_file'))).toBe(false);
  expect(refusal?.refuses(call('attempt_completion'))).toBe(false);
});
