import { expect, onTestFinished, test } from 'vitest';
import type { ChatBody, ScriptCall, ScriptReply } from '../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import type { ChangeSet } from '../../../shared/model/change';
import { startCore, type StartCoreOptions, type TestCore } from '../testing/start-core';

const ROWS = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';

/** Opens when so many have come. */
function gate(count: number): () => Promise<void> {
  let [come, open] = [0, (): void => undefined];
  const opened = new Promise<void>((resolve) => (open = resolve));
  return async () => {
    come += 1;
    if (come === count) open();
    await opened;
  };
}

const saidBy = (role: string, { messages }: ChatBody): string[] =>
  messages.filter((message) => message.role === role).map(({ content }) => JSON.stringify(content));
const results = (body: ChatBody): string[] => saidBy('tool', body);
/** The first message of a user that names a side is the session's own. */
const sideOf = (body: ChatBody): Side | null =>
  (['left', 'right'] as const).find((side) =>
    saidBy('user', body).some((text) => text.includes(`${side} side`)),
  ) ?? null;

type Side = 'left' | 'right';
type Edits = Record<Side, ScriptCall>;

const read: ScriptReply = { calls: [{ tool: 'read_file', args: { path: 'a.txt' } }] };

/** How a tool makes one line another one. */
const TOOLS: Record<string, (line: string, made: string) => ScriptCall> = {
  edit_file: (line, made) => ({
    tool: 'edit_file',
    args: { path: 'a.txt', old_string: `${line}\n`, new_string: `${made}\n` },
  }),
  apply_patch: (line, made) => ({
    tool: 'apply_patch',
    args: {
      patch: [
        '*** Begin Patch',
        '*** Update File: a.txt',
        '@@',
        `-${line}`,
        `+${made}`,
        '*** End Patch',
      ].join('\n'),
    },
  }),
  write_file: (line, made) => ({
    tool: 'write_file',
    args: { path: 'a.txt', content: ROWS.replace(`${line}\n`, `${made}\n`) },
  }),
};
const call = (tool: string, line: string, made: string): ScriptCall => {
  const make = TOOLS[tool];
  if (make === undefined) throw new Error(tool);
  return make(line, made);
};

/** Plays both sides: each reads the file, and no edit is sent before both have read; then they look again and end. */
function bothSides(edits: Edits) {
  const bothRead = gate(2);
  const told: Partial<Record<Side, string>> = {};
  const answer = async (body: ChatBody, side: Side): Promise<ScriptReply | string> => {
    const [, edited, again] = results(body);
    told[side] ??= edited;
    if (again !== undefined) return 'Done.';
    if (edited !== undefined || results(body).length === 0) return read;
    await bothRead();
    return { calls: [edits[side]] };
  };
  return { answer, told };
}

/** Two sessions in one window. */
async function twoSessions(edits: Edits, options: Partial<StartCoreOptions> = { flag: 'edits' }) {
  const { answer, told } = bothSides(edits);
  const model = await startScriptedModel({ otherwise: (body) => answer(body, sideOf(body) ?? 'left') });
  const app = await startCore({ files: { 'a.txt': ROWS }, modelUrl: model.url, ...options });
  onTestFinished(async () => {
    await app[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
  });
  const sessions = { left: app.session.id, right: app.newSession('agent').id };
  const run = async (): Promise<void> => {
    for (const side of ['left', 'right'] as const)
      app.core.turns.start({ sessionId: sessions[side], text: `You are the ${side} side` });
    for (const side of ['left', 'right'] as const) await app.core.turns.whenIdle(sessions[side]);
  };
  return { app, told, sessions, run };
}

const log = ({ core }: TestCore): ChangeSet[] => core.changes.log.list({}).reverse();

/** Each entry begins with what the one before left, from the first content to the last. */
async function expectChain(app: TestCore): Promise<void> {
  const states: (string | null)[] = [ROWS];
  for (const { id } of log(app)) {
    const { before, after } = await app.core.changes.log.texts(id, 'a.txt');
    expect(before).toBe(states.at(-1));
    states.push(after);
  }
  expect(await app.read('a.txt')).toBe(states.at(-1));
}

/** Taking back the first entry leaves what the second one did. */
async function undoFirst(app: TestCore): Promise<string> {
  const [first] = log(app);
  if (first === undefined) throw new Error('no entry');
  const result = await app.core.changes.undo.undo({ kind: 'set', setId: first.id });
  expect(result).toMatchObject({ files: [{ path: 'a.txt', outcome: 'merged' }], conflicts: [] });
  return await app.read('a.txt');
}

const BOTH = ROWS.replace('two', 'LEFT').replace('seven', 'RIGHT');
/** Who came first is the scheduler's matter: one of these is left when the first entry is taken back. */
const ONE_OF_BOTH = [ROWS.replace('two', 'LEFT'), ROWS.replace('seven', 'RIGHT')];

test.each(['edit_file', 'apply_patch'])(
  'two sessions change different lines at the same moment by %s: both land, in order in the log, and one is undone alone',
  async (tool) => {
    const edits = { left: call(tool, 'two', 'LEFT'), right: call(tool, 'seven', 'RIGHT') };
    const { app, run, sessions, told } = await twoSessions(edits);
    await run();
    expect(await app.read('a.txt')).toBe(BOTH);
    // The later one hears that somebody was there in between.
    expect(
      [told.left, told.right].filter((text) => text?.includes('had changed since you read it')),
    ).toHaveLength(1);
    const authors = log(app).map(({ author }) => (author.kind === 'agent' ? author.sessionId : author.kind));
    expect(authors.toSorted()).toEqual([sessions.left, sessions.right].toSorted());
    await expectChain(app);
    expect(ONE_OF_BOTH).toContain(await undoFirst(app));
  },
);

test.each(['edit_file', 'apply_patch', 'write_file'])(
  'two sessions change the same line at the same moment by %s: one lands, the other is told to read again, nothing is lost',
  async (tool) => {
    const edits = { left: call(tool, 'two', 'LEFT'), right: call(tool, 'two', 'RIGHT') };
    const { app, run, told } = await twoSessions(edits);
    await run();
    const refused = [told.left, told.right].filter((text) => text?.includes('Error:'));
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatch(/read (it|the file) again/i);
    const winner = told.left?.includes('Error:') ? 'RIGHT' : 'LEFT';
    expect(await app.read('a.txt')).toBe(ROWS.replace('two', winner));
    expect(log(app)).toHaveLength(1);
    await expectChain(app);
  },
);

test('a whole file that another session changed after it was read is not replaced, whichever lines it was', async () => {
  const edits = { left: call('write_file', 'two', 'LEFT'), right: call('write_file', 'seven', 'RIGHT') };
  const { app, run, told } = await twoSessions(edits);
  await run();
  expect(
    [told.left, told.right].filter((text) => text?.includes('changed on disk since you read it')),
  ).toHaveLength(1);
  expect(ONE_OF_BOTH).toContain(await app.read('a.txt'));
  expect(log(app)).toHaveLength(1);
});

test.each(['edit_file', 'apply_patch', 'write_file'])(
  'two questions about one file stand side by side (%s): the first answer is written, the other is out of date and says so',
  async (tool) => {
    const edits = { left: call(tool, 'two', 'LEFT'), right: call(tool, 'seven', 'RIGHT') };
    const { app, run, told } = await twoSessions(edits, { flag: 'dialog' });
    const { approvals } = app.core;
    const stop = approvals.onChange((pending) => {
      // Both were shown what they would do to the same content.
      if (pending.length < 2) return;
      stop();
      for (const { id } of pending) queueMicrotask(() => approvals.reply(id, 'allow_once', 'user'));
    });
    await run();
    const refused = [told.left, told.right].filter((text) =>
      text?.includes('changed on disk in the meantime'),
    );
    expect(refused).toHaveLength(1);
    expect(ONE_OF_BOTH).toContain(await app.read('a.txt'));
    expect(log(app)).toHaveLength(1);
    await expectChain(app);
  },
);

test('two background subagents change one file at the same moment: different lines land, both belong to the parent’s turn', async () => {
  const { answer } = bothSides({
    left: call('edit_file', 'two', 'LEFT'),
    right: call('edit_file', 'seven', 'RIGHT'),
  });
  const task = (side: Side): ScriptCall => ({
    tool: 'task',
    args: { goal: `Work as the ${side} side`, agent: 'general', background: true },
  });
  await using model = await startScriptedModel({
    otherwise: (body) => {
      const side = sideOf(body);
      if (side !== null) return answer(body, side);
      const done = results(body);
      if (done.length === 0) return { calls: [task('left'), task('right')] };
      const ids = done.flatMap((text) => /task_id: ([\w-]+)/.exec(text)?.[1] ?? []);
      if (done.length > 2) return 'Both have ended.';
      return { calls: ids.map((id) => ({ tool: 'task_collect', args: { task_id: id, wait_s: 60 } })) };
    },
  });
  await using app = await startCore({ files: { 'a.txt': ROWS }, modelUrl: model.url, flag: 'edits' });
  const { end } = await app.turn('Let two of them work');
  expect(end.text).toBe('Both have ended.');
  expect(await app.read('a.txt')).toBe(BOTH);
  const authors = log(app).map(({ author }) => (author.kind === 'agent' ? author.sessionId : author.kind));
  expect(new Set(authors).size).toBe(2);
  expect(authors).not.toContain(app.session.id);
  await expectChain(app);

  expect(ONE_OF_BOTH).toContain(await undoFirst(app));
  const { undo } = app.core.changes;
  const { turnId } = undo.turnToUndo(app.session.id, null);
  const result = await undo.undo({ kind: 'turn', sessionId: app.session.id, turnId });
  expect(result.conflicts).toEqual([]);
  expect(await app.read('a.txt')).toBe(ROWS);
});
