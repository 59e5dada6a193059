import { expect, test } from 'vitest';
import { matchSlash, parseSlash } from './slash-commands';

test('typing narrows the list; a blank after the name closes it', () => {
  expect(matchSlash('/', false).map(({ name }) => name)).not.toContain('stop');
  expect(matchSlash('/', true).map(({ name }) => name)).toContain('stop');
  expect(matchSlash('/pl', false).map(({ name }) => name)).toEqual(['plan']);
  expect(matchSlash('/plan x', false)).toEqual([]);
  expect(matchSlash('a /plan', false)).toEqual([]);
});

test('a command may carry a message', () => {
  expect(parseSlash('/plan fix the\ntest', false)).toMatchObject({
    command: { action: { kind: 'mode', mode: 'plan' } },
    rest: 'fix the\ntest',
  });
  expect(parseSlash('/build', false)).toMatchObject({ command: { name: 'build' }, rest: '' });
});

test('a path is a message, not a command', () => {
  expect(parseSlash('/usr/bin/env is missing', false)).toBeNull();
  expect(parseSlash('/unknown', false)).toBeNull();
});
