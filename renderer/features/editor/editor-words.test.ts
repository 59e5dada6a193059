import { expect, test } from 'vitest';
import { encodingLabel, eolLabel, indentLabel } from './file-words';
import { formatBytes } from '../../lib/format-bytes';
import { languageName, languageOf } from './language-of';
import { rovingTarget } from './roving-tabs';
import { memoryOf, withRemembered } from './tab-memory';
import { NO_TABS, openTab } from './tabs';

test('case-D09: the status bar names the encoding and the mark that the file has', () => {
  expect(encodingLabel('utf-8', false)).toBe('UTF-8');
  expect(encodingLabel('utf-8', true)).toBe('UTF-8 BOM');
  expect(encodingLabel('utf-16le', true)).toBe('UTF-16 LE');
  expect(encodingLabel('gbk', false)).toBe('GBK');
  expect([eolLabel('mixed'), eolLabel('crlf'), indentLabel(true, 2), indentLabel(false, 4)]).toEqual([
    'Mixed',
    'CRLF',
    'Spaces: 2',
    'Tabs: 4',
  ]);
});

test('sizes have the unit that makes them readable', () => {
  expect([formatBytes(1), formatBytes(512), formatBytes(4300), formatBytes(35_651_584)]).toEqual([
    '1 byte',
    '512 bytes',
    '4.2 kB',
    '34 MB',
  ]);
});

const languages = [
  { id: 'javascript', extensions: ['.js'], aliases: ['JavaScript'] },
  { id: 'typescript', extensions: ['.ts'], aliases: ['TypeScript'] },
  { id: 'dockerfile', filenames: ['Dockerfile'], aliases: ['Dockerfile'] },
  { id: 'twig', extensions: ['.html.twig'] },
  { id: 'html', extensions: ['.html', '.twig'] },
];

test('the language follows the whole name, then the longest extension', () => {
  expect(languageOf(languages, 'src/a.ts')).toBe('typescript');
  expect(languageOf(languages, 'x/dockerfile')).toBe('dockerfile');
  expect(languageOf(languages, 'a.html.twig')).toBe('twig');
  expect(languageOf(languages, 'a.mts')).toBe('typescript');
  expect(languageOf(languages, 'NOTES')).toBe('plaintext');
  expect([languageName(languages, 'typescript'), languageName(languages, 'plaintext')]).toEqual([
    'TypeScript',
    'Plain text',
  ]);
});

test('arrows, Home and End go along the tabs and round the ends', () => {
  const tabs = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
  expect(['ArrowRight', 'ArrowLeft', 'Home', 'End', 'x'].map((key) => rovingTarget(key, tabs, 'c'))).toEqual([
    'a',
    'b',
    'a',
    'c',
    null,
  ]);
});

test('the tabs of the last time come back before those opened meanwhile, which keep the front', () => {
  const before = openTab(openTab(NO_TABS, 'a', false), 'b', true);
  const back = withRemembered(openTab(NO_TABS, 'c', false), memoryOf(before));
  expect(back.tabs.map((tab) => tab.id)).toEqual(['a', 'b', 'c']);
  expect(back.active).toBe('c');
  expect(withRemembered(NO_TABS, memoryOf(before)).active).toBe('b');
});
