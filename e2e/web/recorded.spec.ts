import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecording } from '../../main/core/recording/recording-file';
import { openStore } from '../../main/core/store/open-store';
import type { TurnEvent } from '../../shared/model/turn-event';
import { expect, test } from '../support/fixtures';
import { ROOT } from '../support/host';
import { recordedScript } from '../support/scripted-model/recorded-script';

/** What a person would call the same: which tools ran, how they ended, how the turns ended. */
const outline = (events: readonly TurnEvent[]): string[] =>
  events.flatMap((event) => {
    if (event.type === 'call.state' && event.state === 'success') return [`${event.tool} done`];
    if (event.type === 'diff')
      return [`${event.diff.path} +${event.diff.additions} -${event.diff.deletions}`];
    return event.type === 'turn.finished' ? [`turn ${event.reason}`] : [];
  });

test('a session exported as a fixture plays again in the window, with real tools on a real project', async ({
  chat,
  home,
  model,
  project,
}) => {
  const text = await readFile(join(ROOT, 'e2e/fixtures/fix-add.jsonl'), 'utf8');
  const recording = readRecording(text);
  model.push(...recordedScript(recording));
  const recorded = recording.events.map((line) => JSON.parse(line) as TurnEvent);
  const prompts = recorded.flatMap((event) => (event.type === 'turn.started' ? [event.text] : []));
  await chat.send(prompts[0] ?? '');
  await chat.answer('Allow once');
  await chat.answer('Allow once');
  await expect(chat.region).toContainText('it subtracted. The test passes.');
  await chat.send(prompts[1] ?? '');
  await expect(chat.region).toContainText('One sign in src/add.js.');
  expect(await readFile(join(project, 'src/add.js'), 'utf8')).toContain('a + b');
  await chat.idle();
  const store = openStore({ dataDir: home });
  const id = store.sessions.list({ projectId: null })[0]?.id ?? '';
  const { events } = store.events.after(id, 0);
  store.close();
  expect(outline(events)).toEqual(outline(recorded));
});
