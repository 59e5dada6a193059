import { expect, test } from 'vitest';
import { parseShell } from './shell-parse';
import { innerCommands } from './shell-unwrap';
import { matchesCommand } from './rule-match';

async function parts(text: string) {
  return (await parseShell(text)).parts.map((part) => part.argv);
}

test('plain words joined by operators come apart into commands with quotes removed', async () => {
  expect(await parts('git status && npm "run x" || ls; a | b\nc')).toEqual([
    ['git', 'status'],
    ['npm', 'run x'],
    ['ls'],
    ['a'],
    ['b'],
    ['c'],
  ]);
  expect(await parts(`cu""rl -n1 --x="y z" 'it'\\''s'`)).toEqual([['curl', '-n1', '--x=y z', "it's"]]);
});

test('sec-C: whatever is not plain words is opaque and says why', async () => {
  const reasons: [string, RegExp][] = [
    ['echo a > b', /redirection/],
    ['echo $A', /variable/],
    ['echo `a`', /runs another command/],
    ['echo "$(a)"', /runs another command/],
    ['cat <(a)', /process substitution/],
    ['ls *.ts', /file pattern/],
    ['ls a?', /file pattern/],
    ['echo {a,b}', /brace/],
    ['cat <<E\na\nE', /redirection/],
    ['A=1 ls', /sets a variable/],
    ['ls &', /background/],
    ['ls # no', /comment/],
    ['ls ~', /home folder/],
    ['(ls)', /subshell/],
    ['ls |& cat', /./],
    ['ls &&', /could not be read/],
    ['echo "a', /could not be read/],
    ['', /runs nothing/],
    ['a;'.repeat(51), /more than 50 parts/],
    [`echo ${'a'.repeat(10_001)}`, /longer than 10000/],
    ['echo a\rb', /control/],
    ['echo $((1+1))', /arithmetic/],
    ['echo !x', /special character/],
  ];
  for (const [text, reason] of reasons) expect((await parseShell(text)).opaque, text).toMatch(reason);
});

test('wrapped commands are found through options with and without values', () => {
  const inner = (text: string) => innerCommands(text.split(' ')).argvs.map((argv) => argv.join(' '));
  expect(inner('env -i -u A B=1 curl x')).toEqual(['curl x']);
  expect(inner('sudo -u me curl x')).toEqual(['curl x']);
  expect(inner('timeout --signal=KILL 5 curl x')).toEqual(['curl x']);
  expect(inner('nice --unknown 3 curl x')).toEqual(['3 curl x', 'curl x']);
  expect(inner('command -v curl')).toEqual([]);
  expect(inner('ls curl')).toEqual([]);
});

test('any text is parsed without an exception', async () => {
  let seed = 7;
  const alphabet = `a "'\`$(){}[]<>|&;\\\n\r\t#*?~!=-\u0000\u202eé🙂`;
  for (let round = 0; round < 500; round += 1) {
    let text = '';
    for (let i = 0; i < 40; i += 1) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      text += alphabet.charAt(seed % alphabet.length);
    }
    const parsed = await parseShell(text);
    expect(
      parsed.opaque === null ? parsed.parts.length > 0 : parsed.parts.length === 0,
      JSON.stringify(text),
    ).toBe(true);
  }
});

test('wildcards of command rules stand for any text, a backslash makes them literal', () => {
  expect(matchesCommand('git log *', 'git log')).toBe(true);
  expect(matchesCommand('git log *', 'git logs')).toBe(false);
  expect(matchesCommand('*--force*', 'git push --force x')).toBe(true);
  expect(matchesCommand('a?c', 'abc')).toBe(true);
  expect(matchesCommand('a\\*c', 'a*c')).toBe(true);
  expect(matchesCommand('a\\*c', 'abc')).toBe(false);
  expect(matchesCommand(`${'*a'.repeat(40)}b`, 'a'.repeat(10_000))).toBe(false);
});
