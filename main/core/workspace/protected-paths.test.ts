import { expect, test } from 'vitest';
import { mayBeProtected, protection } from './protected-paths';

test('sec-A23, sec-B02: git folders are closed in every spelling and at every depth', () => {
  const closed = [
    '.git',
    '.git/config',
    '.git/hooks/pre-commit',
    'vendor/lib/.git/config',
    '.GIT/hooks/pre-commit',
    '.Git\\config',
    'GIT~1/config',
    '.git ./config',
    '.git::$INDEX_ALLOCATION/config',
    '.g\u200cit/config',
    './.git/modules/x/config',
  ];
  expect(closed.map((name) => [name, protection(name)])).toEqual(closed.map((name) => [name, 'deny']));
});

test('sec-A13: settings, hooks and start-up files always ask', () => {
  const asked = [
    '.lathe/settings.jsonc',
    '.vscode/settings.json',
    '.Cursor/mcp.json',
    'packages/a/.cursor/mcp.json',
    '.claude/settings.local.json',
    '.mcp.json',
    '.idea/workspace.xml',
    'my.code-workspace',
    '.husky/pre-commit',
    '.husky',
    '.devcontainer/devcontainer.json',
    '.npmrc',
    '.NPMRC',
    '.npmrc.',
    '.pre-commit-config.yaml',
    '.envrc',
    '.bashrc',
    '.zshenv',
  ];
  expect(asked.map((name) => [name, protection(name)])).toEqual(asked.map((name) => [name, 'ask']));
});

test('ordinary files are free', () => {
  const free = [
    'src/a.ts',
    '.gitignore',
    '.github/workflows/ci.yml',
    'git/config',
    'a.git.ts',
    '.env.example',
    '..data/x',
    '',
  ];
  expect(free.map((name) => [name, protection(name)])).toEqual(free.map((name) => [name, null]));
});

test('the quick look never passes over a protected name, and passes over ordinary ones', () => {
  const names =
    '.git .GIT GIT~1 .vscode .Cursor mcp.json .mcp.json x.code-workspace .npmrc bunfig.toml lefthook.yml .gitmodules .envrc config.fish .g\u200cit .git. .git::$INDEX_ALLOCATION MCP.JSON'.split(
      ' ',
    );
  for (const name of names) {
    expect([name, protection(name)]).not.toEqual([name, null]);
    expect([name, mayBeProtected(name)]).toEqual([name, true]);
  }
  for (const name of ['a', 'index.ts', 'module-17.test.tsx', 'README.md', 'my file (1).txt', 'a+b@2x.png']) {
    expect([name, mayBeProtected(name), protection(name)]).toEqual([name, false, null]);
  }
});
