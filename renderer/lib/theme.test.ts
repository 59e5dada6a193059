import { expect, test } from 'vitest';
import { longHex, resolveTheme } from './theme';

test('the system setting follows contrast before lightness', () => {
  expect(resolveTheme('system', { moreContrast: true, light: true })).toBe('hc');
  expect(resolveTheme('system', { moreContrast: false, light: true })).toBe('light');
  expect(resolveTheme('system', { moreContrast: false, light: false })).toBe('dark');
});

test('a chosen theme stays whatever the system prefers', () => {
  expect(resolveTheme('light', { moreContrast: true, light: false })).toBe('light');
  expect(resolveTheme('contrast', { moreContrast: false, light: true })).toBe('hc');
});

test('short hex colours are written out, others stay', () => {
  expect(['#fff', '#0a1c', '#1a1c20', 'rgb(0 0 0)', ''].map(longHex)).toEqual([
    '#ffffff',
    '#00aa11cc',
    '#1a1c20',
    'rgb(0 0 0)',
    '',
  ]);
});
