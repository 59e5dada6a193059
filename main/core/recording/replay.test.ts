import { expect, test } from 'vitest';
import { calls } from '../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import { startCore, type TestCore } from '../testing/start-core';
import { readRecording, writeRecording } from './recording-file';
import { replaySession } from './replay-session';

async function recorded(app: TestCore): Promise<string> {
  return writeRecording(app.core.store, app.session.id, 'test');
}

const replay = async (text: string) => replaySession(readRecording(text));

test('a turn with reads in parallel, an edit, a command and a todo list replays byte for byte', async () => {
  await using model = await startScriptedModel({
    script: [
      {
        calls: [
          { tool: 'read_file', args: { path: 'a.ts' } },
          { tool: 'grep', args: { pattern: 'one' } },
          { tool: 'read_file', args: { path: 'missing.ts' } },
        ],
      },
      calls('todo', { action: 'create', items: [{ id: '1', content: 'edit', status: 'in_progress' }] }),
      calls('edit_file', { path: 'a.ts', old_string: 'one', new_string: 'two' }),
      calls('run_command', { command: 'cat a.ts; echo gone >&2; exit 3' }),
      'Changed.',
      'And again.',
    ],
  });
  await using app = await startCore({
    files: { 'a.ts': 'one\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  await app.turn('change one to two');
  await app.turn('anything else?');
  const text = await recorded(app);
  const result = await replay(text);
  expect(result.divergences).toEqual([]);
  expect(result.firstDifference).toBeNull();
  expect(result.events.length).toBeGreaterThan(30);
  // Packed or not, the recording says the same.
  await app.core.store.recordings.pack(app.session.id);
  expect(await recorded(app)).toBe(text);
});

test('a stopped turn, an interjection and a fault replay as they went', async () => {
  await using model = await startScriptedModel({
    script: [
      calls('run_command', { command: 'echo begun; sleep 30' }),
      { status: 401, body: { error: { message: 'no such key' } } },
      'Fine.',
    ],
  });
  await using app = await startCore({ modelUrl: model.url, approve: 'allow_once' });
  const started = app.event((event) => event.type === 'call.output');
  app.core.turns.start({ sessionId: app.session.id, text: 'wait for it' });
  await started;
  app.core.turns.interject(app.session.id, 'not so long');
  await app.core.turns.stop(app.session.id);
  await app.turn('again');
  await app.turn('and again');
  const result = await replay(await recorded(app));
  expect(result.divergences).toEqual([]);
  expect(result.firstDifference).toBeNull();
});

test('turns in a window that is too small, with summaries between and within them, replay', async () => {
  await using model = await startScriptedModel({
    otherwise: ({ messages, tools }) => {
      if (!tools || tools.length === 0)
        return 'A summary of what was read: a long file about nothing in particular. '.repeat(8);
      return messages.at(-1)?.role === 'user' ? calls('read_file', { path: 'long.txt' }) : 'I read it all.';
    },
  });
  await using app = await startCore({
    files: { 'long.txt': 'one line of a long file\n'.repeat(280) },
    modelUrl: model.url,
  });
  await app.core.settings.set('chat.context.defaultWindow', 9_000);
  const tiers = new Set<string>();
  for (let n = 0; n < 8; n += 1) {
    const { events } = await app.turn(`read it for the ${n + 1}. time`);
    for (const event of events) if (event.type === 'compaction') tiers.add(event.tier);
  }
  expect(tiers.has('between_turns') || tiers.has('full')).toBe(true);
  const result = await replay(await recorded(app));
  expect(result.divergences).toEqual([]);
  expect(result.firstDifference).toBeNull();
});

test('a session goes on after a restart, and both parts replay', async () => {
  await using model = await startScriptedModel({ script: ['First.', calls('list_dir', {}), 'Second.'] });
  const before = await startCore({ modelUrl: model.url });
  await before.turn('one');
  await before.close();
  await using after = await startCore({ modelUrl: model.url, home: before.home, project: before.project });
  await after.turn('two');
  const result = await replay(await recorded(after));
  expect(result).toMatchObject({ equal: true, divergences: [] });
});

test('what was recorded differently is found: the first event that differs is named', async () => {
  await using model = await startScriptedModel({ script: ['Blue.'] });
  await using app = await startCore({ modelUrl: model.url });
  await app.turn('a colour');
  const text = (await recorded(app)).replace(
    '"reply","n":1,"v":{"text":"Blue."',
    '"reply","n":1,"v":{"text":"Red."',
  );
  const result = await replay(text);
  expect(result.equal).toBe(false);
  expect(result.firstDifference?.recorded).toContain('Blue.');
  expect(result.firstDifference?.replayed).toContain('Red.');
});

test('a damaged recording is refused with the line that is wrong', () => {
  expect(() => readRecording('{"lathe_recording":99}')).toThrow(/not a recording/);
  expect(() => readRecording('not json')).toThrow(/Line 1/);
});
