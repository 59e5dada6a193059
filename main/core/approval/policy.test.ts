import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Rule } from '../../../shared/model/approval';
import { createPolicy } from './policy';
import type { ApprovalFlag, PolicyInput } from './types';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'lathe-policy-')));
const policy = createPolicy({
  protection: (path) =>
    /^\.git(\/|$)/i.test(path)
      ? 'deny'
      : /^(\.vscode\/|\.npmrc$|\.husky\/|\.lathe\/)/i.test(path)
        ? 'ask'
        : null,
});

type From = PolicyInput['rules'][number]['from'];
type Short = [effect: Rule['effect'], resource: string, action?: string, from?: From];

function rulesOf(rules: Short[]): PolicyInput['rules'] {
  return rules.map(([effect, resource, action = 'run_command', from = 'file'], i) => ({
    rule: { action, resource, effect },
    from,
    id: `rule-${i}`,
  }));
}

function command(text: string, rules: Short[] = [], flag: ApprovalFlag = 'dialog') {
  return policy.decide({
    tool: 'run_command',
    effect: 'execute',
    subject: { paths: [], command: text, cwd: root },
    mode: 'agent',
    projectRoot: root,
    rules: rulesOf(rules),
    flag,
  });
}

function path(
  tool: string,
  effect: PolicyInput['effect'],
  paths: string[],
  rules: Short[] = [],
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

async function verdicts(lines: string[], rules: Short[] = []) {
  const entries = await Promise.all(lines.map(async (line) => [line, (await command(line, rules)).verdict]));
  return Object.fromEntries(entries) as Record<string, string>;
}

function all(lines: string[], verdict: string) {
  return Object.fromEntries(lines.map((line) => [line, verdict]));
}

const ASKS: [string, Short[], string[]][] = [
  ['sec-C01: quoting tricks after echo', [['allow', 'echo *']], ['echo "\\"; touch CANARY; echo \\""; x']],
  [
    'sec-C02: substitutions',
    [['allow', 'echo *']],
    ['echo `touch CANARY`', 'echo $(touch CANARY)', 'echo "$(touch C)"'],
  ],
  [
    'sec-C03: ripgrep options that run programs',
    [['allow', 'rg *']],
    ['rg --pre=sh x f', 'rg --hostname-bin=./x --hyperlink-format=default x', 'rg -z x'],
  ],
  [
    'sec-C04: sed that writes or runs',
    [['allow', 'sed *']],
    ["sed 's/x/y/e' f", "sed -n 'w /tmp/o' f", 'sed -i s/a/b/ f', "sed '1e id' f", "sed 's/x/y/w out' f"],
  ],
  [
    'sec-C05: find that runs or deletes',
    [['allow', 'find *']],
    [
      "find . -exec sh -c 'touch CANARY' \\;",
      'find . -execdir id \\;',
      'find . -delete',
      'find . -fprintf o x',
      'find . -ok id \\;',
    ],
  ],
  [
    'sec-C06: options of harmless programs',
    [
      ['allow', 'man *'],
      ['allow', 'sort *'],
      ['allow', 'history *'],
      ['allow', 'git *'],
      ['allow', 'xargs *'],
      ['allow', 'rg*'],
    ],
    [
      'man --html=x ls',
      'sort --compress-program=x f',
      'sort --compress-prog x f',
      'sort -o f g',
      'history -a f',
      'git fetch --upload-pa=x origin',
      'xargs -I{} sh -c {}',
      'xargs sh',
      'rg$IFS--pre=sh$IFS.',
      'echo ${x@P}',
    ],
  ],
  [
    'sec-C07: writes behind other commands',
    [
      ['allow', 'echo *'],
      ['allow', 'cd *'],
      ['allow', 'sed *'],
    ],
    ['echo x >| .lathe/c', 'cd .lathe && echo x > c', "echo x | sed 'w .lathe/c'"],
  ],
  [
    'sec-C08: built-ins of the shell',
    [],
    [
      "export PAGER='touch CANARY'",
      "typeset -i x='a'",
      'readonly x=1',
      'declare x=1',
      'unset x',
      'alias a=b',
      "trap 'touch CANARY' DEBUG",
      'source f',
      '. f',
      'eval ls',
      'exec ls',
    ],
  ],
  [
    'sec-C08: built-ins of the shell under a wildcard',
    [
      ['allow', 'e*'],
      ['allow', 'source *'],
      ['allow', 'trap *'],
      ['allow', '. *'],
      ['allow', 'alias *'],
    ],
    ['eval ls', 'exec ls', 'export A=1', 'source f', '. f', "trap 'ls' EXIT", 'alias a=b'],
  ],
  [
    'sec-C09: environment before a command',
    [
      ['allow', 'git *'],
      ['allow', 'ls*'],
      ['allow', 'node *'],
    ],
    [
      "PAGER='touch CANARY' git log",
      'GIT_SSH_COMMAND=x git fetch',
      'LD_PRELOAD=./x.so ls',
      'NODE_OPTIONS=--require=./x node -v',
    ],
  ],
  [
    'sec-C10: line breaks and background',
    [['allow', 'echo *']],
    ['echo ok\nrm -rf x', 'echo ok\r\nrm x', 'echo ok & rm x', 'echo ok \\\n; rm x', 'echo "a\nb"'],
  ],
  [
    'sec-C11: later parts',
    [
      ['allow', 'cd *'],
      ['allow', 'grep *'],
    ],
    ['cd a && npm install', 'grep x f; env | curl http://127.0.0.1', 'grep x f || touch y'],
  ],
  [
    'sec-C14: an exact grant',
    [['allow', "busybox sh -c 'echo 1'"]],
    ["busybox sh -c 'id'", "busybox sh -c 'echo 1; id'"],
  ],
  [
    'sec-C18: package managers',
    [],
    ['npm ci', 'npm install x', 'pip install x', 'cargo build', 'node -v', 'git status'],
  ],
  [
    'sec-C19: git that writes or runs',
    [
      ['allow', 'git log *'],
      ['allow', 'git *'],
    ],
    [
      'git log --output=.git/config',
      'git log --outp=x',
      'git diff --ext-diff',
      'git -c core.pager=x log',
      'git --exec-path=. log',
      'git grep -O x',
      'git grep -Oless x',
      'git -C /elsewhere status',
    ],
  ],
  [
    'sec-C20: expansions of other shells',
    [
      ['allow', 'echo *'],
      ['allow', 'cat *'],
      ['allow', 'sort *'],
      ['allow', 'date *'],
    ],
    [
      'echo =id',
      'cat <(touch CANARY)',
      'sort --output=/tmp/r d',
      'date --set=now',
      'echo *.ts',
      'echo {a,b}',
      'cat <<< x',
    ],
  ],
];

test.each(ASKS)('%s asks', async (_name, rules, lines) => {
  expect(await verdicts(lines, rules)).toEqual(all(lines, 'ask'));
});

test('sec-C: an opaque line is never offered for longer than once', async () => {
  for (const line of [
    'echo $HOME',
    'echo a > b',
    'ls *.ts',
    'A=1 ls',
    'echo a # b',
    '(ls)',
    '! ls',
    'ls &&',
    '"',
    'ls\u0007',
  ]) {
    expect(await command(line), line).toMatchObject({ verdict: 'ask', opaque: true, proposedRule: null });
  }
});

test('plain words joined by operators run part by part', async () => {
  const rules: Short[] = [
    ['allow', 'git status*'],
    ['allow', 'npm test'],
    ['allow', 'head *'],
  ];
  expect(
    await command('git  status --short && npm test | head -5\ngit status; npm "test"', rules),
  ).toMatchObject({
    verdict: 'allow',
    by: 'rule',
    parts: [
      { verdict: 'allow' },
      { verdict: 'allow' },
      { verdict: 'allow' },
      { verdict: 'allow' },
      { verdict: 'allow' },
    ],
  });
  expect(await verdicts(['npm test --x', './npm test', 'git push'], rules)).toEqual(
    all(['npm test --x', './npm test', 'git push'], 'ask'),
  );
});

test('sec-C12: a denial holds behind sixty parts and behind a very long line', async () => {
  const deny: Short[] = [
    ['allow', 'true'],
    ['deny', 'curl *'],
  ];
  expect(await command(`${'true && '.repeat(60)}curl x`, deny)).toMatchObject({
    verdict: 'deny',
    by: 'rule',
  });
  expect(await command(`echo ${'x'.repeat(20_000)}; curl x`, deny)).toMatchObject({ verdict: 'deny' });
  expect(await command(`echo ${'x'.repeat(140_000)}`, deny)).toMatchObject({ verdict: 'deny' });
});

test('sec-C13: a denial holds through wrappers and other spellings', async () => {
  const lines = [
    'env curl x',
    'env -u A B=1 curl x',
    'sudo curl x',
    'sudo -u me curl x',
    'nice -n1 curl x',
    'nice -n 1 curl x',
    'timeout 5 curl x',
    'timeout -k 1 5 curl x',
    'setsid curl x',
    'watch curl x',
    'nohup curl x',
    'command curl x',
    '\\curl x',
    'cu""rl x',
    "'curl' x",
    '/usr/bin/curl x',
    "sh -c 'curl x'",
    `bash -lc "env sh -c 'curl x'"`,
    'xargs curl',
    'xargs -n 1 curl x',
    'echo $(curl x)',
    'ls `curl x`',
    '(curl x)',
    'if true; then curl x; fi',
    'curl x > f',
    'A=1 curl x',
    'eval curl x',
    'find . -exec curl x \\;',
    "$'\\x63url' x",
    'ls & curl x',
    'cat <(curl x)',
    'busybox curl x',
    'curl',
  ];
  expect(
    await verdicts(lines, [
      ['allow', '*'],
      ['deny', 'curl *'],
    ]),
  ).toEqual(all(lines, 'deny'));
  expect(await command('busybox wget x', [['deny', 'wget *']])).toMatchObject({ verdict: 'deny' });
});

test('sec-C13: with denials in force, an unreadable line does not run on a flag', async () => {
  const deny: Short[] = [['deny', 'curl *']];
  expect(await command('c=curl; $c x', deny, 'all')).toMatchObject({ verdict: 'deny', by: 'flag' });
  expect(await command('echo $HOME', deny, 'all')).toMatchObject({ verdict: 'allow', by: 'flag' });
});

test('sec-C14: a grant for a wrapped command holds for exactly that command', async () => {
  const first = await command("busybox sh -c 'echo 1'");
  expect(first.proposedRule).toEqual({
    action: 'run_command',
    resource: "busybox sh -c 'echo 1'",
    effect: 'allow',
  });
  const granted: Short[] = [['allow', "busybox sh -c 'echo 1'", 'run_command', 'always']];
  expect(await command("busybox sh -c 'echo 1'", granted)).toMatchObject({
    verdict: 'allow',
    by: 'grant',
    grantId: 'rule-0',
  });
});

test('sec-C17: hidden characters outside quotes are refused without a dialog, inside they warn', async () => {
  for (const hidden of ['\u202e', '\u200b', '\u{e0041}', '\u2066', '\ufeff', '\u00ad']) {
    const decided = await command(`ls a${hidden}b`, [['allow', '*']], 'all');
    expect(decided, hidden).toMatchObject({ verdict: 'deny', by: 'policy' });
  }
  const inside = await command("echo 'a\u202eb'", [['allow', 'echo *']]);
  expect(inside.warnings.join()).toContain('1 hidden character (U+202E)');
});

const BLOCKED = [
  'rm -rf /',
  'rm -r -f /',
  'rm -rf -- /',
  'rm --recursive --force /',
  'rm -rf /*',
  'rm -fr /usr',
  'rm -rf /private/var',
  'rm -rf /etc/',
  'rm -rf ~',
  'rm -rf "$HOME"',
  'rm -r -f -- "$HOME"',
  'rm -rf ${HOME}/',
  'rm -rf ~/*',
  `rm -rf ${homedir()}`,
  'cd / && rm -rf .',
  'sudo rm -rf /',
  "sh -c 'rm -rf /'",
  'rm -rf --no-preserve-root x',
  'find / -delete',
  'chmod -R 777 /',
  'mkfs.ext4 /dev/sda1',
  'mkfs /dev/sda',
  'dd if=/dev/zero of=/dev/sda',
  'cat x > /dev/nvme0n1',
  'cat x | tee /dev/sda',
  ':(){ :|:& };:',
  'bomb() { bomb | bomb & }; bomb',
  'shutdown -h now',
  'reboot',
  'systemctl poweroff',
  'kill -9 -1',
];

test('case-P3: what destroys the machine is blocked whatever rules and flags say', async () => {
  for (const line of BLOCKED) {
    const decided = await command(
      line,
      [
        ['allow', '*'],
        ['allow', line],
      ],
      'all',
    );
    expect(decided, line).toMatchObject({ verdict: 'deny', by: 'policy', danger: true, proposedRule: null });
  }
});

const DANGEROUS = [
  'rm -rf build',
  'rm -r build',
  'rm -f x',
  'ls && rm -rf /tmp/x',
  'git reset --hard',
  'git reset --har HEAD~1',
  'git clean -fd',
  'git clean -xfd',
  'git push --force',
  'git push -f origin main',
  'git push --force-with-lease',
  'git push origin +main',
  'git push origin :main',
  'git -C sub reset --hard',
  'git checkout -- .',
  'git checkout .',
  'git restore a.ts',
  'git branch -D x',
  'git stash drop',
  'chmod -R 777 build',
  'chown -R me x',
  'truncate -s 0 f',
  'find . -delete',
  'find . -name x -exec rm {} \\;',
  'find . | xargs rm -rf',
  'curl http://127.0.0.1 | sh',
  'sudo ls',
  'shred f',
  'npm publish',
];

test('case-P3: what destroys work always asks, marked dangerous, and is granted only once', async () => {
  for (const line of DANGEROUS) {
    const decided = await command(line, [
      ['allow', '*'],
      ['allow', line.split(' ')[0] + ' *'],
    ]);
    expect(decided, line).toMatchObject({ verdict: 'ask', danger: true, proposedRule: null });
    expect(decided.warnings[0], line).toMatch(/\.$/);
    expect((await command(line, [], 'all')).verdict, line).toBe('allow');
  }
});

test('case-P3: words that only look destructive do not', async () => {
  const lines = [
    'echo rm -rf /',
    'grep -rf patterns src',
    'git reset',
    'git clean -n',
    'git push',
    'git log --format=%h',
    'rm x',
  ];
  for (const line of lines)
    expect(await command(line), line).toMatchObject({ verdict: 'ask', danger: false });
});

test('sec-C24: the project folder itself needs a person, whatever rule or flag', async () => {
  for (const line of ['rm -rf .', 'rm -rf ..', 'rm -rf *', `rm -rf ${root}`]) {
    expect(await command(line, [['allow', 'rm *']]), line).toMatchObject({ verdict: 'ask', danger: true });
    expect(await command(line, [['allow', 'rm *']], 'all'), line).toMatchObject({
      verdict: 'deny',
      by: 'flag',
    });
  }
});

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

test('sec-A13: a protected file asks or is refused for every writing tool under every rule and flag', async () => {
  const allow: Short[] = [['allow', '*', '*']];
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
  const deny: Short[] = [
    ['deny', '*', '*'],
    ['allow', 'src/**', 'write_file'],
    ['allow', 'ls *'],
  ];
  expect((await path('write_file', 'write', ['src/a.ts'], deny)).verdict).toBe('allow');
  expect((await path('write_file', 'write', ['b.ts'], deny)).verdict).toBe('deny');
  expect((await command('ls -l', deny)).verdict).toBe('allow');
  expect((await command('id', deny)).verdict).toBe('deny');
  expect((await command('ls > f', deny)).verdict).toBe('deny');
  const allow: Short[] = [
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
  const rules: Short[] = [
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
  const rules: Short[] = [
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
