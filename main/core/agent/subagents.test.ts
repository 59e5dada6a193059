import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionId } from '../../../shared/model/ids';
import { calls, type ChatBody, type ScriptReply } from '../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel, type ScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import { readRecording, writeRecording } from '../recording/recording-file';
import { replaySession } from '../recording/replay-session';
import { startCore, type FinishedTurn, type TestCore } from '../testing/start-core';

const textOf = (body: ChatBody): string => JSON.stringify(body.messages);
const isChild = (body: ChatBody): boolean => textOf(body).includes('You work as a subagent');
const lastRole = (body: ChatBody): string => body.messages.at(-1)?.role ?? '';
const toolsOf = (body: ChatBody): string[] => body.tools?.map((tool) => tool.function.name) ?? [];

type Answer = ScriptReply | string;
/** One script for the parent and one for each subagent, told apart by the prompt and played in the order of its own requests. */
function family(parent: Answer[], child: (body: ChatBody, step: number) => Answer) {
  let at = 0;
  return {
    otherwise: (body: ChatBody): Answer => {
      if (!isChild(body)) return parent[at++] ?? 'Parent is done.';
      return child(body, body.messages.filter(({ role }) => role === 'assistant').length + 1);
    },
  };
}

const children = (app: TestCore) =>
  app.core.catalog.list({ projectId: null, children: { of: app.session.id } }).toReversed();
const callOf = (turn: FinishedTurn, tool: string) => turn.calls.find((call) => call.tool === tool);
const childRequests = (model: ScriptedModel) => model.requests.filter(({ body }) => isChild(body));

test('A2: a subagent is a session of its own; the parent sees its answer only, and its steps are its own', async () => {
  await using model = await startScriptedModel(
    family(
      [calls('task', { goal: 'Find the login code', agent: 'explore' }), 'It is in a.ts.'],
      (_body, step) =>
        step === 1
          ? calls('read_file', { path: 'a.ts' })
          : calls('attempt_completion', { result: 'a.ts:1 holds login()' }),
    ),
  );
  await using app = await startCore({ files: { 'a.ts': 'SECRET_BODY login()' }, modelUrl: model.url });
  const turn = await app.turn('where is login?');
  expect(turn.end).toMatchObject({ reason: 'done', steps: 2, text: 'It is in a.ts.' });
  const call = callOf(turn, 'task');
  expect(call).toMatchObject({ state: 'success', label: 'explore: Find the login code' });
  expect(call?.result?.text).toContain('a.ts:1 holds login()');
  const parentText = textOf(model.requests.at(-1)?.body as ChatBody);
  expect(parentText).toContain('holds login()');
  expect(parentText).not.toContain('SECRET_BODY');

  const [child] = children(app);
  expect(child).toMatchObject({
    parentId: app.session.id,
    parentCallId: call?.callId,
    title: 'Find the login code',
    agent: 'explore',
    mode: 'ask',
    activity: 'idle',
  });
  expect(call?.child).toMatchObject({ sessionId: child?.id, agent: 'Explore', background: false });
  const view = app.core.catalog.runtime(child?.id as SessionId).view;
  expect(view.items.filter((item) => item.kind === 'step')).toHaveLength(2);
  expect(app.core.sessions.list().map(({ id }) => id)).toEqual([app.session.id]);
  expect(app.core.sessions.list('', true).map(({ id }) => id)).toContain(child?.id);
});

test('H2: 5 steps without a named agent, the agent’s own with one; max_steps only lowers', async () => {
  const tasks = [
    { goal: 'one' },
    { goal: 'two', agent: 'explore' },
    { goal: 'three', agent: 'explore', max_steps: 3 },
    { goal: 'four', agent: 'general', max_steps: 90 },
    { goal: 'five', max_steps: 50 },
  ];
  await using model = await startScriptedModel(
    family([{ calls: tasks.map((args) => ({ tool: 'task', args })) }], () => 'ok'),
  );
  await using app = await startCore({ modelUrl: model.url, maxSteps: 2 });
  await app.turn('go');
  expect(Object.fromEntries(children(app).map(({ title, maxSteps }) => [title, maxSteps]))).toEqual({
    one: 5,
    two: 15,
    three: 3,
    four: 20,
    five: 5,
  });
});

test('A2: a subagent that reaches its cap gives what it has, and the parent’s cap is untouched', async () => {
  await using model = await startScriptedModel(
    family([calls('task', { goal: 'look', max_steps: 2 }), 'ok'], (body) =>
      body.tool_choice === 'none' ? 'Half of it.' : calls('list_dir', {}),
    ),
  );
  await using app = await startCore({ modelUrl: model.url });
  const turn = await app.turn('go');
  expect(callOf(turn, 'task')?.result?.text).toMatch(/limit of steps[\s\S]*Half of it\./);
  expect(turn.end.steps).toBe(2);
});

test('A2: subagents have no task tool, and calling it is refused', async () => {
  await using model = await startScriptedModel(
    family([calls('task', { goal: 'recurse', agent: 'general' }), 'ok'], (_body, step) =>
      step === 1 ? calls('task', { goal: 'again' }) : 'I can not.',
    ),
  );
  await using app = await startCore({ modelUrl: model.url });
  await app.turn('go');
  const requests = childRequests(model);
  expect(toolsOf(requests[0]?.body as ChatBody)).not.toContain('task');
  expect(toolsOf(requests[0]?.body as ChatBody)).not.toContain('task_collect');
  expect(toolsOf(requests[0]?.body as ChatBody)).not.toContain('ask_user');
  expect(textOf(requests[1]?.body as ChatBody)).toContain('A subagent can’t start subagents.');
  expect(children(app)).toHaveLength(1);
});

test('P5: what a plan or ask session starts only reads, whatever its agent; read_only does the same in agent mode', async () => {
  for (const [mode, args] of [
    ['plan', { goal: 'write it', agent: 'general' }],
    ['ask', { goal: 'write it', agent: 'general' }],
    ['agent', { goal: 'write it', agent: 'general', read_only: true }],
  ] as const) {
    await using model = await startScriptedModel(
      family([calls('task', args), 'ok'], (_body, step) =>
        step === 1 ? calls('write_file', { path: 'a.txt', content: 'x' }) : 'refused',
      ),
    );
    await using app = await startCore({ modelUrl: model.url, approve: 'allow_once' });
    app.core.sessions.configure(app.session.id, { mode });
    await app.turn('go');
    const requests = childRequests(model);
    expect(toolsOf(requests[0]?.body as ChatBody)).not.toContain('write_file');
    expect(textOf(requests[1]?.body as ChatBody)).toContain("can't be used in ask mode");
    await expect(app.read('a.txt')).rejects.toThrow();
  }
});

test('P5: a subagent of a session that only reads can not be made one that writes, unless its parent is', async () => {
  await using model = await startScriptedModel(
    family([calls('task', { goal: 'look', agent: 'general' }), 'ok'], () => 'seen'),
  );
  await using app = await startCore({ modelUrl: model.url });
  app.core.sessions.configure(app.session.id, { mode: 'plan' });
  await app.turn('go');
  const id = children(app)[0]?.id ?? '';
  expect(() => app.core.sessions.configure(id, { mode: 'agent' })).toThrow(
    expect.objectContaining({ code: 'mode_forbids' }),
  );
  expect(() => app.core.sessions.configure(id, { agent: 'general' })).toThrow();
  expect(app.core.sessions.configure(id, { mode: 'plan' }).mode).toBe('plan');
  app.core.sessions.configure(app.session.id, { mode: 'agent' });
  expect(app.core.sessions.configure(id, { mode: 'agent' }).mode).toBe('agent');
});

test('A2: approvals of a subagent go to the user under its name', async () => {
  await using model = await startScriptedModel(
    family([calls('task', { goal: 'Write a.txt', agent: 'general' }), 'ok'], (_body, step) =>
      step === 1 ? calls('write_file', { path: 'a.txt', content: 'x' }) : 'written',
    ),
  );
  await using app = await startCore({ modelUrl: model.url });
  const asked: string[] = [];
  const waiting: unknown[] = [];
  app.core.approvals.onChange((pending) => {
    for (const { id, asker, sessionId } of pending) {
      asked.push(asker);
      queueMicrotask(() => {
        waiting.push(app.core.sessions.get(sessionId).activity);
        app.core.approvals.reply(id, 'allow_once', 'user');
      });
    }
  });
  await app.turn('go');
  expect(asked[0]).toBe('General (“Write a.txt”), step 1');
  expect(waiting[0]).toBe('waiting');
  expect(await app.read('a.txt')).toBe('x');
});

test('A2: tasks of one reply run side by side, at most as many as the setting says; the rest waits for its place', async () => {
  let running = 0;
  let most = 0;
  let began = 0;
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const goals = ['a', 'b', 'c', 'd', 'e'];
  let parent = 0;
  await using model = await startScriptedModel({
    otherwise: async (body) => {
      if (!isChild(body)) {
        parent += 1;
        return parent === 1
          ? { calls: goals.map((goal) => ({ tool: 'task', args: { goal, agent: 'explore' } })) }
          : 'All back.';
      }
      running += 1;
      began += 1;
      most = Math.max(most, running);
      if (began === 2) open();
      await gate;
      running -= 1;
      return `answer ${String(body.messages.at(-1)?.content)}`;
    },
  });
  await using app = await startCore({ modelUrl: model.url });
  await app.core.settings.set('chat.subagents.maxParallel', 2);
  const turn = await app.turn('go');
  expect(most).toBe(2);
  const results = turn.calls.map((call) => call.result?.text ?? '');
  expect(results.map((text) => /answer (\w)/.exec(text)?.[1])).toEqual(goals);
});

test('A2: a background task returns its id at once; task_collect waits for the answer, also in a later turn', async () => {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  let taskId = '';
  const steps: ((body: ChatBody) => Answer)[] = [
    () => calls('task', { goal: 'Long work', agent: 'explore', background: true }),
    (body) => {
      taskId = /task_id: ([\w-]+)/.exec(textOf(body))?.[1] ?? '';
      return calls('task_collect', { task_id: taskId, wait_s: 0 });
    },
    () => 'Started.',
    () => calls('task_collect', { task_id: taskId, wait_s: 60 }),
    () => 'Collected.',
    () => calls('task_collect', { task_id: 'nobody' }),
  ];
  await using model = await startScriptedModel({
    otherwise: async (body) => {
      if (!isChild(body)) return steps.shift()?.(body) ?? 'done';
      await gate;
      return 'The long answer.';
    },
  });
  await using app = await startCore({ modelUrl: model.url });
  const first = await app.turn('start it');
  expect(first.end.text).toBe('Started.');
  expect(first.calls[1]?.result?.text).toMatch(/still running|waits/);
  expect(first.calls[0]?.child).toMatchObject({ background: true, sessionId: taskId });
  const ended = app.turn('collect it');
  open();
  const second = await ended;
  expect(second.calls.at(-1)?.result?.text).toContain('The long answer.');
  const third = await app.turn('collect what is not there');
  expect(third.calls.at(-1)).toMatchObject({ state: 'error', error: { code: 'not_found' } });
});

test('A2: stopping the parent stops its subagents, running and queued, in foreground and background', async () => {
  await using model = await startScriptedModel({
    otherwise: (body) => {
      if (isChild(body)) return { text: 'working on it', holdAfterChars: 4 };
      return {
        calls: [
          { tool: 'task', args: { goal: 'back', agent: 'explore', background: true } },
          { tool: 'task', args: { goal: 'front', agent: 'explore' } },
          { tool: 'task', args: { goal: 'waits', agent: 'explore' } },
        ],
      };
    },
  });
  await using app = await startCore({ modelUrl: model.url });
  await app.core.settings.set('chat.subagents.maxParallel', 2);
  app.core.turns.start({ sessionId: app.session.id, text: 'go' });
  await model.waitForRequests(3);
  await app.core.turns.stop(app.session.id);
  await app.core.subagents.stopChildren(app.session.id);
  expect(app.core.turns.runningSessions()).toEqual([]);
  const facts = children(app).map(({ title, activity, lastFact }) => [title, activity, lastFact]);
  expect(facts.toSorted()).toEqual([
    ['back', 'idle', 'stopped by you'],
    ['front', 'idle', 'stopped by you'],
    ['waits', 'idle', 'never started'],
  ]);
  model.release();
});

test('wanted-17: a running subagent can be read, told something and stopped alone; then it goes on by itself', async () => {
  const seen: string[] = [];
  await using model = await startScriptedModel({
    otherwise: (body) => {
      seen.push(textOf(body));
      if (!isChild(body))
        return lastRole(body) === 'user'
          ? calls('task', { goal: 'Dig', agent: 'explore' })
          : 'Parent goes on.';
      if (textOf(body).includes('Go on, please')) return 'Resumed.';
      return lastRole(body) === 'tool' ? { text: 'hold here', holdAfterChars: 4 } : calls('list_dir', {});
    },
  });
  await using app = await startCore({ modelUrl: model.url });
  const started = app.event((event) => event.type === 'subagent.started');
  const parentEnd = app.event((event) => event.type === 'turn.finished');
  app.core.turns.start({ sessionId: app.session.id, text: 'go' });
  const event = await started;
  if (event.type !== 'subagent.started') throw new Error('no subagent');
  await model.waitForRequests(3);
  await expect.poll(() => app.core.sessions.get(event.childId).lastFact).toBe('step 2 of at most 15');
  app.core.turns.interject(event.childId, 'Look under src first.');
  await app.core.turns.stop(event.childId);
  expect(await parentEnd).toMatchObject({ reason: 'done', text: 'Parent goes on.' });
  const view = app.core.catalog.runtime(app.session.id).view;
  const call = view.items.flatMap((item) => (item.kind === 'step' ? item.calls : [])).at(0);
  expect(call).toMatchObject({ state: 'success' });
  expect(call?.result?.text).toContain('stopped by the user');

  app.core.turns.start({ sessionId: event.childId, text: 'Go on, please' });
  expect(await app.core.turns.whenIdle(event.childId)).toMatchObject({ reason: 'done', text: 'Resumed.' });
  expect(seen.at(-1)).toContain('Look under src first.');
  expect(seen.at(-1)).toContain('You work as a subagent');
});

test('A2: an unknown agent is refused with the names there are, and no session is left', async () => {
  await using model = await startScriptedModel(
    family([calls('task', { goal: 'x', agent: 'ghost' }), 'ok'], () => 'never'),
  );
  await using app = await startCore({ modelUrl: model.url });
  const turn = await app.turn('go');
  expect(turn.calls[0]).toMatchObject({ state: 'error', error: { code: 'not_found' } });
  expect(turn.calls[0]?.error?.hint).toContain('explore');
  expect(children(app)).toEqual([]);
});

test('a session is deleted with its subagents', async () => {
  await using model = await startScriptedModel(family([calls('task', { goal: 'x' }), 'ok'], () => 'done'));
  await using app = await startCore({ modelUrl: model.url });
  await app.turn('go');
  const [child] = children(app);
  const removed: string[] = [];
  app.core.catalog.onChange((change) => void (change.kind === 'removed' && removed.push(change.id)));
  await app.core.sessions.remove(app.session.id);
  expect(removed).toEqual([child?.id, app.session.id]);
  expect(app.core.catalog.find(child?.id as SessionId)).toBeNull();
});

test('A2: after a killed host the parent’s call is "result unknown", and the subagent can be continued', async () => {
  await using model = await startScriptedModel({
    otherwise: (body) => {
      if (!isChild(body)) {
        const taskId = /child ([\w-]+)/.exec(String(body.messages.at(-1)?.content))?.[1];
        if (taskId !== undefined) return calls('task_collect', { task_id: taskId });
        return lastRole(body) === 'user' ? calls('task', { goal: 'Dig', agent: 'explore' }) : 'I see.';
      }
      if (body.messages.some(({ role }) => role === 'tool')) return 'Dug up.';
      return calls('run_command', { command: 'true' }, 'half');
    },
  });
  await using app = await startCore({ modelUrl: model.url });
  let killed = '';
  const stop = app.core.catalog.onChange((change) => {
    if (change.kind !== 'updated' || !change.summary.lastFact.startsWith('step 1')) return;
    stop();
    // What a process leaves behind that dies here.
    killed = mkdtempSync(join(tmpdir(), 'lathe-killed-'));
    cpSync(app.home, killed, { recursive: true });
  });
  await app.turn('go');
  const after = await startCore({ modelUrl: model.url, home: killed, project: app.project });
  const parent = after.core.sessions.get(app.session.id);
  expect(parent.activity).toBe('interrupted');
  const { view } = after.core.catalog.runtime(parent.id);
  const call = view.items.flatMap((item) => (item.kind === 'step' ? item.calls : [])).at(0);
  expect(call).toMatchObject({ tool: 'task', state: 'error' });
  expect(call?.error?.message).toMatch(/unknown|interrupted/i);
  const childId = call?.child?.sessionId;
  if (childId === undefined) throw new Error('the call has no subagent');
  expect(after.core.sessions.get(childId)).toMatchObject({ activity: 'interrupted', parentId: parent.id });

  const asked = await after.turn(`what about child ${childId}`);
  expect(asked.calls.at(-1)?.result?.text).toContain('interrupted');
  after.core.turns.resume(childId, 'continue');
  expect(await after.core.turns.whenIdle(childId)).toMatchObject({ reason: 'done' });
  await after.close();
  rmSync(killed, { recursive: true, force: true });
});

test('a subagent that waited in a process that died is said to have never started', async () => {
  await using model = await startScriptedModel();
  await using app = await startCore({ modelUrl: model.url });
  const facts = {
    projectId: app.session.projectId,
    projectPath: app.project,
    mode: 'ask',
    model: null,
  } as const;
  const child = app.core.catalog.create({ ...facts, title: 'waits', parentId: app.session.id });
  app.core.catalog.update(child.id, { lastFact: 'queued' });
  await app.close();
  const again = await startCore({ modelUrl: model.url, home: app.home, project: app.project });
  expect(again.core.sessions.get(child.id)).toMatchObject({ lastFact: 'never started', activity: 'idle' });
  await again.close();
});

test('wanted-17: a session with subagents side by side, a plan and a budget replays byte for byte', async () => {
  let parent = 0;
  await using model = await startScriptedModel({
    otherwise: (body) => {
      if (isChild(body)) return lastRole(body) === 'user' ? calls('list_dir', {}) : 'found';
      parent += 1;
      if (parent === 1) return { calls: ['a', 'b'].map((goal) => ({ tool: 'task', args: { goal } })) };
      return parent === 2 ? calls('create_plan', { title: 'Do', steps: ['it'] }) : 'Planned.';
    },
  });
  await using app = await startCore({ modelUrl: model.url });
  await app.core.settings.set('chat.budget.prices', { mock: { input: 1, output: 2 } });
  await app.core.settings.set('chat.budget.sessionUsd', 5);
  expect((await app.turn('go')).end.reason).toBe('done');
  const result = await replaySession(
    readRecording(await writeRecording(app.core.store, app.session.id, 'test')),
  );
  expect(result.divergences).toEqual([]);
  expect(result.firstDifference).toBeNull();
});
