import { expect, test } from 'vitest';
import { commandPolicy, type ShortRule } from './testing/command-policy';

const root = '/w/project';
const { command, verdicts } = commandPolicy(root);

function all(lines: string[], verdict: string) {
  return Object.fromEntries(lines.map((line) => [line, verdict]));
}

const ASKS: [string, ShortRule[], string[]][] = [
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
  const rules: ShortRule[] = [
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
  const deny: ShortRule[] = [
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
  const deny: ShortRule[] = [['deny', 'curl *']];
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
  const granted: ShortRule[] = [['allow', "busybox sh -c 'echo 1'", 'run_command', 'always']];
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
