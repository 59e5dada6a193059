import { expect, test } from 'vitest';
import { fileIcon } from './file-icon';
import {
  absolutePath,
  ancestorsOf,
  baseName,
  extensionOf,
  isWithin,
  joinPath,
  movedPath,
  nameProblem,
  parentOf,
} from './workspace-path';

test('paths come apart and together again', () => {
  expect([baseName('src/a/b.ts'), parentOf('src/a/b.ts'), parentOf('b.ts')]).toEqual(['b.ts', 'src/a', '']);
  expect([joinPath('', 'a'), joinPath('src', 'a')]).toEqual(['a', 'src/a']);
  expect(ancestorsOf('src/a/b.ts')).toEqual(['src', 'src/a']);
  expect([extensionOf('a/b.test.ts'), extensionOf('.gitignore'), extensionOf('Makefile')]).toEqual([
    'ts',
    '',
    '',
  ]);
});

test('a folder holds what is below it and not what only begins like it', () => {
  expect([
    isWithin('src', 'src/a'),
    isWithin('src', 'src'),
    isWithin('src', 'src2/a'),
    isWithin('', 'x'),
  ]).toEqual([true, true, false, true]);
});

test('case-D12: a move takes everything below along and nothing else', () => {
  expect(movedPath('src/a/b.ts', 'src/a', 'lib')).toBe('lib/b.ts');
  expect(movedPath('src/a.ts', 'src/a.ts', 'src/A.ts')).toBe('src/A.ts');
  expect(movedPath('src/ab.ts', 'src/a', 'lib')).toBeNull();
});

test('absolute paths use the separator of the project folder', () => {
  expect(absolutePath('/home/u/p', 'src/a.ts')).toBe('/home/u/p/src/a.ts');
  expect(absolutePath('C:\\p', 'src/a.ts')).toBe('C:\\p\\src\\a.ts');
});

test('bad names are refused in words', () => {
  const here = { windows: false, nested: false };
  expect(nameProblem('a.ts', here)).toBeNull();
  expect(nameProblem(' ', here)).toMatch(/Type/);
  expect(nameProblem('a/b', here)).toMatch(/slash/);
  expect(nameProblem('a/b', { ...here, nested: true })).toBeNull();
  expect(nameProblem('a/../b', { ...here, nested: true })).toMatch(/dots/);
  expect(nameProblem('nul.txt', { windows: true, nested: false })).toMatch(/device/);
  expect(nameProblem('a:b', { windows: true, nested: false })).toMatch(/Windows/);
});

test('icons follow names before extensions', () => {
  expect(fileIcon('src/a.test.ts')).toBe('beaker');
  expect(fileIcon('package.json')).toBe('json');
  expect(fileIcon('.env.example')).toBe('lock');
  expect(fileIcon('LICENSE')).toBe('law');
  expect(fileIcon('what.ever')).toBe('file');
});
