import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileSecrets } from './file-secrets';

let dir: string;
let path: string;
let notices: string[];
const open = () => createFileSecrets({ path, onNotice: (text) => notices.push(text) });

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lathe-secrets-'));
  path = join(dir, 'private', 'secrets.json');
  notices = [];
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

test('a secret comes back in another process and is gone after removal', async () => {
  const secrets = open();
  expect(await secrets.get('openai')).toBeNull();
  await secrets.set('openai', 'sk-1');
  expect(await open().get('openai')).toBe('sk-1');
  expect(await open().has('constructor')).toBe(false);
  await secrets.remove('openai');
  expect(await open().has('openai')).toBe(false);
});

test('many writes at once lose none', async () => {
  const secrets = open();
  await Promise.all(Array.from({ length: 20 }, (_, i) => secrets.set(`k${i}`, `v${i}`)));
  expect(await secrets.get('k0')).toBe('v0');
  expect(await secrets.get('k19')).toBe('v19');
  expect(readdirSync(join(dir, 'private'))).toEqual(['secrets.json']);
});

test.skipIf(process.platform === 'win32')(
  'the file is for its user alone, and a wider mode is put right',
  async () => {
    const secrets = open();
    await secrets.set('a', 'b');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(dir, 'private')).mode & 0o777).toBe(0o700);
    chmodSync(path, 0o644);
    expect(await secrets.get('a')).toBe('b');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(notices).toEqual([expect.stringContaining('mode 644')]);
  },
);

test('fault-F117: a torn file is set aside with a notice', async () => {
  await open().set('a', 'b');
  writeFileSync(path, '{"a": "b', { mode: 0o600 });
  expect(await open().get('a')).toBeNull();
  expect(notices[0]).toContain('damaged');
  await open().set('c', 'd');
  expect(await open().get('c')).toBe('d');
});
