import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Sha256 } from '../../../shared/model/ids';
import { lineEdits } from './line-edits';
import { mergeDisk } from './merge-disk';
import { followTrail, NO_TRAIL, NO_VERSION, wasUndone, type MergeStep, type TextBase } from './merge-trail';

test('case-D11: typed lines and lines that changed on the disk both stay', () => {
  expect(mergeDisk('a\nb\nc\nd\n', 'a\nb\nc\nd mine\n', 'A\nA2\nb\nc\nd\n')).toEqual({
    text: 'A\nA2\nb\nc\nd mine\n',
    edits: [{ start: 1, end: 2, lines: ['A', 'A2'] }],
    lines: 2,
  });
  expect(mergeDisk('a\nb\nc\n', 'new\na mine\nb\nc\n', 'a\nb\n')).toEqual({
    text: 'new\na mine\nb\n',
    edits: [{ start: 4, end: 5, lines: [] }],
    lines: 1,
  });
  expect(mergeDisk('a\nb\nc', 'a\nb\nc!', 'A\nb\nc')).toMatchObject({ text: 'A\nb\nc!', lines: 1 });
});

test('case-D11: the same lines on both sides, or lines next to each other, are nobody’s to decide here', () => {
  expect(mergeDisk('a\nb\n', 'a\nmine\n', 'a\ntheirs\n')).toBeNull();
  expect(mergeDisk('a\n', 'a\nmine', 'a\ntheirs\n')).toBeNull();
  expect(mergeDisk('a\nb\nc\n', 'a\nb mine\nc\n', '')).toBeNull();
  expect(mergeDisk('a\nb\nc\n', 'a\nb mine\nc\n', 'A\nb\nc\n')).toBeNull();
  expect(mergeDisk('a\nb\n', 'a\nb\nmine', 'all new\n')).toBeNull();
  // Both made the same change: nothing to decide.
  expect(mergeDisk('a\nb\n', 'a\nB\n', 'a\nB\n')).toEqual({ text: 'a\nB\n', edits: [], lines: 1 });
  expect(mergeDisk('a\nb\nc\nd', 'a\nB\nc\nd', 'a\nB\nc\nD')).toMatchObject({
    text: 'a\nB\nc\nD',
    edits: [{ start: 4, end: 5, lines: ['D'] }],
  });
});

test('case-D11: in a long file changes at both ends leave everything between them alone', () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}`);
  const typed = lines.with(10_000, 'typed').join('\n');
  const disk = lines.with(5, 'top').with(19_990, 'bottom').join('\n');
  const merge = mergeDisk(lines.join('\n'), typed, disk);
  expect(merge?.edits.map(({ start, end }) => [start, end])).toEqual([
    [6, 7],
    [19_991, 19_992],
  ]);
  expect(merge?.text.split('\n')[10_000]).toBe('typed');
  const huge = 'x'.repeat(5 * 1024 * 1024);
  expect(mergeDisk(`a\n\n${huge}`, `b\n\n${huge}`, `a\n\n${huge}c`)).toBeNull();
});

test('case-D11: no typed line and no line of the disk is ever lost in a merge', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 });
  const mine = fc.array(fc.tuple(fc.nat(8), fc.boolean()), { maxLength: 3 });
  fc.assert(
    fc.property(text, mine, mine, (lines, ours, theirs) => {
      const changed = (edits: typeof ours, mark: string): string => {
        const copy: string[] = [...lines];
        for (const [at, inserts] of edits) copy.splice(at, inserts ? 0 : 1, `${mark}${at}`);
        return copy.join('\n');
      };
      const merge = mergeDisk(lines.join('\n'), changed(ours, 'mine'), changed(theirs, 'theirs'));
      if (merge === null) return;
      const merged = lineEdits(changed(ours, 'mine'), merge.text).length;
      expect(merged).toBeLessThanOrEqual(merge.edits.length);
      const made = merge.text.split('\n');
      const wanted = [...changed(ours, 'mine').split('\n'), ...changed(theirs, 'theirs').split('\n')];
      for (const line of wanted.filter((each) => /mine|theirs/.test(each))) expect(made).toContain(line);
    }),
    { numRuns: 2000 },
  );
});

const hash = (letter: string): Sha256 => Sha256.parse(letter.repeat(64));
const base = (letter: string, version: number): TextBase => ({ text: letter, hash: hash(letter), version });
const first: MergeStep = { from: 3, to: 4, before: base('1', 1), after: base('2', NO_VERSION) };
const second: MergeStep = { from: 6, to: 7, before: first.after, after: base('3', NO_VERSION) };
const both = { done: [first, second], undone: [] };

test('case-D11: undoing a merge lets the text stand on what it stood on before, redoing on what was merged', () => {
  expect(followTrail(both, 8, 'undo')).toEqual({ trail: both, base: null });
  const back = followTrail(both, 6, 'undo');
  expect(back).toEqual({ trail: { done: [first], undone: [second] }, base: first.after });
  expect(wasUndone(back.trail, hash('3'))).toBe(true);
  const farBack = followTrail(back.trail, 1, 'undo');
  expect(farBack).toEqual({ trail: { done: [], undone: [second, first] }, base: first.before });
  expect(followTrail(both, 2, 'undo').base).toEqual(first.before);
  expect(followTrail(farBack.trail, 3, 'redo').base).toBeNull();
  expect(followTrail(farBack.trail, 7, 'redo')).toEqual({ trail: both, base: second.after });
});

test('case-D11: typing after an undo forgets the merges that can’t be redone', () => {
  const { trail } = followTrail(both, 6, 'undo');
  const typed = followTrail(trail, 9, 'edit');
  expect(typed).toEqual({ trail: { done: [first], undone: [] }, base: null });
  expect(wasUndone(typed.trail, hash('3'))).toBe(false);
  expect(followTrail(NO_TRAIL, 5, 'edit').trail).toBe(NO_TRAIL);
});
