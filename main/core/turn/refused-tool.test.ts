import { expect, test } from 'vitest';
import { calls, type ChatBody, type ScriptReply } from '../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import { readRecording, writeRecording } from '../recording/recording-file';
import { replaySession } from '../recording/replay-session';
import { startCore } from '../testing/start-core';

/** The refusal of every request that brings `name`, by its place in the list, as OpenAI words it; null for others. */
function refusalOf(name: string, body: ChatBody): ScriptReply | null {
  const at = (body.tools ?? []).findIndex((each) => each.function.name === name);
  if (at === -1) return null;
  const message = `Invalid schema for function '${name}': something is wrong with it.`;
  return { status: 400, body: { error: { message, param: `tools[${at}].function.parameters` } } };
}

test('fault-F109: a refused tool costs a notice, not the turn, and the list stays the same afterwards', async () => {
  const steps = [calls('read_file', { path: 'a.ts' }), calls('list_dir', { path: '.' }), 'Done.', 'Again.'];
  await using model = await startScriptedModel({
    otherwise: (body) => refusalOf('git_log', body) ?? steps.shift() ?? 'Nothing left.',
  });
  await using app = await startCore({ files: { 'a.ts': 'one\n' }, modelUrl: model.url });

  const first = await app.turn('look at a.ts');
  expect(first.end).toMatchObject({ reason: 'done', text: 'Done.' });
  expect(first.calls.map(({ tool, state }) => [tool, state])).toEqual([
    ['read_file', 'success'],
    ['list_dir', 'success'],
  ]);
  const notices = first.view.items.filter((item) => item.kind === 'notice');
  expect(notices).toMatchObject([
    { tone: 'warn', text: expect.stringMatching(/does not take the tool git_log for mock/) as string },
  ]);

  const second = await app.turn('again');
  expect(second.end).toMatchObject({ reason: 'done', text: 'Again.' });
  expect(second.events.filter(({ type }) => type === 'nudge')).toEqual([]);
  const lists = model.requests.map(({ body }) => (body.tools ?? []).map((each) => each.function.name));
  const kept = lists.slice(lists.findIndex((names) => !names.includes('git_log')));
  expect(kept).toHaveLength(4);
  expect(new Set(kept.map((names) => names.join())).size).toBe(1);

  const other = app.newSession('agent');
  app.core.turns.start({ sessionId: other.id, text: 'and here?' });
  await app.core.turns.whenIdle(other.id);
  const { view } = app.core.catalog.runtime(other.id);
  expect(view.items.filter((item) => item.kind === 'notice')).toMatchObject([
    { tone: 'warn', text: expect.stringMatching(/does not take the tool git_log for mock/) as string },
  ]);
  expect(model.requests).toHaveLength(lists.length + 1);

  const recording = await writeRecording(app.core.store, app.session.id, 'test');
  expect((await replaySession(readRecording(recording))).firstDifference).toBeNull();
});
