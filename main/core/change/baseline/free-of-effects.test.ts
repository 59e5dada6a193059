import { expect, test } from 'vitest';
import { isFreeOfEffects } from './free-of-effects';

test.each([
  'ls',
  'ls -la src 2>/dev/null',
  'cat a.ts | grep -n foo | head -20',
  'cd src && git status --short',
  'git diff HEAD^ -- a.ts 2>&1 | tail -5',
  "sed -n '1,50p' a.ts",
  "find . -name '*.ts' -not -path './node_modules/*' | wc -l",
  'rg -n "foo bar" src',
  'node --version',
  'sort a | uniq -c',
  'echo "done; rm x"',
])('changes nothing: %s', async (command) => {
  expect(await isFreeOfEffects(command)).toBe(true);
});

test.each([
  'echo x > a',
  'ls; rm a',
  'cat a | tee b',
  'find . -name x -delete',
  'find . -exec rm {} +',
  'sort -o a a',
  'sort -uo a a',
  'uniq a b',
  "sed -i 's/a/b/' x",
  "sed -n 'w out' x",
  "sed 's/a/b/w out' x",
  'git checkout .',
  'git -c core.fsmonitor=./x status',
  'git diff --output=x',
  'git grep -O./x foo',
  'rg --pre ./x foo',
  'npm test',
  './ls',
  'env ls',
  'ls $(rm a)',
  'ls `rm a`',
  'sh -c ls',
  'ls & rm a',
  'ls > /dev/null > a',
  'FOO=1 ls',
  'tree -o x',
  'xargs ls',
  'time ls',
  'date -s 10:00',
  'file -C -m magic',
  'if true; then ls; fi',
])('may change something: %s', async (command) => {
  expect(await isFreeOfEffects(command)).toBe(false);
});
