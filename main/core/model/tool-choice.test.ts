import { expect, test } from 'vitest';
import { knownChoice, learnRefusedChoice } from './tool-choice';

test('H8: what a model refused is not sent to it again; other models and other choices are', () => {
  const url = 'http://one.test/v1';
  expect(
    learnRefusedChoice(url, 'thinker', 'required', 'Thinking mode does not support this tool_choice'),
  ).toBe(true);
  expect(knownChoice(url, 'thinker', 'required')).toBe('auto');
  expect(knownChoice(url, 'thinker', { name: 'a' })).toEqual({ name: 'a' });
  expect(knownChoice(url, 'plain', 'required')).toBe('required');
  expect(knownChoice('http://two.test/v1', 'thinker', 'required')).toBe('required');
  expect(learnRefusedChoice(url, 'thinker', { name: 'a' }, "Invalid tool_choice type: 'object'")).toBe(true);
  expect(knownChoice(url, 'thinker', { name: 'a' })).toBe('auto');
});

test('H8: other refusals teach nothing, and nothing is learnt where nothing was forced', () => {
  const url = 'http://three.test/v1';
  expect(learnRefusedChoice(url, 'm', 'required', 'model not found')).toBe(false);
  expect(learnRefusedChoice(url, 'm', 'auto', 'tool_choice is odd')).toBe(false);
  expect(knownChoice(url, 'm', 'required')).toBe('required');
});
