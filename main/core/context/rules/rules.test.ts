import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { calls } from '../../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../../e2e/support/scripted-model/scripted-model';
import { startCore } from '../../testing/start-core';
import { findRules } from './find-rules';
import { RuleBook, ruleInfos } from './rule-book';
import type { RuleFile } from './rule-file';
import { SessionRules } from './session-rules';

let root = '';
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'lathe-rules-')));
  await mkdir(join(root, 'repo/.git'), { recursive: true });
  await mkdir(join(root, 'repo/app'), { recursive: true });
  await mkdir(join(root, 'home'), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

const find = (project = 'repo', userFiles = false): Promise<RuleFile[]> =>
  findRules({ projectRoot: join(root, project), userFiles, home: join(root, 'home') });

const book = (project = 'repo', enabled = true): RuleBook =>
  new RuleBook(
    () => ({ projectRoot: join(root, project), userFiles: false }),
    () => enabled,
  );

test('X9: rules come from the git root down to the project folder, nearest last, and never from above the root', async () => {
  await put('AGENTS.md', 'outside');
  await put('repo/AGENTS.md', 'top');
  await put('repo/app/CLAUDE.md', 'near');
  expect((await find('repo/app')).map(({ path, text }) => [path, text])).toEqual([
    ['../AGENTS.md', 'top'],
    ['CLAUDE.md', 'near'],
  ]);
});

test('X9: every tool’s file is known; an override stands for the file beside it, the same text counts once', async () => {
  await put('repo/AGENTS.md', 'hidden by the override');
  await put('repo/AGENTS.override.md', 'override');
  await put('repo/.claude/CLAUDE.md', 'override\n');
  await put('repo/CLAUDE.local.md', 'local');
  await put('repo/GEMINI.md', 'gemini');
  await put('repo/.github/copilot-instructions.md', 'copilot');
  await put('repo/.cursorrules', 'legacy');
  await put('repo/.livecode/rules', 'livecode');
  await put('repo/.clinerules/one.md', 'cline');
  await put('repo/.windsurfrules', 'windsurf');
  await put('repo/.goosehints', 'goose');
  await put('repo/.claude/rules/style.md', 'claude rule');
  const texts = (await find()).map(({ text, scope }) => [text, scope]);
  expect(texts).toEqual(
    [
      ...['override', 'local', 'gemini', 'copilot', 'legacy', 'livecode', 'windsurf', 'goose'],
      ...['claude rule', 'cline'],
    ].map((text) => [text, 'always']),
  );
});

test('sec-A27: hidden characters are counted and do not reach the model', async () => {
  await put('repo/AGENTS.md', 'be\u200b kind\u{e0061}\u202e');
  expect(await find()).toMatchObject([{ text: 'be kind', hiddenCharacters: 3 }]);
});

test('a long file is cut, and the cut is said', async () => {
  await put('repo/AGENTS.md', 'r'.repeat(20_000));
  expect(await book().prompt()).toContain('[cut: 20000 characters in all]');
});

test('over the limit of all rules the ones further up are left out and listed with the reason', async () => {
  await put('repo/AGENTS.md', 'a'.repeat(15_000));
  await put('repo/app/AGENTS.md', 'b'.repeat(15_000));
  await put('repo/app/CLAUDE.md', 'c'.repeat(15_000));
  const rules = book('repo/app');
  const infos = ruleInfos(await rules.read(), []);
  expect(infos.map(({ active }) => active)).toEqual([false, true, true]);
  expect(infos[0]?.why).toContain('over the limit');
});

test('without rules, and with rules switched off, the prompt gets nothing', async () => {
  expect(await book().prompt()).toBe('');
  await put('repo/AGENTS.md', 'rule');
  expect(await book('repo', false).prompt()).toBe('');
});

test('imports: relative, nested, not in code, not a second time inside itself', async () => {
  await put('repo/CLAUDE.md', 'See @docs/a.md. Not `@docs/b.md` nor\n```\n@docs/b.md\n```\nAsk @nobody.');
  await put('repo/docs/a.md', 'A with @b.md and @../CLAUDE.md');
  await put('repo/docs/b.md', 'B');
  const [rule] = await find();
  expect(rule?.imports).toEqual(['docs/a.md', 'docs/b.md']);
  expect(rule?.text).toContain('<import path="docs/a.md">\nA with');
  expect(rule?.text).toContain('<import path="docs/b.md">\nB\n</import>');
  expect(rule?.text).toContain('Not `@docs/b.md` nor');
  expect(rule?.text).toContain('Ask @nobody.');
  expect(rule?.problems).toEqual([]);
});

test('imports end after five levels', async () => {
  await put('repo/CLAUDE.md', '@1.md');
  for (let n = 1; n <= 7; n += 1) await put(`repo/${n}.md`, `level ${n} @${n + 1}.md`);
  const [rule] = await find();
  expect(rule?.imports).toEqual(['1.md', '2.md', '3.md', '4.md', '5.md']);
  expect(rule?.problems[0]).toContain('too deep');
});

test('path jail: no import and no rules file comes from outside, by no way, and secrets are not imported', async () => {
  await put('secret.md', 'SECRET');
  await put('repo/.env', 'KEY=SECRET');
  await put('home/.claude/private.md', 'SECRET');
  await symlink(join(root, 'secret.md'), join(root, 'repo/link.md'));
  await symlink(join(root, 'secret.md'), join(root, 'repo/GEMINI.md'));
  await put(
    'repo/CLAUDE.md',
    `@../secret.md @link.md @${join(root, 'secret.md')} @~/.claude/private.md @.env`,
  );
  const rules = await find();
  expect(JSON.stringify(rules.map(({ text }) => text))).not.toContain('SECRET');
  expect(rules.find(({ path }) => path === 'CLAUDE.md')?.problems).toHaveLength(5);
  expect(rules.find(({ path }) => path === 'GEMINI.md')).toMatchObject({ text: '', scope: 'manual' });
  expect(await book().prompt()).not.toContain('SECRET');
});

test('the user’s own rules are read when they are wanted; their imports stay in their folder', async () => {
  await put('home/.claude/CLAUDE.md', 'mine @more.md @../other.md');
  await put('home/.claude/more.md', 'more');
  await put('home/other.md', 'SECRET');
  await put('home/.config/opencode/AGENTS.md', 'opencode');
  await put('home/.claude/rules/ts.md', '---\npaths: ["**/*.ts"]\n---\nfor ts');
  await put('repo/AGENTS.md', 'project');
  expect((await find('repo', false)).map(({ path }) => path)).toEqual(['AGENTS.md']);
  const all = (await find('repo', true)).filter(({ origin }) => origin !== 'machine');
  expect(all.map(({ path, origin, scope }) => [path, origin, scope])).toEqual([
    ['~/.config/opencode/AGENTS.md', 'user', 'always'],
    ['~/.claude/CLAUDE.md', 'user', 'always'],
    ['~/.claude/rules/ts.md', 'user', 'files'],
    ['AGENTS.md', 'project', 'always'],
  ]);
  expect(all[1]?.text).toContain('more');
  expect(JSON.stringify(all)).not.toContain('SECRET');
});

const CURSOR = {
  always: '---\ndescription: d\nglobs:\nalwaysApply: true\n---\nalways on',
  globs: '---\ndescription: d\nglobs: *.ts, src/**/*.{css,scss}\nalwaysApply: false\n---\nfor ts and css',
  offered: '---\ndescription: How to write migrations\n---\nmigrations',
  manual: '---\nalwaysApply: false\n---\nby hand',
};

async function cursorRules(): Promise<void> {
  for (const [name, text] of Object.entries(CURSOR)) await put(`repo/.cursor/rules/${name}.mdc`, text);
}

test('X9: Cursor’s four kinds of rules: always, by glob, offered by name, by hand', async () => {
  await cursorRules();
  const rules = book();
  const scopes = (await find()).map(({ path, scope }) => [path.replace(/.*\//, ''), scope]);
  expect(scopes).toEqual([
    ['always.mdc', 'always'],
    ['globs.mdc', 'files'],
    ['manual.mdc', 'manual'],
    ['offered.mdc', 'offered'],
  ]);
  const prompt = await rules.prompt();
  expect(prompt).toContain('always on');
  expect(prompt).toContain('- .cursor/rules/offered.mdc: How to write migrations');
  for (const text of ['for ts and css', 'by hand', '\nmigrations']) expect(prompt).not.toContain(text);
});

test('X9: rules for files come in when such a file is touched, once; by hand ones when they are named', async () => {
  await cursorRules();
  await put('repo/.github/instructions/py.instructions.md', '---\napplyTo: "**/*.py"\n---\nfor python');
  await put('repo/.claude/rules/api.md', '---\npaths:\n  - src/api/**\n---\nfor the api');
  await put('repo/.github/instructions/all.instructions.md', '---\napplyTo: "**"\n---\nfor all');
  const session = new SessionRules(book());
  expect(await session.forPaths(['docs/readme.md'])).toBe('');
  const first = await session.forPaths(['deep/down/a.ts']);
  expect(first).toContain('for ts and css');
  expect(first).not.toContain('for python');
  expect(await session.forPaths(['src/b.scss'])).toBe('');
  expect(await session.forPaths([join(root, 'repo/tool/x.py')])).toContain('for python');
  expect(await session.forPaths(['src/api/deep/handler.go'])).toContain('for the api');
  expect(await session.forPaths(['../../etc/x.py'])).toBe('');
  expect(await session.forMentions(['.cursor/rules/manual.mdc'])).toContain('by hand');
  expect(session.inPlay()).toContain('for ts and css');
  const infos = ruleInfos(await book().read(), session.list());
  expect(infos.find(({ path }) => path.endsWith('globs.mdc'))).toMatchObject({
    active: true,
    why: 'for deep/down/a.ts',
  });
  expect(infos.find(({ path }) => path.endsWith('offered.mdc'))).toMatchObject({ active: false });
});

test('X9: rules of a subfolder come in when something in it is touched', async () => {
  await put('repo/packages/web/AGENTS.md', 'web rules');
  await put('repo/packages/CLAUDE.md', 'packages rules');
  const session = new SessionRules(book());
  const told = await session.forPaths(['packages/web/src/app.ts']);
  expect(told.indexOf('packages rules')).toBeGreaterThan(0);
  expect(told.indexOf('web rules')).toBeGreaterThan(told.indexOf('packages rules'));
  expect(await session.forPaths(['packages/web/other.ts'])).toBe('');
});

test('X8, X9: a rule for a touched file stands behind the result; the prompt before it does not change', async () => {
  await using model = await startScriptedModel({
    script: [calls('read_file', { path: 'src/a.ts' }), calls('read_file', { path: 'src/b.ts' }), 'done'],
  });
  await using app = await startCore({
    files: {
      'src/a.ts': 'a',
      'src/b.ts': 'b',
      '.cursor/rules/ts.mdc': '---\nglobs: src/**/*.ts\n---\nNo default exports.',
    },
    modelUrl: model.url,
  });
  await app.turn('look');
  const [first, second, third] = model.requests.map(({ body }) => body.messages);
  expect(JSON.stringify(first)).not.toContain('No default exports.');
  expect(second?.at(-1)?.content).toContain('No default exports.');
  expect(third?.at(-1)?.content).not.toContain('No default exports.');
  expect(third?.slice(0, second?.length)).toEqual(second);
  expect(await app.core.context.rules(app.session.id)).toMatchObject([
    { path: '.cursor/rules/ts.mdc', active: true, why: 'for src/a.ts' },
  ]);
});
