import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calls } from '../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel, type ScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import { Sql } from '../store/sql';
import { startCore, type TestCore } from '../testing/start-core';
import { createFlushFacts } from './flush-facts';

const memoryPath = (app: TestCore): string => join(app.home, 'memory', app.session.projectId, 'MEMORY.md');
const systemOf = (model: ScriptedModel, request: number): string =>
  String(model.requests[request]?.body.messages[0]?.content);

test('M4: a note is kept outside the project, without secrets, and is in the prompt of the next session', async () => {
  const note = 'Tests run with npm test; the key is sk-abcdefghijklmnopqrstuvwxyz123456';
  await using model = await startScriptedModel({
    script: [calls('memory_update', { note }), 'Noted.', 'Still the same.', 'Hello.'],
  });
  await using app = await startCore({ modelUrl: model.url });
  const first = await app.turn('remember it');
  expect(first.calls[0]).toMatchObject({ tool: 'memory_update', state: 'success' });
  const text = readFileSync(memoryPath(app), 'utf8');
  expect(text).toMatch(/^- \d{4}-\d{2}-\d{2}: Tests run with npm test; the key is sk-\*\*\*\n$/);
  await expect(app.read('MEMORY.md')).rejects.toThrow();

  // The prompt of a session is made once, so that requests share their prefix.
  await app.turn('and now?');
  expect(systemOf(model, 2)).toBe(systemOf(model, 0));
  expect(systemOf(model, 2)).not.toContain('npm test');
  const next = app.newSession('agent');
  app.core.turns.start({ sessionId: next.id, text: 'hello' });
  await app.core.turns.whenIdle(next.id);
  expect(systemOf(model, 3)).toContain('never instructions');
  expect(systemOf(model, 3)).toContain('Tests run with npm test');
  expect(JSON.stringify(model.requests[3]?.body)).not.toContain('abcdefghijklmnop');
});

test('M4: of a long MEMORY.md the newest 2,048 characters are in the prompt', async () => {
  await using model = await startScriptedModel({
    script: [calls('memory_update', { note: 'the newest' }), 'ok', 'ok'],
  });
  await using app = await startCore({ modelUrl: model.url });
  await app.turn('note');
  writeFileSync(
    memoryPath(app),
    Array.from({ length: 100 }, (_, n) => `- 2026-11-30: note number ${n} of many that were kept`).join('\n'),
  );
  const next = app.newSession('ask');
  app.core.turns.start({ sessionId: next.id, text: 'hello' });
  await app.core.turns.whenIdle(next.id);
  const block = /<memory>[\s\S]*<\/memory>/.exec(systemOf(model, 2))?.[0] ?? '';
  expect(block).toContain('note number 99 ');
  expect(block).not.toContain('note number 10 ');
  expect(block.length).toBeLessThan(2_048 + 250);
});

test('M4: memory_search finds notes, lines of people and earlier sessions; memory_get reads them', async () => {
  const read: string[] = [];
  await using model = await startScriptedModel({
    script: [
      calls('memory_update', { note: 'The staging database is called bluebird' }),
      'The migration of the bluebird schema is done.',
      calls('memory_search', { query: 'bluebird database' }),
      ({ messages }) => {
        const found = String(messages.at(-1)?.content);
        read.push(found);
        const session = /session\/[\w-]+/.exec(found)?.[0] ?? '';
        return {
          calls: [
            { tool: 'memory_get', args: { path: 'note/1' } },
            { tool: 'memory_get', args: { path: session, from_line: 1, lines: 3 } },
            { tool: 'memory_get', args: { path: 'note/99' } },
          ],
        };
      },
      calls('memory_search', { query: 'bluebird database', min_score: 0.95, max_results: 1 }),
      'Found.',
    ],
  });
  await using app = await startCore({ modelUrl: model.url });
  await app.turn('keep in mind what the database is called');
  const next = app.newSession('ask');
  app.core.turns.start({ sessionId: next.id, text: 'what is it called?' });
  await app.core.turns.whenIdle(next.id);
  expect(read[0]).toContain('note/1 (1.00): The staging database is called bluebird');
  const { view } = app.core.catalog.runtime(next.id);
  const made = view.items.flatMap((item) => (item.kind === 'step' ? item.calls : []));
  expect(made[1]?.result?.text).toBe('The staging database is called bluebird');
  expect(made[2]?.result?.text).toMatch(/^# keep in mind what the database is called\n\nUser: keep in mind/);
  expect(made[3]).toMatchObject({ state: 'error', error: { code: 'not_found' } });
  expect(made[4]?.result?.text).toBe('note/1 (1.00): The staging database is called bluebird');
});

test('M4: plan and ask modes can search, not keep; switched off, nothing is kept or told', async () => {
  await using model = await startScriptedModel({
    script: [calls('memory_update', { note: 'x' }), 'no', calls('memory_update', { note: 'x' }), 'no'],
  });
  await using app = await startCore({ modelUrl: model.url });
  app.core.sessions.configure(app.session.id, { mode: 'plan' });
  expect((await app.turn('remember')).calls).toMatchObject([{ state: 'denied', by: 'mode' }]);
  app.core.sessions.configure(app.session.id, { mode: 'agent' });
  await app.core.settings.set('chat.memory.enabled', false);
  const turn = await app.turn('remember');
  expect(turn.calls.at(-1)).toMatchObject({ state: 'error', error: { code: 'unsupported' } });
  expect(() => readFileSync(memoryPath(app))).toThrow();
});

test('X5: before a full compaction a model picks facts; on this machine only when the setting says so', async () => {
  const reply = JSON.stringify({ facts: ['Deploys go through make ship', 'Use tabs'] });
  await using model = await startScriptedModel({ script: ['ok', reply, 'not JSON'] });
  await using app = await startCore({ modelUrl: model.url });
  await app.turn('hi');
  const messages = [
    { role: 'user' as const, content: 'We deploy with make ship.' },
    { role: 'tool' as const, callId: 'c', name: 'read_file', content: 'SECRET FILE' },
  ];
  const flush = (how: 'auto' | 'always' | 'never') =>
    createFlushFacts({
      memory: app.core.memory,
      askModel: () => how,
      model: () => app.core.models.resolve(null),
    })(app.session.id, messages, new AbortController().signal);
  await flush('auto');
  await flush('never');
  expect(model.requests).toHaveLength(1);
  await flush('always');
  expect(readFileSync(memoryPath(app), 'utf8')).toMatch(/make ship\n- [\d-]+: Use tabs\n$/);
  expect(JSON.stringify(model.requests[1]?.body.messages)).not.toContain('SECRET FILE');
  await flush('always');
  expect(readFileSync(memoryPath(app), 'utf8').split('\n')).toHaveLength(3);
});

test('fault-F38: a search of the memory whose index is gone is a failure, never “nothing found”', async () => {
  await using model = await startScriptedModel({
    script: [calls('memory_search', { query: 'bluebird' }), 'I could not look.'],
  });
  await using app = await startCore({ modelUrl: model.url });
  const sql = Sql.open(join(app.home, 'lathe.db'));
  sql.exec('DROP TABLE message_search');
  sql.close();
  const turn = await app.turn('what was it called?');
  expect(turn.calls).toMatchObject([
    {
      tool: 'memory_search',
      state: 'error',
      error: { code: 'io_failed', hint: expect.any(String) as string },
    },
  ]);
  expect(turn.end).toMatchObject({ reason: 'done', text: 'I could not look.' });
});
