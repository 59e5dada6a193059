import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { CONTENT_SECURITY_POLICY } from '../../shared/contract/csp';
import { answerAppRequest } from './protocol';

vi.mock('electron', () => import('./testing/fake-electron'));

let root = '';

beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'lathe-page-'));
  root = path.join(folder, 'renderer');
  await mkdir(path.join(root, 'assets'), { recursive: true });
  await writeFile(path.join(root, 'index.html'), '<p>');
  await writeFile(path.join(root, 'assets/a.js'), 'export {}');
  await writeFile(path.join(folder, 'secret.txt'), 'secret');
});

test('files of the page come with their type and the security headers', async () => {
  const page = await answerAppRequest(root, 'GET', 'app://lathe/index.html?x#y');
  expect([page.status, await page.text()]).toEqual([200, '<p>']);
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
  const script = await answerAppRequest(root, 'HEAD', 'app://lathe/assets/a.js');
  expect([script.headers.get('content-type'), await script.text()]).toEqual([
    'text/javascript; charset=utf-8',
    '',
  ]);
});

test.each([
  'app://lathe/../secret.txt',
  'app://lathe/..%2fsecret.txt',
  'app://lathe/%2e%2e/secret.txt',
  'app://lathe/assets/..%5c..%5csecret.txt',
  'app://lathe/index.html%00.js',
  'app://lathe/%ff',
  'app://lathe/assets',
  'app://lathe/assets/',
  'app://lathe/',
  'app://other/index.html',
  'https://lathe/index.html',
  'no url',
])('%s is not there', async (url) => {
  expect((await answerAppRequest(root, 'GET', url)).status).toBe(404);
});

test('nothing but reading is answered', async () => {
  expect((await answerAppRequest(root, 'POST', 'app://lathe/index.html')).status).toBe(404);
});
