import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { formatRules, loadRules } from './rules';

let root = '';
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'lathe-rules-')));
  await mkdir(join(root, 'repo/.git'), { recursive: true });
  await mkdir(join(root, 'repo/app'), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

test('rules come from the git root down to the project folder, nearest last, and never from above the root', async () => {
  await writeFile(join(root, 'AGENTS.md'), 'outside');
  await writeFile(join(root, 'repo/AGENTS.md'), 'top');
  await writeFile(join(root, 'repo/app/CLAUDE.md'), 'near');
  const rules = await loadRules(join(root, 'repo/app'));
  expect(rules.map(({ path, text }) => [path, text])).toEqual([
    ['../AGENTS.md', 'top'],
    ['CLAUDE.md', 'near'],
  ]);
});

test('the same text under two names counts once', async () => {
  await writeFile(join(root, 'repo/AGENTS.md'), 'same\n');
  await writeFile(join(root, 'repo/CLAUDE.md'), 'same');
  expect(await loadRules(join(root, 'repo'))).toHaveLength(1);
});

test('sec-A27: hidden characters are counted and do not reach the model', async () => {
  await writeFile(join(root, 'repo/AGENTS.md'), 'be\u200b kind\u{e0061}\u202e');
  const [rules] = await loadRules(join(root, 'repo'));
  expect(rules).toMatchObject({ text: 'be kind', hiddenCharacters: 3 });
});

test('a long file is cut, and the cut is said', async () => {
  await writeFile(join(root, 'repo/AGENTS.md'), 'r'.repeat(20_000));
  const rules = await loadRules(join(root, 'repo'));
  expect(formatRules(rules)).toContain('[cut: 20000 characters in all]');
});

test('without rules the prompt gets nothing', async () => {
  expect(formatRules(await loadRules(join(root, 'repo')))).toBe('');
});
