import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { FileDiff } from '../../../shared/model/diff';
import { diffFile } from './diff';
import { changeLabel, fileName } from './label';

const diff = (before: string | null, after: string | null): FileDiff =>
  diffFile({ path: 'a.ts', before, after, beforeHash: null, afterHash: null });

test('E6: a change has counts, hunks with both line numbers, three lines of context and unified text', () => {
  const before = 'l1\nl2\nl3\nl4\nl5\nl6\nl7\nl8\nl9\n';
  const result = diff(before, before.replace('l5', 'five\nfive and a half'));
  expect(result).toMatchObject({ change: 'modify', additions: 2, deletions: 1, truncated: false });
  expect(result.hunks).toHaveLength(1);
  expect(result.hunks[0]).toMatchObject({ oldStart: 2, oldLines: 7, newStart: 2, newLines: 8 });
  expect(result.hunks[0]?.lines.slice(2, 6)).toEqual([
    { kind: 'context', text: 'l4', oldLine: 4, newLine: 4 },
    { kind: 'delete', text: 'l5', oldLine: 5 },
    { kind: 'add', text: 'five', newLine: 5 },
    { kind: 'add', text: 'five and a half', newLine: 6 },
  ]);
  expect(result.unified).toBe(
    '--- a/a.ts\n+++ b/a.ts\n@@ -2,7 +2,8 @@\n l2\n l3\n l4\n-l5\n+five\n+five and a half\n l6\n l7\n l8\n',
  );
});

test('created and deleted files are marked so', () => {
  expect(diff(null, 'a\nb\n')).toMatchObject({ change: 'create', additions: 2, deletions: 0 });
  expect(diff(null, 'a\n').unified).toBe('--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1,1 @@\n+a\n');
  expect(diff('a\n', null)).toMatchObject({ change: 'delete', additions: 0, deletions: 1 });
  expect(diff('a\n', 'a\n')).toMatchObject({ additions: 0, deletions: 0, hunks: [] });
});

test('a lost final line break is a change', () => {
  const result = diff('a\nb\n', 'a\nb');
  expect(result).toMatchObject({ additions: 1, deletions: 1 });
  expect(result.unified).toContain('-b\n+b\n\\ No newline at end of file\n');
});

test('the unified text is one that `patch` applies', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'diff-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const text = fc
    .tuple(fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 25 }), fc.boolean())
    .map(([lines, end]) => lines.join('\n') + (end && lines.length > 0 ? '\n' : ''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== '' && after !== '' && before !== after);
      writeFileSync(path.join(folder, 'a.ts'), before);
      const { unified } = diff(before, after);
      execFileSync('git', ['apply', '--unidiff-zero', '--whitespace=nowarn', '-'], {
        cwd: folder,
        input: unified,
      });
      expect(execFileSync('cat', [path.join(folder, 'a.ts')]).toString()).toBe(after);
    }),
    { numRuns: 60 },
  );
});

test('huge changes are cut but counted in full', () => {
  const before = Array.from({ length: 9000 }, (_, i) => `old ${i}`).join('\n');
  const result = diff(before, before.replaceAll('old', 'new'));
  expect(result).toMatchObject({ additions: 9000, deletions: 9000, truncated: true });
  expect(result.hunks.flatMap((hunk) => hunk.lines).length).toBe(2000);
});

test('case-E23: a line of megabytes is shown round its change', () => {
  const long = 'x'.repeat(2_000_000);
  const result = diff(`${long}ONE${long}\n`, `${long}TWO${long}\n`);
  const [removed, added] = result.hunks[0]?.lines ?? [];
  expect(removed?.text).toContain('ONE');
  expect(added?.text).toContain('TWO');
  expect(result.unified.length).toBeLessThan(5000);
  expect(result.truncated).toBe(true);
});

test('labels are one line', () => {
  expect(changeLabel({ additions: 3, deletions: 1 })).toBe('+3 −1');
  expect(fileName('src/deep/bar.ts')).toBe('bar.ts');
  expect(fileName('bar.ts')).toBe('bar.ts');
});
