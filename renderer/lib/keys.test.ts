import { expect, test } from 'vitest';
import { keyLabel, keyParts, matchesChord, parseChord, type KeyPress } from './keys';

const press = (key: string, code: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code,
  ctrlKey: false,
  shiftKey: false,
  altKey: false,
  metaKey: false,
  ...held,
});

test('Mod is Command on a Mac and Ctrl elsewhere', () => {
  const event = press('p', 'KeyP', { metaKey: true });
  expect(matchesChord(event, parseChord('Mod+P', 'mac'))).toBe(true);
  expect(matchesChord(event, parseChord('Mod+P', 'other'))).toBe(false);
  expect(matchesChord(press('p', 'KeyP', { ctrlKey: true }), parseChord('Mod+P', 'other'))).toBe(true);
});

test('an extra or missing held key is no match', () => {
  const chord = parseChord('Mod+P', 'other');
  expect(matchesChord(press('P', 'KeyP', { ctrlKey: true, shiftKey: true }), chord)).toBe(false);
  expect(matchesChord(press('p', 'KeyP'), chord)).toBe(false);
});

test('Alt that turns a letter into a sign still matches by the key under the finger', () => {
  const event = press('∫', 'KeyB', { metaKey: true, altKey: true });
  expect(matchesChord(event, parseChord('Mod+Alt+B', 'mac'))).toBe(true);
});

test('a letter of another layout wins over its place on the board', () => {
  expect(matchesChord(press('a', 'KeyQ', { ctrlKey: true }), parseChord('Mod+A', 'other'))).toBe(true);
  expect(matchesChord(press('a', 'KeyQ', { ctrlKey: true }), parseChord('Mod+Q', 'other'))).toBe(false);
});

test('the backquote matches whatever the layout prints on it', () => {
  expect(matchesChord(press('Dead', 'Backquote', { ctrlKey: true }), parseChord('Ctrl+`', 'other'))).toBe(
    true,
  );
});

test('labels are glyphs on a Mac and words elsewhere', () => {
  expect(keyLabel('Mod+Shift+P', 'mac')).toBe('⇧⌘P');
  expect(keyLabel('Mod+Shift+P', 'other')).toBe('Ctrl+Shift+P');
  expect(keyParts('Alt+Enter', 'other')).toEqual(['Alt', 'Enter']);
  expect(keyLabel('F6', 'other')).toBe('F6');
});
