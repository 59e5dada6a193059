import { expect, test } from 'vitest';
import { AppError } from '../../../../shared/error';
import { textFile } from '../text-codec';
import { applyChunks } from './apply-chunks';
import { parsePatch } from './parse-patch';

const envelope = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
const update = (...lines: string[]): string => envelope('*** Update File: f', ...lines);

function patched(raw: string, patch: string, bom = false) {
  const [section] = parsePatch(patch);
  if (section?.kind !== 'update') throw new Error('no update');
  return applyChunks(textFile(raw, 'utf-8', bom), section.chunks, 'f');
}
function failure(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('nothing was refused');
}
const apply = (raw: string, ...lines: string[]): string => patched(raw, update(...lines)).raw;

test('case-P01: a line without a sign is an error with its number', () => {
  const error = failure(() => parsePatch(update('@@', ' line1', '+added', 'no_prefix')));
  expect(error).toMatchObject({ code: 'bad_argument', detail: { line: 6 } });
  expect(error.message).toContain('line 6');
});

test('case-P03: positions after @@ are no anchor, and a patch that changes nothing is no success', () => {
  expect(apply('a\nb\nc\n', '@@ -2 +2 @@', '-b', '+B')).toBe('a\nB\nc\n');
  expect(apply('a\nb\nc\n', '@@ -1,3 +1,3 @@ function x', ' a', '-b', '+B', ' c')).toBe('a\nB\nc\n');
  expect(failure(() => parsePatch(update('@@ -2 +2 @@', ' b')))).toMatchObject({ detail: { line: 3 } });
  expect(failure(() => apply('a\nb\n', '@@', '-b', '+b')).message).toContain('as it is');
});

const PLAIN = update('@@', '-b', '+B');
test.each([
  ['blanks round the markers', `  *** Begin Patch  \n *** Update File: f \n@@\n-b\n+B\n *** End Patch \n\n`],
  ['a fence', `\`\`\`patch\n${PLAIN}\n\`\`\``],
  ['a here-document', `apply_patch <<'EOF'\n${PLAIN}\nEOF`],
  ['a bare here-document', `<<EOF\n${PLAIN}\nEOF\n`],
  ['a here-document through cat', `cat <<"PATCH" | apply_patch\n${PLAIN}\nPATCH`],
  ['a fence round a here-document', `\`\`\`sh\napply_patch <<EOF\n${PLAIN}\nEOF\n\`\`\``],
])('case-P05: %s is taken off', (_what, patch) => {
  expect(patched('a\nb\n', patch).raw).toBe('a\nB\n');
});

test.each([
  ['a quote after the end marker', `${PLAIN}'`],
  ['text before', `Here it is:\n${PLAIN}`],
  ['text after', `${PLAIN}\nDone.`],
  ['quotes that don’t match', `apply_patch <<'EOF"\n${PLAIN}\nEOF`],
  ['another end word', `apply_patch <<EOF\n${PLAIN}\nEND`],
  ['an open fence', `\`\`\`patch\n${PLAIN}`],
  ['no end marker', PLAIN.replace('\n*** End Patch', '')],
  ['no section', envelope()],
])('case-P05: %s is an error', (_what, patch) => {
  expect(failure(() => parsePatch(patch))).toMatchObject({
    code: 'bad_argument',
    detail: { reason: 'malformed' },
  });
});

test('case-P06: only the changed line differs, with the ending of the file', () => {
  expect(apply('a\r\nb\r\nc\r\n', '@@', ' a', '-b', '+B', ' c')).toBe('a\r\nB\r\nc\r\n');
  expect(patched('a\nb\nc\n', update('@@', ' a', '-b', '+B', ' c').replaceAll('\n', '\r\n')).raw).toBe(
    'a\nB\nc\n',
  );
  expect(apply('a\r\nb\nc\r\n', '@@', ' a', '-b', '+B', ' c')).toBe('a\r\nB\nc\r\n');
});

test('case-P13: the end-of-file marker pins a chunk to the end', () => {
  expect(apply('x\nend\ny\nx\nend\n', '@@', ' x', '-end', '+END', '*** End of File')).toBe(
    'x\nend\ny\nx\nEND\n',
  );
  const error = failure(() => apply('x\nend\ny\n', '@@', ' x', '-end', '+END', '*** End of File'));
  expect(error.message).toContain('at the end of the file');
});

const CLASSES = `class A:
    def f(self):
        return 1

    def g(self):
        return 1

class B:
    def f(self):
        return 1
`;

test('case-P14: anchors narrow the place from the outside in', () => {
  const made = apply(CLASSES, '@@ class B', '@@ def f', '-        return 1', '+        return 2');
  expect(made).toBe(CLASSES.replace(/return 1\n$/, 'return 2\n'));
  const inA = apply(CLASSES, '@@ class A:', '@@     def g(self):', '-        return 1', '+        return 2');
  expect(inA.split('\n')[5]).toBe('        return 2');
  expect(inA.replace('return 2', 'return 1')).toBe(CLASSES);
});

test('case-P14: an anchor that is missing and a place that is not the only one are errors with lines', () => {
  expect(failure(() => apply(CLASSES, '@@ class C', '-        return 1', '+        return 2'))).toMatchObject(
    {
      code: 'not_found',
      detail: { line: 3 },
    },
  );
  expect(failure(() => apply(CLASSES, '@@', '-        return 1', '+        return 2'))).toMatchObject({
    code: 'conflict',
    detail: { lines: [3, 6, 10] },
  });
  expect(failure(() => apply(CLASSES, '@@ def f', '-        return 1', '+        return 2'))).toMatchObject({
    code: 'conflict',
    detail: { lines: [2, 9] },
  });
});

test('case-P15: a chunk of additions goes to the end, or behind its anchor', () => {
  expect(apply('a\nb\n', '@@', '+c')).toBe('a\nb\nc\n');
  expect(apply('a\nb\n', '+c')).toBe('a\nb\nc\n');
  expect(apply('a\nb\n', '@@ a', '+c')).toBe('a\nc\nb\n');
});

test('case-P16: a last line without a break gets one, and the result says so', () => {
  const made = patched('a\nb', update('@@', '-b', '+c'));
  expect(made.raw).toBe('a\nc\n');
  expect(made.notes.join()).toContain('line break was added');
});

test('case-P17: an empty chunk and a missing target are errors with their line', () => {
  expect(failure(() => parsePatch(update('@@', '-a', '+b', '@@')))).toMatchObject({ detail: { line: 6 } });
  expect(failure(() => parsePatch(update('@@', '@@', '-a')))).toMatchObject({ detail: { line: 3 } });
  expect(failure(() => parsePatch(update('*** Move to: ', '@@', '-a')))).toMatchObject({
    detail: { line: 3 },
  });
  expect(failure(() => parsePatch(envelope('*** Update File: f')))).toMatchObject({ detail: { line: 2 } });
  expect(failure(() => parsePatch(envelope('*** Add File:', '+x')))).toMatchObject({ detail: { line: 2 } });
});

test('case-P18: look-alike punctuation matches in one place and stays as the file has it', () => {
  const made = patched('café – “x”\nnext\n', update('@@', ' café - "x"', '-next', '+NEXT'));
  expect(made).toMatchObject({ raw: 'café – “x”\nNEXT\n', match: 'unicode-normalised' });
  expect(apply('say “a” – x\n', '@@', '-say "a" - x', '+say "a" - y')).toBe('say “a” – y\n');
  expect(failure(() => apply('“x”\n“x”\n', '@@', '-"x"', '+y'))).toMatchObject({ code: 'conflict' });
});

test('case-P20: marker texts behind a sign are text', () => {
  expect(apply('a\n', '@@', ' a', '+*** End Patch', '+@@ x', '+*** Add File: z')).toBe(
    'a\n*** End Patch\n@@ x\n*** Add File: z\n',
  );
  expect(apply('*** End Patch\nb\n', '@@', ' *** End Patch', '-b', '+c')).toBe('*** End Patch\nc\n');
});

test('chunks go in file order, blank lines between them are skipped, and context is not rewritten', () => {
  expect(apply('a  \nb\nc\nd\n', '@@', ' a', '-b', '+B', '', '@@', ' c', '-d', '+D', '')).toBe(
    'a  \nB\nc\nD\n',
  );
  const error = failure(() => apply('a\nb\nc\n', '@@', '-c', '+C', '@@', '-a', '+A'));
  expect(error.message).toContain('file order');
});
