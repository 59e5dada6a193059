import { expect, test } from 'vitest';
import { languageOfPath } from './languages';
import { type CodeKind, MAX_COLOURED_LINES, tokenizeCode } from './tokenize-code';

const kinds = (code: string, language: string): [CodeKind, string][] =>
  tokenizeCode(code, language)
    .flat()
    .filter((span) => span.kind !== 'plain')
    .map((span) => [span.kind, span.text]);

const SAMPLES: Record<string, string> = {
  ts: "export const a = await f<Foo>(`x\n${1}`, 'it\\'s', 0x1F); // end\n/* open\nclosed */ class B {}",
  py: 'def f(x):\n    """doc\n    # not a comment"""\n    return self.y # yes\n',
  sh: 'for f in "$@"; do echo \'a\\\'; done # end',
  json: '{"a": 1.5e3, "b": [true, null, "c\\"d"]}',
  yaml: 'key: value\nother-key: "x" # note\n- item: 3',
  css: '.a { color: #fff; margin-top: 3px; } /* x */',
  html: '<!-- c\n --><a href="x" class=\'y\'>text = "no"</a>',
  sql: "SELECT a FROM b WHERE c = 'it''s' -- end",
  rust: 'fn main<\'a>() -> Result<&\'a str> { let x = 1_000u32; println!("hi"); }',
  diff: '--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n z',
  unknown: 'what "ever" 12',
};

test('the pieces of every line join to the line, in every language', () => {
  for (const [language, code] of Object.entries(SAMPLES)) {
    const joined = tokenizeCode(code, language).map((spans) => spans.map((span) => span.text).join(''));
    expect(joined.join('\n'), language).toBe(code);
  }
});

test('TypeScript gets keywords, types, strings over lines, numbers, calls and comments', () => {
  expect(kinds(SAMPLES['ts'] ?? '', 'ts')).toEqual([
    ['key', 'export'],
    ['key', 'const'],
    ['key', 'await'],
    ['type', 'Foo'],
    ['str', '`x'],
    ['str', '${1}`'],
    ['str', "'it\\'s'"],
    ['num', '0x1F'],
    ['com', '// end'],
    ['com', '/* open'],
    ['com', 'closed */'],
    ['key', 'class'],
    ['type', 'B'],
  ]);
});

test('a hash in a Python docstring is no comment, one after code is', () => {
  expect(kinds(SAMPLES['py'] ?? '', 'py')).toEqual([
    ['key', 'def'],
    ['fn', 'f'],
    ['str', '"""doc'],
    ['str', '    # not a comment"""'],
    ['key', 'return'],
    ['key', 'self'],
    ['com', '# yes'],
  ]);
});

test('JSON keys are properties and its values are not', () => {
  expect(kinds(SAMPLES['json'] ?? '', 'json')).toEqual([
    ['prop', '"a"'],
    ['num', '1.5e3'],
    ['prop', '"b"'],
    ['key', 'true'],
    ['key', 'null'],
    ['str', '"c\\"d"'],
  ]);
});

test('a shell string in single quotes knows no escape', () => {
  expect(kinds(SAMPLES['sh'] ?? '', 'bash')).toContainEqual(['com', '# end']);
});

test('added and removed lines of a diff are told apart', () => {
  expect(kinds(SAMPLES['diff'] ?? '', 'diff').map(([kind]) => kind)).toEqual([
    'com',
    'com',
    'fn',
    'del',
    'add',
  ]);
});

test('long code stays plain', () => {
  const code = 'const a = 1;\n'.repeat(MAX_COLOURED_LINES + 1);
  expect(kinds(code, 'ts')).toEqual([]);
});

test('the longest code that is coloured is so to its last line', () => {
  const line = (i: number) => `  const value${i} = await load("x${i}", ${i}); // note`;
  const spans = tokenizeCode(Array.from({ length: MAX_COLOURED_LINES }, (_, i) => line(i)).join('\n'), 'ts');
  expect(spans.map((of) => of.at(-1))).toEqual(
    Array.from({ length: MAX_COLOURED_LINES }, () => ({ kind: 'com', text: '// note' })),
  );
});

test('the language of a path is its extension or its whole name', () => {
  expect(['src/a.test.ts', 'Dockerfile', '.env'].map(languageOfPath)).toEqual(['ts', 'dockerfile', 'env']);
});
