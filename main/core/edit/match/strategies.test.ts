import { expect, test } from 'vitest';
import { applyEdits } from '../replace';
import { textFile } from '../text-codec';

function made(raw: string, oldString: string, newString: string): [strategy: string, raw: string] {
  try {
    const edit = { oldString, newString, replaceAll: false };
    const outcome = applyEdits(textFile(raw, 'utf-8', false), [edit], 'a');
    return [outcome.edits[0]?.strategy ?? '', outcome.raw];
  } catch (error) {
    return ['refused', error instanceof Error ? error.message : ''];
  }
}
const refused = (...args: Parameters<typeof made>): boolean => made(...args)[0] === 'refused';

test('E2: line-trimmed ignores white space at line ends and keeps the file’s own', () => {
  expect(made('a:  \n  b\t\nc\n', 'a:\n  b\nc', 'a:\n  B\nc')).toEqual(['line-trimmed', 'a:  \n  B\t\nc\n']);
  expect(made('x\nlast', 'last\n', 'final\n')).toEqual(['line-trimmed', 'x\nfinal']);
});

test('E2: whitespace-normalised takes runs of blanks as one and keeps those the edit leaves alone', () => {
  const file = 'const a   = 1; // keep   this\n';
  expect(made(file, 'const a = 1; // keep this', 'const a = 2; // keep this')).toEqual([
    'whitespace-normalised',
    'const a   = 2; // keep   this\n',
  ]);
});

test('E2: indentation-flexible moves the replacement to where the block stands', () => {
  const file = 'class A {\n    run() {\n        go();\n    }\n}\n';
  expect(made(file, 'run() {\n  go();\n}', 'run() {\n  if (x) {\n    go();\n  }\n}')).toEqual([
    'indentation-flexible',
    'class A {\n    run() {\n        if (x) {\n            go();\n        }\n    }\n}\n',
  ]);
});

test('E2: indentation that stands differently to its neighbours is no match', () => {
  expect(refused('if x:\n    a()\n    b()\n', 'if x:\n  a()\nb()', 'if x:\n  a()\nc()')).toBe(true);
});

test('E2: escape-normalised takes one level of escapes from both texts', () => {
  const file = 'print("a")\nprint("b")\n';
  expect(made(file, 'print(\\"a\\")\\nprint(\\"b\\")', 'print(\\"a\\")\\nprint(\\"c\\")')).toEqual([
    'escape-normalised',
    'print("a")\nprint("c")\n',
  ]);
});

test('E2: escapes that can be read in two ways are no match', () => {
  expect(refused('print("a")\n', 'print(\\"a\\")', 'print(\\"a\\\\d\\")')).toBe(true);
  expect(refused('print("a")\n', 'print(\\"a\\")', 'print("b") or x(\\"c\\")')).toBe(true);
});

test('E2: unicode-normalised keeps the characters of the file; other letters are other names', () => {
  expect(made('café – “x”\n', 'cafe\u0301 - "x"', 'cafe\u0301 - "y"')).toEqual([
    'unicode-normalised',
    'café – “y”\n',
  ]);
  expect(refused('let pаge = 1\n', 'let page = 1', 'let page = 2')).toBe(true);
});

test('E2: block-anchor keeps what the model remembered wrongly, and refuses where the edit changes it', () => {
  const file = 'function f(a) {\n  const b = a + 10;\n  log(b);\n  return b;\n}\n';
  const old = 'function f(a) {\n  const b = a + 1;\n  log(b);\n  return b;\n}';
  expect(made(file, old, old.replace('return b', 'return -b'))).toEqual([
    'block-anchor',
    file.replace('return b', 'return -b'),
  ]);
  expect(refused(file, old, old.replace('a + 1', 'a + 2'))).toBe(true);
});

test('E2: block-anchor fills lines that both texts leave out', () => {
  const file = 'function f(a) {\n  one();\n  two();\n  return a;\n}\nfunction g(a) {\n  return a;\n}\n';
  const old = 'function f(a) {\n  // ... existing code ...\n  return a;\n}';
  expect(made(file, old, old.replace('return a', 'return -a'))).toEqual([
    'block-anchor',
    file.replace('two();\n  return a', 'two();\n  return -a'),
  ]);
  expect(refused(file, old, 'function f(a) {\n  return a;\n}')).toBe(true);
});
