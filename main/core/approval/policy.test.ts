import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandPolicy, rulesOf, type ShortRule } from './testing/command-policy';
import type { ApprovalFlag, PolicyInput } from './types';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'lathe-policy-')));
const { command, policy, verdicts } = commandPolicy(root, (path) =>
  /^\.git(\/|$)/i.test(path)
    ? 'deny'
    : /^(\.vscode\/|\.npmrc$|\.husky\/|\.lathe\/)/i.test(path)
      ? 'ask'
      : null,
);

function path(
  tool: string,
  effect: PolicyInput['effect'],
  paths: string[],
  rules: ShortRule[] = [],
  flag: ApprovalFlag = 'dialog',
) {
  const subject = { paths };
  return policy.decide({
    tool,
    effect,
    subject,
    mode: 'agent',
    projectRoot: root,
    rules: rulesOf(rules),
    flag,
  });
}

test('sec-A13: a command that writes a protected file asks with the file named, whatever the rules say', async () => {
  const lines = [
    'echo x > .npmrc',
    'cp a .vscode/settings.json',
    'cd .husky && touch pre-commit',
    'tee .NPMRC',
    'ln -s x .git/hooks/pre-commit',
    `node -e 1 > ${join(root, '.npmrc')}`,
  ];
  for (const line of lines) {
    const decided = await command(line, [
      ['allow', '*'],
      ['allow', `${line.split(' ')[0]} *`],
    ]);
    expect(decided, line).toMatchObject({ verdict: 'ask', proposedRule: null });
    expect(decided.warnings.join(), line).toContain('protected');
  }
  expect((await command('cat .npmrc', [['allow', 'cat *']])).verdict).toBe('allow');
});

test('sec-A13, sec-B13: a protected file asks or is refused for every writing tool under every rule and flag', async () => {
  const allow: ShortRule[] = [['allow', '*', '*']];
  expect(await path('write_file', 'write', ['.npmrc'], allow)).toMatchObject({
    verdict: 'ask',
    proposedRule: null,
  });
  expect(await path('write_file', 'write', ['.npmrc'], allow, 'edits')).toMatchObject({
    verdict: 'deny',
    by: 'flag',
  });
  expect(await path('edit_file', 'write', ['.git/hooks/pre-commit'], allow, 'all')).toMatchObject({
    verdict: 'deny',
  });
  expect(await path('apply_patch', 'write', ['a.ts', '.vscode/tasks.json'])).toMatchObject({
    verdict: 'ask',
    danger: true,
  });
});

test('case-P2: the last match wins, in both directions', async () => {
  const deny: ShortRule[] = [
    ['deny', '*', '*'],
    ['allow', 'src/**', 'write_file'],
    ['allow', 'ls *'],
  ];
  expect((await path('write_file', 'write', ['src/a.ts'], deny)).verdict).toBe('allow');
  expect((await path('write_file', 'write', ['b.ts'], deny)).verdict).toBe('deny');
  expect((await command('ls -l', deny)).verdict).toBe('allow');
  expect((await command('id', deny)).verdict).toBe('deny');
  expect((await command('ls > f', deny)).verdict).toBe('deny');
  const allow: ShortRule[] = [
    ['allow', '*', '*'],
    ['deny', 'id'],
    ['ask', 'lib/**', 'write_file'],
  ];
  expect(await verdicts(['id', 'ls', 'ls && id'], allow)).toEqual({
    id: 'deny',
    ls: 'allow',
    'ls && id': 'deny',
  });
  expect((await path('write_file', 'write', ['lib/x'], allow)).verdict).toBe('ask');
  expect((await path('write_file', 'write', ['x'], allow)).verdict).toBe('allow');
});

test('sec-A05: rules of a project only make it stricter', async () => {
  expect((await command('ls', [['allow', '*', '*', 'project']])).verdict).toBe('ask');
  expect(
    (
      await command('ls', [
        ['allow', 'ls *'],
        ['ask', 'ls *', 'run_command', 'project'],
      ])
    ).verdict,
  ).toBe('ask');
  expect(
    (
      await command('ls', [
        ['deny', 'ls *'],
        ['ask', 'ls *', 'run_command', 'project'],
      ])
    ).verdict,
  ).toBe('deny');
  const granted = await command('ls', [
    ['deny', 'ls *', '*', 'project'],
    ['allow', 'ls *', 'run_command', 'always'],
  ]);
  expect(granted.verdict).toBe('deny');
});

test('a grant lifts no denial of the rules file', async () => {
  const rules: ShortRule[] = [
    ['deny', 'npm *'],
    ['allow', 'npm test', 'run_command', 'session'],
  ];
  expect((await command('npm test', rules)).verdict).toBe('deny');
});

test('sec-B03: a rule on a target holds for a link to it', async () => {
  mkdirSync(join(root, 'secrets'), { recursive: true });
  writeFileSync(join(root, 'secrets/key'), 'k');
  symlinkSync('secrets/key', join(root, 'ok.txt'));
  symlinkSync('/etc', join(root, 'etc'));
  const rules: ShortRule[] = [
    ['allow', 'ok.txt', '*'],
    ['deny', 'secrets/**', '*'],
  ];
  expect((await path('read_file', 'read', ['ok.txt'], rules)).verdict).toBe('deny');
  expect((await path('read_file', 'read', ['SECRETS/key'], rules)).verdict).toBe('deny');
  expect((await path('write_file', 'write', ['etc/passwd'], [['allow', '*', '*']])).verdict).toBe('deny');
});

test('sec-B01: a path outside the project is refused, one that only looks so is not', async () => {
  expect((await path('read_file', 'read', ['../x'])).verdict).toBe('deny');
  expect((await path('read_file', 'read', [`${root}-x/a`])).verdict).toBe('deny');
  expect((await path('read_file', 'read', ['..data/a'])).verdict).toBe('allow');
  expect((await path('read_file', 'read', ['src/a.ts'])).verdict).toBe('allow');
});

test('case-P1: writes and commands ask by default and offer the narrowest rule', async () => {
  expect(await path('write_file', 'write', ['src/a[1].ts'])).toMatchObject({
    verdict: 'ask',
    proposedRule: { action: 'write_file', resource: 'src/a\\[1\\].ts', effect: 'allow' },
  });
  expect((await command('npm test')).proposedRule?.resource).toBe('npm test');
  expect((await command('git status --short')).proposedRule?.resource).toBe('git status *');
  expect((await command("rg 'a*b' src")).proposedRule?.resource).toBe("rg 'a\\*b' src");
  expect((await command('npm test && npm run x')).proposedRule).toBeNull();
  expect((await command('npm test && npm run x', [['allow', 'npm test']])).proposedRule?.resource).toBe(
    'npm run x',
  );
});

test('a proposed rule allows just what it was made for', async () => {
  for (const line of ["rg 'a*b' src", 'npm test', 'echo "it\'s" \\*', 'git log -3']) {
    const rule = (await command(line)).proposedRule;
    expect(rule, line).not.toBeNull();
    expect(
      (await command(line, [['allow', rule?.resource ?? '', 'run_command', 'session']])).verdict,
      line,
    ).toBe('allow');
  }
  expect((await command("rg 'aXb' src", [['allow', "rg 'a\\*b' src"]])).verdict).toBe('ask');
  const write = (await path('write_file', 'write', ['src/a[1].ts'])).proposedRule?.resource ?? '';
  expect((await path('write_file', 'write', ['src/a[1].ts'], [['allow', write, 'write_file']])).verdict).toBe(
    'allow',
  );
  expect((await path('write_file', 'write', ['src/a1.ts'], [['allow', write, 'write_file']])).verdict).toBe(
    'ask',
  );
});

test('flags stand in for a person and lift no denial', async () => {
  expect(await command('npm test', [], 'none')).toMatchObject({ verdict: 'deny', by: 'flag' });
  expect(await command('npm test', [], 'edits')).toMatchObject({ verdict: 'deny', by: 'flag' });
  expect(await command('npm test', [], 'all')).toMatchObject({ verdict: 'allow', by: 'flag' });
  expect(await command('npm test', [['deny', 'npm *']], 'all')).toMatchObject({
    verdict: 'deny',
    by: 'rule',
  });
  expect(await command('npm test', [['allow', 'npm test']], 'none')).toMatchObject({
    verdict: 'allow',
    by: 'rule',
  });
  expect(await path('write_file', 'write', ['a'], [], 'edits')).toMatchObject({
    verdict: 'allow',
    by: 'flag',
  });
  expect(await path('write_file', 'write', ['a'], [], 'none')).toMatchObject({ verdict: 'deny', by: 'flag' });
  expect(await path('write_file', 'write', ['a'], [['ask', 'a', '*']], 'edits')).toMatchObject({
    verdict: 'deny',
  });
});

test('tools that only talk never ask, and a catch-all denial does not silence them', async () => {
  for (const tool of ['attempt_completion', 'todo', 'ask_user']) {
    expect((await path(tool, 'interact', [], [['deny', '*', '*']], 'none')).verdict).toBe('allow');
  }
});

test('case-P5: a mode that only reads refuses commands and writes', async () => {
  const base = { projectRoot: root, rules: rulesOf([['allow', '*', '*']]), flag: 'all' as const };
  const subject = { paths: [], command: 'ls', cwd: root };
  const run = { ...base, tool: 'run_command', effect: 'execute' as const, subject, mode: 'plan' as const };
  expect(await policy.decide(run)).toMatchObject({ verdict: 'deny', by: 'mode' });
});

test('C review after: edits inside the project are allowed unasked, and it says why', async () => {
  const decide = (input: Partial<PolicyInput>, rules: ShortRule[] = []) =>
    policy.decide({
      ...{ tool: 'write_file', effect: 'write', subject: { paths: ['src/a.ts'] }, mode: 'agent' },
      ...{ projectRoot: root, rules: rulesOf(rules), flag: 'dialog', reviewAfter: true },
      ...input,
    });
  const allowed = await decide({});
  expect(allowed).toMatchObject({ verdict: 'allow', by: 'policy', grantId: null });
  expect(allowed.reason).toContain('chat.review.mode');
  expect(await decide({ reviewAfter: false })).toMatchObject({ verdict: 'ask' });
  // Protections, rules, modes and flags still win.
  expect(await decide({ subject: { paths: ['.npmrc'] } })).toMatchObject({ verdict: 'ask', danger: true });
  expect(await decide({ subject: { paths: ['src/a.ts', '.git/config'] } })).toMatchObject({
    verdict: 'deny',
  });
  expect(await decide({ subject: { paths: ['../a.ts'] } })).toMatchObject({ verdict: 'deny' });
  for (const from of ['file', 'project', 'always'] as const) {
    const asks = await decide({}, [['ask', 'src/**', 'write_file', from]]);
    expect(asks, from).toMatchObject({ verdict: 'ask' });
    expect(await decide({}, [['deny', '*', '*', from]]), from).toMatchObject({ verdict: 'deny' });
  }
  expect(await decide({ mode: 'plan' })).toMatchObject({ verdict: 'deny', by: 'mode' });
  expect(await decide({ mode: 'ask' })).toMatchObject({ verdict: 'deny', by: 'mode' });
  expect(await decide({ flag: 'none' })).toMatchObject({ verdict: 'deny', by: 'flag' });
  // Commands ask as ever.
  const subject = { paths: [], command: 'touch a' };
  expect(await decide({ tool: 'run_command', effect: 'execute', subject })).toMatchObject({ verdict: 'ask' });
  expect(await decide({ tool: 'other', effect: 'write', subject: { paths: [] } })).toMatchObject({
    verdict: 'ask',
  });
});
