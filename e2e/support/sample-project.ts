import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A small project with a bug, a failing test and a git history, as a user would open it. */
export const SAMPLE_FILES: Record<string, string> = {
  'package.json': '{\n  "name": "sample",\n  "type": "module",\n  "scripts": { "test": "node --test" }\n}\n',
  'README.md': '# Sample\n\nAdds numbers.\n',
  'AGENTS.md': 'Keep functions small.\n',
  '.gitignore': 'ignored/\n*.log\n',
  'src/add.js': 'export function add(a, b) {\n  return a - b;\n}\n',
  'src/greet.js': 'export const greet = (name) => `Hello, ${name}`;\n',
  'test/add.test.js':
    "import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { add } from '../src/add.js';\n\ntest('adds', () => assert.equal(add(2, 3), 5));\n",
  'ignored/cache.txt': 'cached\n',
};

/** Writes a project named `sample` into a new temporary folder and returns its real path. */
export async function makeProject(files: Record<string, string> = SAMPLE_FILES): Promise<string> {
  const root = join(await realpath(await mkdtemp(join(tmpdir(), 'lathe-project-'))), 'sample');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const git = (...args: string[]): void => {
    execFileSync('git', ['-C', root, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
      stdio: 'pipe',
    });
  };
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'First version');
  return root;
}
