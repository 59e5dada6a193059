import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calls, type ChatBody, type ScriptStep } from '../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import { startCore, type TestCore } from '../testing/start-core';
import { gatherTurnFacts } from './prompt/turn-facts';

/** Bytes that two requests begin with in common, of the bytes of the earlier one. */
function sharedShare(earlier: ChatBody, later: ChatBody): number {
  const [a, b] = [earlier, later].map((body) => Buffer.from(JSON.stringify(body)));
  if (!a || !b) return 0;
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same += 1;
  return same / a.length;
}

const git = (cwd: string, ...args: string[]): void => {
  execFileSync('git', ['-C', cwd, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { stdio: 'ignore' });
};

/** A step of a long turn: reads, searches, edits, commands and to-do lists in turn. */
function step(n: number): ScriptStep {
  const path = `src/f${n % 5}.ts`;
  switch (n % 5) {
    case 0:
      return calls('read_file', { path }, `Step ${n}.`);
    case 1:
      return calls('grep', { pattern: 'value' });
    case 2:
      return calls('edit_file', { path, old_string: `line ${n} `, new_string: `line ${n}x ` });
    case 3:
      return calls('run_command', { command: `echo ${n}` });
    default:
      return calls('todo', {
        action: 'create',
        items: [{ id: '1', content: `Step ${n}`, status: 'in_progress' }],
      });
  }
}

const FILES = {
  'AGENTS.md': 'Be brief.',
  '.cursor/rules/ts.mdc': '---\nglobs: "*.ts"\n---\nNo default exports.',
  ...Object.fromEntries(
    Array.from({ length: 5 }, (_, n) => [
      `src/f${n}.ts`,
      Array.from({ length: 60 }, (_line, at) => `line ${at} value`).join('\n'),
    ]),
  ),
};

const send = (app: TestCore, text: string): Promise<unknown> =>
  app.core.context
    .turnFacts(app.session.id, ['src/f1.ts'])
    .then((facts) =>
      app.core.turns.start({ sessionId: app.session.id, text, openFiles: ['src/f0.ts'], facts }),
    )
    .then(() => app.core.turns.whenIdle(app.session.id));

test('X8: over 50 steps each request begins with at least 99 % of the bytes of the one before', async () => {
  const script = Array.from({ length: 50 }, (_, n) => step(n));
  await using model = await startScriptedModel({ script: [...script, 'All done.', 'Next.'] });
  await using app = await startCore({ files: FILES, modelUrl: model.url, approve: 'allow_once' });
  git(app.project, 'init', '-q');
  let compactions = 0;
  app.core.subscribe(app.session.id, (event) => (compactions += event.type === 'compaction' ? 1 : 0));
  await send(app, 'Work through it.');
  await send(app, 'And again.');
  expect(compactions).toBe(0);
  expect(model.requests).toHaveLength(52);
  const shares = model.requests.slice(1).map(({ body }, at) => {
    const earlier = model.requests[at]?.body;
    return earlier ? sharedShare(earlier, body) : 0;
  });
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.99);
}, 60_000);

test('X8: date, branch, changed files and open files are frozen into the message they were sent with', async () => {
  await using model = await startScriptedModel({ otherwise: 'ok' });
  await using app = await startCore({ files: FILES, modelUrl: model.url });
  git(app.project, 'init', '-q', '-b', 'trunk');
  git(app.project, 'add', '.');
  git(app.project, 'commit', '-q', '-m', 'one');
  await send(app, 'First.');
  git(app.project, 'checkout', '-q', '-b', 'other');
  await send(app, 'Second.');
  const [system, first, , second] = model.requests[1]?.body.messages ?? [];
  const today = new Date().getFullYear();
  expect(system?.content).not.toMatch(new RegExp(`Date: ${today}|Git: `));
  expect(first?.content).toContain(`Date: ${today}-`);
  expect(first?.content).toContain('Git: trunk');
  expect(first?.content).toContain('Open in the editor: src/f0.ts');
  expect(first?.content).toContain('No default exports.');
  expect(second?.content).toContain('Git: other');
  expect(model.requests[1]?.body.messages[1]).toEqual(model.requests[0]?.body.messages[1]);
});

test('case-T01: facts of a message: the day, the branch with its drift, and what is changed', async () => {
  const root = await mkdtemp(join(tmpdir(), 'lathe-facts-'));
  const facts = (): Promise<string[]> => gatherTurnFacts(root, new Date(2026, 1, 3), 30_000);
  expect(await facts()).toEqual(['Date: 2026-02-03 (Tuesday)']);
  git(root, 'init', '-q', '-b', 'trunk');
  await writeFile(join(root, 'a b.txt'), 'one\n');
  expect((await facts())[1]).toBe('Git: trunk, no commits yet; 1 changed: ?? a b.txt');
  git(root, 'add', '.');
  git(root, 'commit', '-q', '-m', 'one');
  expect((await facts())[1]).toBe('Git: trunk; no changes');
  git(root, 'mv', 'a b.txt', 'c.txt');
  for (let n = 0; n < 14; n += 1) await writeFile(join(root, `n${n}.txt`), 'x');
  expect((await facts())[1]).toMatch(/^Git: trunk; 15 changed: R c\.txt, \?\? n0\.txt, .*, … 3 more$/);
  await rm(root, { recursive: true, force: true });
});
