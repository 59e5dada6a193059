import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { createFileSecrets } from '../core/secrets/file-secrets';
import { createSafeSecrets } from './secrets';
import { safeStorage } from './testing/fake-electron';

vi.mock('electron', () => import('./testing/fake-electron'));

const notices: string[] = [];
let file = '';

const store = (platform: NodeJS.Platform = 'linux') =>
  createSafeSecrets({
    file: createFileSecrets({ path: file, onNotice: () => undefined }),
    platform,
    onNotice: (text) => notices.push(text),
  });

beforeEach(async () => {
  notices.length = 0;
  Object.assign(safeStorage, { available: true, backend: 'gnome_libsecret' });
  file = path.join(await mkdtemp(path.join(tmpdir(), 'lathe-keys-')), 'keychain.json');
});

test('keys are kept encrypted in a file for the user alone, and read by the next start', async () => {
  await store().set('openai', 'sk-plain');
  expect(await readFile(file, 'utf8')).not.toContain('sk-plain');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await store().get('openai')).toBe('sk-plain');
  await store().remove('openai');
  expect(await store().has('openai')).toBe(false);
});

test('sec-H09: without a keychain a key lives as long as the app, nothing is written, and the user is told once', async () => {
  safeStorage.backend = 'basic_text';
  const secrets = store();
  await secrets.set('a', 'one');
  await secrets.set('b', 'two');
  expect([await secrets.get('a'), await secrets.has('b')]).toEqual(['one', true]);
  await expect(stat(file)).rejects.toThrow('ENOENT');
  expect(await store().get('a')).toBeNull();
  expect(notices).toHaveLength(1);
  safeStorage.available = false;
  const mac = store('darwin');
  await mac.set('c', 'three');
  await expect(stat(file)).rejects.toThrow('ENOENT');
});

test('a key of another keychain is as good as none, and the user is told', async () => {
  await createFileSecrets({ path: file, onNotice: () => undefined }).set('a', '');
  expect(await store().get('a')).toBeNull();
  expect(notices[0]).toContain('can’t be read'.replace('’', "'"));
});
