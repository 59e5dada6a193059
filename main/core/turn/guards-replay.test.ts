import { expect, test } from 'vitest';
import { calls } from '../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import { readRecording, writeRecording } from '../recording/recording-file';
import { replaySession } from '../recording/replay-session';
import { startCore } from '../testing/start-core';

const done = (result: string) => calls('attempt_completion', { result });
const SORTED = JSON.stringify({
  ...{ goalKind: 'code_change', isActionable: true, editScope: 'single_file', complexity: 'medium' },
  ...{ needsShell: false, chatOnly: false, isFollowUp: false, expectsMultiStep: false, confidence: 0.9 },
});

test('classification, refusals, reviews, receipts and a guard’s end play again byte for byte', async () => {
  const loop = Array.from({ length: 16 }, () => calls('list_dir', {}));
  await using model = await startScriptedModel({
    script: [
      ...[
        SORTED,
        done('I fixed `a.ts`.'),
        calls('edit_file', { path: 'a.ts', old_string: '1', new_string: '2' }),
      ],
      calls('todo', { action: 'create', items: [{ id: '1', content: 'x', status: 'pending' }] }),
      ...[
        done('Now.'),
        calls('run_command', { command: 'true' }),
        done('All tests pass.'),
        done('All tests pass.'),
      ],
      ...[...loop, 'I went round.'],
      ...['It uses a map.', calls('grep', { pattern: 'x' }), 'See a.ts:1.'],
    ],
  });
  await using app = await startCore({ files: { 'a.ts': '1' }, modelUrl: model.url, approve: 'allow_once' });
  await app.core.settings.set('chat.classify.askModel', 'always');
  await app.turn('hm, the thing');
  await app.core.settings.set('chat.classify.askModel', 'never');
  expect((await app.turn('look')).end.reason).toBe('repeated_calls');
  expect((await app.turn('How does the caching layer work?')).end.text).toBe('See a.ts:1.');
  const recording = readRecording(await writeRecording(app.core.store, app.session.id, 'test'));
  const { divergences, firstDifference, equal } = await replaySession(recording);
  expect([divergences, firstDifference, equal]).toEqual([[], null, true]);
});
