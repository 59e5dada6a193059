import { expect, test } from 'vitest';
import { canonicalJson, fingerprint } from './fingerprint';

test('H3: the order of keys makes no difference, at any depth; the order of entries does', () => {
  const left = { path: 'a', edits: [{ old: '1', new: '2' }], deep: { b: 1, a: null } };
  const right = { deep: { a: null, b: 1 }, edits: [{ new: '2', old: '1' }], path: 'a' };
  expect(fingerprint('edit_file', left)).toBe(fingerprint('edit_file', right));
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
  expect(fingerprint('grep', {})).not.toBe(fingerprint('glob', {}));
});

test('H3: arguments that are absent and odd values have a form too', () => {
  expect(canonicalJson({ a: undefined, b: 'x' })).toBe('{"b":"x"}');
  expect(canonicalJson(undefined)).toBe('null');
  expect(canonicalJson('a')).toBe('"a"');
});
