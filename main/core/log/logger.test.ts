import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '../../../shared/error';
import { createLogger } from './logger';
import { redact, redactText } from './redact';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lathe-log-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

const lines = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('each line is JSON with time, level, message and facts; errors keep code and cause', () => {
  const log = createLogger({ dir: join(dir, 'logs') });
  log.debug('not written');
  log.info('opened', { path: '/p' });
  log.error('failed', { error: new AppError('io_failed', 'no', { cause: new Error('disk') }) });
  const [first, second] = lines(log.tail(10_000));
  expect(first).toMatchObject({ level: 'info', message: 'opened', path: '/p' });
  expect(second).toMatchObject({
    error: { name: 'AppError', code: 'io_failed', cause: { message: 'disk' } },
  });
  if (process.platform !== 'win32') expect(statSync(log.path).mode & 0o777).toBe(0o600);
  log.close();
});

test.each([
  ['Authorization: Bearer abcdefgh12345678', 'abcdefgh'],
  ['GET https://h/v1?token=abcd1234&x=1', 'abcd1234'],
  ['GET https://h/v1?api_key=abcd1234', 'abcd1234'],
  ['clone https://me:hunter2@host/repo', 'hunter2'],
  ['key sk-proj-abcdefghijklmnop0123', 'abcdefghijklmnop'],
  ['x-api-key: qwertyuiop', 'qwertyuiop'],
  ['{"apiKey":"qwertyuiop"}', 'qwertyuiop'],
  ['ghp_0123456789abcdefghijABCDEF', '0123456789abcdef'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----', 'MIIB'],
])('sec-D11: no secret is left in %j', (text, secret) => {
  expect(redactText(text)).not.toContain(secret);
  expect(redactText(text)).toContain('***');
});

test('sec-D11: secret fields are hidden at any depth, counts and plain keys are not', () => {
  expect(
    redact({ headers: [{ Authorization: 'x' }], apiKey: 'k', inputTokens: 5, key: 'layout', tokens: 7 }),
  ).toEqual({ headers: [{ Authorization: '***' }], apiKey: '***', inputTokens: 5, key: 'layout', tokens: 7 });
});

test('three files of the given size are kept, and the tail runs over their borders', () => {
  const log = createLogger({ dir, maxBytes: 2000 });
  for (let i = 0; i < 200; i += 1) log.info(`line ${i}`);
  expect(readdirSync(dir).sort()).toEqual(['lathe.1.log', 'lathe.2.log', 'lathe.log']);
  for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).size).toBeLessThanOrEqual(2000);
  const tail = lines(log.tail(3500));
  expect(tail.at(-1)?.message).toBe('line 199');
  expect(tail.map((line) => line.message)).toEqual(
    tail.map((_, index) => `line ${200 - tail.length + index}`),
  );
  expect(tail.length).toBeGreaterThan(25);
  log.close();
});

test('two loggers on one folder lose no line to each other when one rotates', () => {
  const a = createLogger({ dir, maxBytes: 3000 });
  const b = createLogger({ dir, maxBytes: 3000 });
  for (let i = 0; i < 20; i += 1) {
    a.info(`a${i}`);
    b.info(`b${i}`);
  }
  const all = lines(a.tail(100_000)).map((line) => String(line.message));
  expect(all.filter((message) => message.startsWith('b'))).toHaveLength(20);
  expect(all.filter((message) => message.startsWith('a'))).toHaveLength(20);
  a.close();
  b.close();
});

test('a folder that can not be written, a cycle and a huge value never throw', () => {
  writeFileSync(join(dir, 'file'), '');
  const log = createLogger({ dir: join(dir, 'file', 'logs') });
  log.info('lost');
  expect(log.tail(100)).toBe('');
  const good = createLogger({ dir });
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  good.warn('cycle', cycle);
  good.warn('huge', { text: 'x'.repeat(1_000_000) });
  expect(lines(readFileSync(good.path, 'utf8'))).toHaveLength(2);
  expect(statSync(good.path).size).toBeLessThan(100_000);
  good.close();
});
