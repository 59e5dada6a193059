import { expect, test } from 'vitest';
import { needsEvidence } from './evidence-need';
import { classifyByWords } from './heuristics';

const needs = (text: string): boolean => needsEvidence(text, classifyByWords(text));

test.each([
  'How does the router work?',
  'where is the retry logic?',
  'Explain this code in src/a.ts',
  'Wie funktioniert die Anmeldung?',
  '¿Dónde se define la clase Usuario?',
  'Does the importer handle empty files?',
])('H7: "%s" can only be answered from the code', (text) => {
  expect(needs(text)).toBe(true);
});

test.each([
  'hi',
  'thanks!',
  'What is a closure in JavaScript?',
  'explain',
  'Tell me about tabs',
  'Tell me all',
  'The first one takes its time and is held back here',
  'Fix the typo in README.md',
  'What does this error mean?\n```\nECONNREFUSED 127.0.0.1:5432\n```',
])('H7: "%s" needs no look at the code before an answer', (text) => {
  expect(needs(text)).toBe(false);
});
