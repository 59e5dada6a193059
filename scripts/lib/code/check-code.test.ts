import { copyFile, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ESLint, type Linter } from 'eslint';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inRoot } from '../paths.mjs';
import { checkCode } from './check-code.mjs';

let root: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'lathe-code-')));
  await symlink(inRoot('node_modules'), path.join(root, 'node_modules'), 'junction');
  await copyFile(inRoot('eslint.config.js'), path.join(root, 'eslint.config.js'));
  const options = { strict: true, noEmit: true, target: 'es2022', lib: ['es2022'], types: [] };
  await write('tsconfig.json', { files: [], references: [{ path: './lib' }, { path: './app' }] });
  await write('lib/tsconfig.json', { compilerOptions: options });
  await write('app/tsconfig.json', { compilerOptions: options });
  await write('lib/double.ts', 'export const double = (value: number): number => value * 2;\n');
  await write('app/four.ts', "import { double } from '../lib/double';\n\nexport const four = double(2);\n");
  await write('app/other.ts', 'export const other = 1;\n');
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(name: string, content: unknown): Promise<void> {
  const file = path.join(root, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
}

const check = () => checkCode({ types: true, lint: true, root, record: path.join(root, 'record.json') });

test('types and rules are both checked, each file once', async () => {
  await write('lib/wrong.ts', "export const wrong: number = 'text';\n");
  await write('app/uses.ts', "import { wrong } from '../lib/wrong';\n\nvoid Promise.resolve(wrong);\n");
  await write('app/floats.ts', 'Promise.resolve(1);\n');
  const { ok, report } = await check();
  expect(ok).toBe(false);
  expect(report.match(/error TS\d+/g)).toEqual(['error TS2322']);
  expect(report.match(/@typescript-eslint\/[\w-]+/g)).toEqual(['@typescript-eslint/no-floating-promises']);
});

test('what was clean is looked at again when it changes, or something that it imports', async () => {
  expect(await check()).toEqual({ ok: true, report: '', looked: 4 });
  expect(await check()).toEqual({ ok: true, report: '', looked: 0 });
  await write('lib/double.ts', 'export const double = (value: string): string => value + value;\n');
  const broken = await check();
  expect(broken.looked).toBe(2);
  expect(broken.report).toContain('app/four.ts(3,');
  // Still found wrong, although nothing has changed since.
  expect((await check()).report).toBe(broken.report);
});

test('other rules or packages let nothing count as clean', async () => {
  await check();
  await write('package-lock.json', '{}');
  expect((await check()).looked).toBe(4);
});

test('a file that no tsconfig lists is an error', async () => {
  await write('apart/lost.ts', 'export const lost = 1;\n');
  expect(await check()).toMatchObject({
    ok: false,
    report: 'apart/lost.ts: error: no tsconfig lists this file',
  });
});

test('promises, cases, any and type imports are checked in product code and tests alike', async () => {
  const eslint = new ESLint({ cwd: inRoot('.') });
  for (const file of [
    'shared/a.ts',
    'main/core/a/a.ts',
    'main/core/a/a.test.ts',
    'renderer/app/a.tsx',
    'e2e/web/a.ts',
  ]) {
    const { rules } = (await eslint.calculateConfigForFile(inRoot(file))) as { rules: Linter.RulesRecord };
    const severities = TYPED_RULES.map((rule) => [rules[`@typescript-eslint/${rule}`]].flat()[0]);
    expect(severities, file).toEqual([2, 2, 2, 2, 2]);
  }
});

const TYPED_RULES = [
  'no-floating-promises',
  'no-misused-promises',
  'switch-exhaustiveness-check',
  'no-explicit-any',
  'consistent-type-imports',
];
