import { expect, test } from 'vitest';
import { fuzzyFind } from './fuzzy-find';
import { fuzzyText } from './fuzzy-score';

const find = (query: string, paths: string[]): string[] => fuzzyFind(query, paths.map(fuzzyText), 10);

test('a match in the file name beats one that needs the folders', () => {
  expect(find('chat', ['chat/deep/index.ts', 'src/a/chat-pane.tsx'])).toEqual([
    'src/a/chat-pane.tsx',
    'chat/deep/index.ts',
  ]);
});

test('the equal name comes first, then the prefix, then the rest', () => {
  expect(find('index.ts', ['src/my-index.ts', 'src/index.tsx', 'src/lib/index.ts'])).toEqual([
    'src/lib/index.ts',
    'src/index.tsx',
    'src/my-index.ts',
  ]);
});

test('camel humps and starts of words beat characters in the middle', () => {
  expect(find('ehs', ['src/themes.ts', 'src/EventHubStore.ts', 'src/event-hub-store.ts'])[0]).not.toBe(
    'src/themes.ts',
  );
  expect(find('ws', ['src/answers.ts', 'src/workspace-state.ts'])[0]).toBe('src/workspace-state.ts');
});

test('characters in a run beat scattered ones', () => {
  expect(find('read', ['src/render-each-anchor-d.ts', 'src/xreadx.ts'])[0]).toBe('src/xreadx.ts');
  expect(find('tool', ['src/t1o2o3l4.ts', 'src/mytool.ts'])[0]).toBe('src/mytool.ts');
});

test('folders narrow a name, with either slash and in any word order', () => {
  const paths = ['main/api/index.ts', 'main/rpc/index.ts', 'renderer/index.ts'];
  expect(find('rpc/index', paths)).toEqual(['main/rpc/index.ts']);
  expect(find('rpc\\index', paths)).toEqual(['main/rpc/index.ts']);
  expect(find('index rpc', paths)[0]).toBe('main/rpc/index.ts');
});

test('characters out of order do not match; letter case decides only between equals', () => {
  expect(find('zba', ['abz.ts'])).toEqual([]);
  expect(find('README', ['docs/readme', 'docs/README'])).toEqual(['docs/README', 'docs/readme']);
});

test('composed and decomposed accents are the same; odd letters do no harm', () => {
  expect(find('café', ['cafe\u0301.md'])).toEqual(['caf\u00e9.md']);
  expect(find('stan', ['İstanbul.md'])).toEqual(['İstanbul.md']);
});

test('an empty query gives the paths nearest to the top', () => {
  expect(find(' ', ['b/c/d.ts', 'z.ts', 'a/b.ts', 'a.ts'])).toEqual(['a.ts', 'z.ts', 'a/b.ts', 'b/c/d.ts']);
});
