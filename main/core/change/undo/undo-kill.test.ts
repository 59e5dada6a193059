import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../../testing/bundle-program';
import { openUndoDesk, undoTurn, type UndoDesk } from './testing/undo-desk';

const ROOT = join(import.meta.dirname, '../../../..');
const BUNDLE = join(ROOT, `node_modules/.cache/lathe-undo-kill-${process.pid}`);

beforeAll(async () => {
  await bundleProgram(join(import.meta.dirname, 'testing/undo-child.ts'), BUNDLE);
}, 60_000);
afterAll(() => rmSync(BUNDLE, { recursive: true, force: true }));

const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' };

async function contents(desk: UndoDesk): Promise<Record<string, string | null>> {
  const names = (await readdir(desk.root)).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await desk.text(name)] as const)),
  );
}

/** A turn whose undo is killed at this point, and the core after a restart. */
async function killedAt(point: string) {
  const desk = await openUndoDesk({ files: FILES });
  await symlink('a.txt', join(desk.root, 'link'));
  const turn = desk.begin();
  await desk.act(
    { turn, command: 'sh x.sh' },
    { 'a.txt': 'A\n', 'b.txt': null, 'c.txt': 'C\n', 'new.txt': 'new\n', link: { link: 'c.txt' } },
  );
  const after = await contents(desk);
  await desk.app.close();
  const { home } = desk.app;
  const child = spawn(
    process.execPath,
    [join(BUNDLE, 'undo-child.mjs'), home, desk.root, turn.sessionId, turn.turnId, point],
    { stdio: ['ignore', 'inherit', 'inherit'], cwd: ROOT },
  );
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
  const again = await openUndoDesk({ home, project: desk.root });
  onTestFinished(() => again.app[Symbol.asyncDispose]());
  return { turn, after, desk: again };
}

const BEFORE = { ...FILES, link: 'a.txt' };

test.each(['written', 'stored', 'marked', 'told'])(
  'an undo that was killed when it was %s is in the log after the restart, once, and can be redone',
  async (point) => {
    const { turn, after, desk } = await killedAt(point);
    expect(await contents(desk)).toEqual(BEFORE);
    const entries = desk.core.changes.undo.sessionLog(turn.sessionId).map(({ set }) => set);
    expect(entries.map(({ author }) => author.kind)).toEqual(['command', 'undo']);
    expect(entries[0]?.undoneBy).toBe(entries[1]?.id);
    const items = desk.core.catalog.runtime(turn.sessionId).view.items.filter(({ kind }) => kind === 'undo');
    expect(items).toHaveLength(1);
    expect(await readdir(join(desk.app.home, 'undo'))).toEqual([]);
    await desk.core.changes.undo.redo(entries[1]?.id as string);
    expect(await contents(desk)).toEqual(after);
  },
  60_000,
);

test.each(['planned', 'half'])(
  'an undo that was killed when it was %s is taken back at the restart, and can be done again',
  async (point) => {
    const { turn, after, desk } = await killedAt(point);
    expect(await contents(desk)).toEqual(after);
    expect(desk.core.changes.undo.sessionLog(turn.sessionId)).toHaveLength(1);
    await undoTurn(desk, turn);
    expect(await contents(desk)).toEqual(BEFORE);
  },
  60_000,
);
