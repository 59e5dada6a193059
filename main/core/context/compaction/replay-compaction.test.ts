import { expect, test } from 'vitest';
import { calls } from '../../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../../e2e/support/scripted-model/scripted-model';
import { readRecording, writeRecording } from '../../recording/recording-file';
import { replaySession } from '../../recording/replay-session';
import { startCore } from '../../testing/start-core';

const SUMMARY = Array.from({ length: 40 }, (_, n) => `fact${n} about file${n}.ts and step${n}`).join('. ');
const isSummary = ({ messages }: { messages: { content: unknown }[] }): boolean =>
  String(messages[0]?.content).startsWith('You condense');

test('a session with summaries, rules, pins and shortened results replays byte for byte, without a key on its tape', async () => {
  const files = {
    ...Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`f${n}.txt`, `${n} ${'text '.repeat(700)}`])),
    '.cursor/rules/txt.mdc': '---\nglobs: "*.txt"\n---\nOnly plain text.',
  };
  let step = 0;
  await using second = await startScriptedModel({ otherwise: SUMMARY });
  await using model = await startScriptedModel({
    otherwise: (body) => {
      if (isSummary(body)) return { status: 400, body: { error: { message: 'not me' } } };
      step += 1;
      return step % 13 === 0 ? 'Done.' : calls('read_file', { path: `f${step % 12}.txt` }, `Step ${step}.`);
    },
  });
  await using app = await startCore({ files, modelUrl: model.url });
  const provider = await app.core.models.configure({
    ...{ providerId: null, name: 'Second', baseUrl: second.url, apiKey: 'very-secret-key' },
  });
  await app.core.settings.set('chat.context.summaryModel', `${provider.id}/scripted`);
  await app.turn('read all. Never skip one.');
  const { items } = await app.core.context.next(app.session.id, false);
  const pinned = items.find(({ kind }) => kind === 'result');
  await app.core.context.mark(app.session.id, pinned?.id ?? '', 'pin');
  await app.core.settings.set('chat.context.defaultWindow', 10_000);
  const { events } = await app.turn('read all again');
  const tiers = new Set(events.flatMap((event) => (event.type === 'compaction' ? [event.tier] : [])));
  expect(tiers.has('between_turns')).toBe(true);
  expect(tiers.has('in_turn')).toBe(true);
  const text = await writeRecording(app.core.store, app.session.id, 'test');
  expect(text).not.toContain('very-secret-key');
  const result = await replaySession(readRecording(text));
  expect(result.divergences).toEqual([]);
  expect(result.firstDifference).toBeNull();
});
