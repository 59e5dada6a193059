import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecording, writeRecording } from '../../main/core/recording/recording-file';
import { replaySession } from '../../main/core/recording/replay-session';
import { openStore } from '../../main/core/store/open-store';
import type { TurnEvent } from '../../shared/model/turn-event';
import { expect, test } from '../support/fixtures';
import { startRun } from '../support/lathe-run';
import { seededRandom } from '../support/random';
import { makeProject } from '../support/sample-project';
import { calls, type ChatBody, type ScriptReply } from '../support/scripted-model/script-reply';
import { startScriptedModel } from '../support/scripted-model/scripted-model';

/** Random kill points in all, spread over tests that run side by side. */
const POINTS = 50;
const TESTS = 5;
/** Events of the scripted turn, about; a point beyond its end kills nothing and is checked all the same. */
const TURN_EVENTS = 75;

/** What every step leaves behind: a line in log.txt, and a file of its own. */
const EFFECTS = ['one', 'two', 'three', 'four'];
const OLD = 'old text\n'.repeat(2_000);
const newText = (name: string): string => `${name}\n`.repeat(2_000);

const STEPS: ScriptReply[] = [
  calls('read_file', { path: 'src/add.js' }, 'I look first.'),
  ...EFFECTS.flatMap((name) => [
    calls('run_command', { command: `node note.mjs ${name}` }, `Now ${name}.`),
    calls('write_file', { path: `${name}.txt`, content: newText(name) }),
  ]),
];
const AGAIN = 'Are you there?';

/** Plays the steps to whoever asks for the first time; after a crash nothing is asked for again. */
function answer({ messages }: ChatBody): ScriptReply | string {
  if (messages.some(({ role, content }) => role === 'user' && String(content).includes(AGAIN)))
    return 'Still here.';
  return STEPS[messages.filter(({ role }) => role === 'assistant').length] ?? 'All four are done.';
}

const ended = (events: readonly TurnEvent[], tool: string): number =>
  events.filter((event) => event.type === 'call.state' && event.tool === tool && event.state === 'success')
    .length;

async function logLines(project: string): Promise<string[]> {
  const text = await readFile(join(project, 'log.txt'), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

const filesOf = (event: TurnEvent): string[] =>
  event.type === 'files.changed' ? event.files.map(({ path }) => path) : [];

/** Files hold the old or the new text, and what was shown as done is done, once. */
async function checkEffects(project: string, shown: readonly TurnEvent[]): Promise<void> {
  const lines = await logLines(project);
  expect(lines).toEqual(EFFECTS.slice(0, lines.length));
  expect(lines.length).toBeGreaterThanOrEqual(ended(shown, 'run_command'));
  const written = ended(shown, 'write_file');
  for (const [index, name] of EFFECTS.entries()) {
    const text = await readFile(join(project, `${name}.txt`), 'utf8');
    expect([OLD, newText(name)]).toContain(text);
    if (index < written) expect(text).toBe(newText(name));
  }
}

/** Commands are granted by a rule, and no rule grants a redirection: a script writes the line. */
const NOTE =
  "import { appendFileSync } from 'node:fs';\nappendFileSync('log.txt', `${process.argv[2]}\\n`);\n";

/** The store opens whole and holds every event that was shown, in the same words. */
function storedEvents(home: string, shown: readonly TurnEvent[]): TurnEvent[] {
  const store = openStore({ dataDir: home });
  try {
    expect(store.opened.outcome).toBe('ok');
    const id = store.sessions.list({ projectId: null })[0]?.id ?? '';
    const { events, unreadable } = store.events.after(id, 0);
    expect(unreadable).toBe(0);
    expect(events.slice(0, shown.length)).toEqual(shown);
    return events;
  } finally {
    store.close();
  }
}

async function checkReplay(home: string, id: string): Promise<void> {
  const store = openStore({ dataDir: home });
  const text = await writeRecording(store, id, 'test').finally(() => store.close());
  const { firstDifference, divergences } = await replaySession(readRecording(text));
  expect(firstDifference).toBeNull();
  expect(divergences).toEqual([]);
}

async function crashAt(point: number, jitterMs: number, home: string): Promise<void> {
  const project = await makeProject();
  await mkdir(home);
  for (const name of EFFECTS) await writeFile(join(project, `${name}.txt`), OLD);
  await writeFile(join(project, 'note.mjs'), NOTE);
  await writeFile(join(home, 'rules.jsonc'), '[{ "action": "*", "resource": "*", "effect": "allow" }]');
  await using model = await startScriptedModel({ otherwise: answer });
  const base = { home, project, modelUrl: model.url };
  const first = startRun({
    ...base,
    prompt: 'Do all four',
    onEvent: ({ seq }, process) => {
      // Between two events lie the moments that matter: a command at work, a file half written.
      if (seq >= point) setTimeout(() => process.kill('SIGKILL'), jitterMs);
    },
  });
  await first.done;
  const shown = [...first.events];
  expect(shown.filter((event) => event.type === 'call.state' && event.state === 'denied')).toEqual([]);
  await checkEffects(project, shown);
  const stored = storedEvents(home, shown);
  const session = stored[0]?.sessionId ?? '';
  expect(session).not.toBe('');

  const before = await logLines(project);
  const again = startRun({ ...base, session, prompt: AGAIN });
  const { code, stderr } = await again.done;
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  // A command that was at work when its host died may have come to its end since; none has begun.
  const grown = (await logLines(project)).length - before.length;
  expect([0, 1]).toContain(grown);
  await checkEffects(project, shown);
  const messages = model.requests.at(-1)?.body.messages ?? [];
  const asked = messages
    .flatMap(({ tool_calls }) => (tool_calls ?? []) as { id: string }[])
    .map(({ id }) => id);
  const answered = messages.flatMap(({ tool_call_id }) => (tool_call_id === undefined ? [] : [tool_call_id]));
  expect(answered).toEqual(asked);
  const after = storedEvents(home, stored);
  // What the command did before its host died is found out beside the new turn, and told whenever that is known.
  const isLate = (event: TurnEvent): boolean =>
    event.type === 'files.changed' && event.turnId === stored[0]?.turnId;
  const printed = again.events.filter((event) => !isLate(event));
  expect(after.filter((event) => !isLate(event)).slice(-printed.length)).toEqual(printed);
  expect(after.filter((event) => isLate(event)).flatMap(filesOf)).toEqual(
    Array.from({ length: after.filter(isLate).length }, () => 'log.txt'),
  );
  await checkReplay(home, session);
  await rm(join(project, '..'), { recursive: true, force: true });
}

test.describe('fault-F115: killed at a random point, nothing shown as done is lost and no effect is repeated', () => {
  // Twenty starts of a process each, on machines of any speed.
  test.describe.configure({ mode: 'parallel', timeout: 400_000 });
  for (let part = 0; part < TESTS; part += 1) {
    test(`points ${part + 1} of ${TESTS}`, async ({ home }) => {
      const random = seededRandom(20_261_130 + part);
      for (let n = 0; n < POINTS / TESTS; n += 1) {
        const [point, jitterMs] = [1 + Math.floor(random() * TURN_EVENTS), random() * 12];
        await test.step(`event ${point} + ${jitterMs.toFixed(1)} ms`, () =>
          crashAt(point, jitterMs, join(home, String(n))));
      }
    });
  }
});
