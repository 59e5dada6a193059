import { homedir } from 'node:os';
import { expect, test } from 'vitest';
import { commandPolicy } from './testing/command-policy';

const root = '/w/project';
const { command } = commandPolicy(root);

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
