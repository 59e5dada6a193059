import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../store/open-store';
import { createBackups } from './backups';

test('unsaved text survives a restart, per project, and an unreadable backup hides no other', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lathe-backups-'));
  const first = openStore({ dataDir });
  const draft = { path: 'a.ts', baseHash: null, text: 'draft', cursorLine: 2, cursorColumn: 5 };
  createBackups(first.backups, 'p1').keep(draft);
  first.backups.keep('p1', { ...draft, path: 'b.ts', baseHash: 'no hash' });
  first.close();
  const store = openStore({ dataDir });
  const backups = createBackups(store.backups, 'p1');
  expect(backups.list()).toMatchObject([draft]);
  expect(createBackups(store.backups, 'p2').list()).toEqual([]);
  const isKept = (project: string, path: string): boolean => store.backups.has(project, path);
  expect([isKept('p1', 'a.ts'), isKept('p1', 'c.ts'), isKept('p2', 'a.ts')]).toEqual([true, false, false]);
  backups.drop('a.ts');
  expect(backups.list()).toEqual([]);
  const huge = { ...draft, text: 'x'.repeat(21 * 1024 * 1024) };
  expect(() => {
    backups.keep(huge);
  }).toThrow(expect.objectContaining({ code: 'file_too_large' }));
  store.close();
  rmSync(dataDir, { recursive: true, force: true });
});
