/** What taking back a turn of 200 files costs, and a three-way merge of 10,000 lines. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { median, round } from './statistics.mjs';

const FILES = 200;
const LINES = 60;
const ROUNDS = 7;
const MERGE = { lines: 10_000, changes: 200 };

async function load(root) {
  // Beside the packages, which the bundle leaves out.
  const folder = join(root, `node_modules/.cache/lathe-bench-undo-${process.pid}`);
  await build({
    input: {
      desk: join(root, 'main/core/change/undo/testing/undo-desk.ts'),
      merge: join(root, 'main/core/change/merge/merge-bytes.ts'),
    },
    external: [/^(?:better-sqlite3|node-pty|web-tree-sitter)(?:\/|$)/, /^@(?:parcel|vscode)\//],
    platform: 'node',
    resolve: { mainFields: ['module', 'main'] },
    cwd: root,
    tsconfig: join(root, 'tsconfig.base.json'),
    logLevel: 'silent',
    output: { dir: folder, format: 'esm', entryFileNames: '[name].mjs' },
  });
  const module = (name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href);
  const loaded = { ...(await module('desk')), ...(await module('merge')) };
  return { ...loaded, drop: () => rmSync(folder, { recursive: true, force: true }) };
}

const text = (file, word) =>
  Array.from(
    { length: LINES },
    (_, line) => `line ${line} of file ${file}${line === 30 ? ` ${word}` : ''}\n`,
  ).join('');

async function timed(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function measureTurn({ openUndoDesk, undoTurn }) {
  const project = mkdtempSync(join(tmpdir(), 'lathe-bench-undo-'));
  const names = Array.from({ length: FILES }, (_, at) => `file-${at}.txt`);
  for (const [at, name] of names.entries()) writeFileSync(join(project, name), text(at, 'before'));
  const desk = await openUndoDesk({ project });
  const [exact, merged, redo] = [[], [], []];
  try {
    for (let round = 0; round < ROUNDS * 2; round += 1) {
      const turn = desk.begin();
      await desk.act(
        { turn },
        Object.fromEntries(names.map((name, at) => [name, text(at, `agent ${round}`)])),
      );
      const isMerged = round % 2 === 1;
      // The user's later lines make each file a merge.
      if (isMerged)
        await desk.act(
          'user',
          Object.fromEntries(names.map((name, at) => [name, `${text(at, `agent ${round}`)}mine ${round}\n`])),
        );
      let result;
      (isMerged ? merged : exact).push(await timed(async () => (result = await undoTurn(desk, turn))));
      if (result.files.length !== FILES || result.conflicts.length > 0)
        throw new Error('the undo is not whole');
      redo.push(await timed(() => desk.core.changes.undo.redo(result.setId)));
    }
    return {
      files: FILES,
      undoMs: round(median(exact)),
      undoMergedMs: round(median(merged)),
      redoMs: round(median(redo)),
    };
  } finally {
    await desk.app[Symbol.asyncDispose]();
  }
}

async function measureMerge({ mergeBytes }) {
  const { lines, changes } = MERGE;
  const base = Array.from({ length: lines }, (_, at) => `line ${at % 997} of ${at}\n`);
  const step = lines / changes;
  const changed = (offset) =>
    Buffer.from(base.map((line, at) => (at % step === offset ? `changed ${offset} ${line}` : line)).join(''));
  const sides = [Buffer.from(base.join('')), changed(5), changed(30)];
  const times = [];
  for (let at = 0; at < 15; at += 1) times.push(await timed(() => mergeBytes(...sides)));
  return { lines, changes, ms: round(median(times)) };
}

/** @returns milliseconds, medians */
export async function measureUndo(root) {
  const core = await load(root);
  try {
    return { turn: await measureTurn(core), merge: await measureMerge(core) };
  } finally {
    core.drop();
  }
}
