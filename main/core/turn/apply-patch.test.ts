import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { PendingApproval } from '../../../shared/model/approval';
import { calls } from '../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import { startCore, type StartCoreOptions } from '../testing/start-core';

const PATCH = [
  '*** Begin Patch',
  '*** Update File: a.txt',
  '@@',
  ' one',
  '-two',
  '+2',
  '*** Update File: b.txt',
  '*** Move to: sub/c.txt',
  '@@',
  '-b',
  '+B',
  '*** Add File: n.txt',
  '+new',
  '*** Delete File: d.txt',
  '*** End Patch',
].join('\n');
const FILES = { 'a.txt': 'one\r\ntwo\r\n', 'b.txt': 'b\n', 'd.txt': 'd\n' };

async function start(patch: string, options: Omit<StartCoreOptions, 'modelUrl'>) {
  const model = await startScriptedModel({ script: [calls('apply_patch', { patch }), 'Done.'] });
  const app = await startCore({ modelUrl: model.url, ...options });
  const asked: PendingApproval[] = [];
  app.core.approvals.onChange((pending) => {
    for (const approval of pending) if (!asked.some(({ id }) => id === approval.id)) asked.push(approval);
  });
  onTestFinished(async () => {
    await app[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
  });
  return { app, model, asked };
}

test('E4: an approved patch lands in all files after one question that shows them all; each is reverted by itself', async () => {
  const { app, asked } = await start(PATCH, { files: FILES, approve: 'allow_once' });
  const turn = await app.turn('patch');
  expect(turn.calls).toMatchObject([{ tool: 'apply_patch', state: 'success', by: 'user' }]);
  expect(await app.read('a.txt')).toBe('one\r\n2\r\n');
  expect(await app.read('sub/c.txt')).toBe('B\n');
  expect((await readdir(app.project)).sort()).toEqual(['a.txt', 'n.txt', 'sub']);
  expect(asked).toHaveLength(1);
  expect(asked[0]?.title).toBe('Change 5 files?');
  const diffs = asked[0]?.subject.kind === 'write' ? asked[0].subject.diffs : [];
  expect(diffs.map(({ path, change }) => `${change} ${path}`)).toEqual([
    'modify a.txt',
    'move sub/c.txt',
    'create n.txt',
    'delete d.txt',
  ]);
  expect(turn.calls[0]?.diffs.map(({ diff }) => diff.path)).toEqual(diffs.map(({ path }) => path));
  const { callId } = turn.calls[0] as (typeof turn.calls)[number];
  for (const { path } of diffs) await app.core.revertEdit(app.session.id, callId, path);
  for (const [name, text] of Object.entries(FILES)) expect(await app.read(name)).toBe(text);
  expect((await readdir(app.project)).sort()).toEqual(['a.txt', 'b.txt', 'd.txt', 'sub']);
});

test('E4: a denied patch changes nothing; in plan mode the tool is not there', async () => {
  const { app, model } = await start(PATCH, { files: FILES, approve: 'deny' });
  const turn = await app.turn('patch');
  expect(turn.calls).toMatchObject([{ state: 'denied', by: 'user' }]);
  for (const [name, text] of Object.entries(FILES)) expect(await app.read(name)).toBe(text);
  const named = model.requests[0]?.body.tools?.map((tool) => tool.function.name);
  expect(named).toContain('apply_patch');
  app.core.sessions.configure(app.session.id, { mode: 'plan' });
  model.push('ok');
  await app.turn('plan');
  expect(model.requests.at(-1)?.body.tools?.map((tool) => tool.function.name)).not.toContain('apply_patch');
});

test('case-P19: a patch that touches a git folder is denied without a question, and its other files stay', async () => {
  const { app, asked } = await start(
    '*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** Add File: .git/hooks/x\n+x\n*** End Patch',
    { files: FILES, approve: 'allow_once' },
  );
  const turn = await app.turn('patch');
  expect(turn.calls[0]?.state).toBe('denied');
  expect(asked).toHaveLength(0);
  expect(await app.read('a.txt')).toBe(FILES['a.txt']);
});

test('protected paths are asked about where edits need no question', async () => {
  const { app, asked } = await start(
    '*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** Add File: .vscode/tasks.json\n+{}\n*** End Patch',
    { files: FILES, approve: 'deny' },
  );
  const turn = await app.turn('patch');
  expect(turn.calls[0]?.state).toBe('denied');
  expect(asked[0]).toMatchObject({ danger: true, proposedRule: null });
});

test('E4: a change that a killed process left half written is taken back before anything else runs, and said', async () => {
  const { app, model } = await start(PATCH, { files: FILES, approve: 'allow_once' });
  const { home, project } = app;
  await app.close();
  const { createHash } = await import('node:crypto');
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
  const entry = join(home, 'unfinished', 'left');
  await mkdir(entry, { recursive: true });
  await writeFile(join(entry, '0'), FILES['a.txt']);
  const file = { path: 'a.txt', before: hash(FILES['a.txt']), after: hash('half'), mode: 0o644 };
  const other = { path: 'z.txt', before: null, after: hash('z'), mode: null };
  const record = { root: project, pid: process.pid, started: 'earlier', files: [file, other] };
  await writeFile(join(entry, 'set.json'), JSON.stringify(record));
  await writeFile(join(project, 'a.txt'), 'half');
  const again = await startCore({ modelUrl: model.url, home, project });
  try {
    expect(await readFile(join(project, 'a.txt'), 'utf8')).toBe(FILES['a.txt']);
    expect(again.core.startNotices.join()).toContain('a.txt');
  } finally {
    await again.close();
  }
});
