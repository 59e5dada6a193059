import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KEPT_CHARS, MemoryFile, newestLines } from './memory-file';

let dir: string;
let file: MemoryFile;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lathe-memory-'));
  file = new MemoryFile(join(dir, 'p', 'MEMORY.md'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

test('M4: at most 6,144 characters are kept; the oldest whole notes go first', async () => {
  for (let n = 0; n < 40; n += 1) await file.append(`- 2026-11-30: note ${n} ${'x'.repeat(200)}`);
  const text = file.read();
  expect(text.length).toBeLessThanOrEqual(KEPT_CHARS);
  expect(text.length).toBeGreaterThan(KEPT_CHARS - 250);
  expect(text).toContain('note 39 ');
  expect(text).not.toContain('note 5 ');
  expect(text.split('\n')[0]).toMatch(/^- 2026-11-30: note/);
});

test('M4: notes written at the same time are all kept; the same words are kept once, as the newest', async () => {
  await Promise.all(['a', 'b', 'c', 'a'].map((word) => file.append(`- 2026-11-30: ${word}`)));
  expect(file.read()).toBe('- 2026-11-30: b\n- 2026-11-30: c\n- 2026-11-30: a\n');
});

test('M4: what people wrote into the file stays', async () => {
  await file.append('- 2026-11-30: first');
  writeFileSync(file.path, '# Ours\r\nUse tabs.\r\n');
  await file.append('- 2026-12-01: second');
  expect(readFileSync(file.path, 'utf8')).toBe('# Ours\nUse tabs.\n- 2026-12-01: second\n');
});

test('the newest lines that fit are whole ones; a single line that does not fit is cut', () => {
  expect(newestLines('a\nbb\nccc\n', 8)).toBe('bb\nccc');
  expect(newestLines('x'.repeat(20), 8)).toBe('x'.repeat(8));
  expect(newestLines('', 8)).toBe('');
});
