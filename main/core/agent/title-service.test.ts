import { expect, test } from 'vitest';
import { startScriptedModel, type ScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import type { ScriptStep } from '../../../e2e/support/scripted-model/script-reply';
import { startCore, type TestCore } from '../testing/start-core';
import { cleanTitle, TitleService } from './title-service';

/** The service over a real session, with the server taken for one that is far away. */
function titlesOf(app: TestCore, enabled = true): TitleService {
  return new TitleService({
    sessions: app.core.catalog,
    log: app.core.log,
    enabled: () => enabled,
    model: async () => {
      const { local: _local, ...resolved } = await app.core.models.resolve(null);
      return resolved;
    },
  });
}

async function named(app: TestCore, text = 'please look why the login page is slow'): Promise<TitleService> {
  const titles = titlesOf(app);
  const { end } = await app.turn(text);
  titles.turnEnded(app.session.id, end.reason);
  await titles.idle();
  return titles;
}

const titleOf = (app: TestCore): string => app.core.sessions.get(app.session.id).title;
const start = (...script: ScriptStep[]): Promise<ScriptedModel> => startScriptedModel({ script });

test('M3: after the first turn a session is named by a short request without tools', async () => {
  await using model = await start('Because of the query.', '“Slow login page.”');
  await using app = await startCore({ modelUrl: model.url });
  await named(app);
  expect(titleOf(app)).toBe('Slow login page');
  const body = model.requests[1]?.body;
  expect(body?.tools ?? []).toEqual([]);
  expect(body?.['max_tokens'] ?? body?.['max_completion_tokens']).toBe(400);
  expect(JSON.stringify(body?.messages)).toContain('Because of the query.');
});

test('M3: a second turn names nothing, nor does a turn that failed', async () => {
  await using model = await start('One.', 'Two.');
  await using app = await startCore({ modelUrl: model.url });
  await app.turn('first');
  await named(app, 'second');
  const titles = titlesOf(app);
  titles.turnEnded(app.session.id, 'error');
  await titles.idle();
  expect(titleOf(app)).toBe('first');
  expect(model.requests).toHaveLength(2);
});

test('M3: a title that the user gave stays, also when they give it while one is being made', async () => {
  await using model = await start('One.', { text: 'Model’s title', holdAfterChars: 3 });
  await using app = await startCore({ modelUrl: model.url });
  await app.turn('first');
  const titles = titlesOf(app);
  titles.turnEnded(app.session.id, 'done');
  await model.waitForRequests(2);
  app.core.sessions.rename(app.session.id, 'Mine');
  await expect.poll(() => (model.release(), model.requests[1]?.endedAt)).not.toBeNull();
  await titles.idle();
  expect(titleOf(app)).toBe('Mine');
  titles.turnEnded(app.session.id, 'done');
  await titles.idle();
  expect(model.requests).toHaveLength(2);
});

test('M3: when the request fails or the core closes, the first message stays the title and nobody is told', async () => {
  await using model = await start(
    'One.',
    { status: 400, body: { error: { message: 'no' } } },
    { text: 'late', holdAfterChars: 1 },
  );
  await using app = await startCore({ modelUrl: model.url });
  const titles = await named(app, 'first');
  expect(titleOf(app)).toBe('first');
  titles.turnEnded(app.session.id, 'done');
  await model.waitForRequests(3);
  await titles.close();
  expect(titleOf(app)).toBe('first');
});

test('M3: models on this machine are not asked, and the setting switches it off', async () => {
  await using model = await start('One.');
  await using app = await startCore({ modelUrl: model.url });
  await app.turn('first');
  const titles = titlesOf(app, false);
  titles.turnEnded(app.session.id, 'done');
  await titles.idle();
  await app.close();
  expect(model.requests).toHaveLength(1);
});

test('titles are one line without what models put around them', () => {
  expect(
    ['"Fix the build"', '# Title: Fix the build.', '\n**Fix the build**\nmore', '', '""', 'x'.repeat(90)].map(
      cleanTitle,
    ),
  ).toEqual(['Fix the build', 'Fix the build', 'Fix the build', '', '', `${'x'.repeat(60)}…`]);
});
