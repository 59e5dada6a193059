import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecording, writeRecording } from '../../main/core/recording/recording-file';
import { replaySession } from '../../main/core/recording/replay-session';
import { openStore } from '../../main/core/store/open-store';
import { expect, test } from '../support/fixtures';
import { startRun } from '../support/lathe-run';
import { seededRandom } from '../support/random';
import { calls, type ChatBody, type ScriptReply } from '../support/scripted-model/script-reply';
import { startScriptedModel } from '../support/scripted-model/scripted-model';
import { PROVIDER_FAULTS } from './faults';

const TURNS = Number(process.env['LATHE_SOAK_TURNS'] ?? 200);
const SEED = Number(process.env['LATHE_SOAK_SEED'] ?? 1);
/** Turns of one session, before the next one begins. */
const TURNS_PER_SESSION = 10;
/** Share of requests that meet a fault, and of turns that are killed or interrupted. */
const FAULT_SHARE = 0.25;
const KILL_SHARE = 0.15;
const INTERRUPT_SHARE = 0.1;
/** About what a turn writes: a kill beyond its end hits nothing. */
const EVENTS_PER_TURN = 24;

/** What the scripted work needs; one command leaves a process of its own session behind. */
const FILES = {
  'notes.md': 'end\n',
  'note.mjs':
    "import { appendFileSync } from 'node:fs';\nappendFileSync('log.txt', `${process.argv[2]}\\n`);\n",
  'leave.mjs':
    "import { spawn } from 'node:child_process';\nspawn('sleep', ['300'], { detached: true, stdio: 'ignore' }).unref();\n",
};

test.setTimeout(TURNS * 30_000);

/** Plays three to six steps of work to every turn, with a fault now and then. */
function worker(random: () => number) {
  const met = new Map<string, number>();
  let asked = 0;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const work = (turn: number, step: number): ScriptReply => {
    asked += 1;
    return pick([
      calls('read_file', { path: 'src/add.js' }),
      calls('grep', { pattern: 'add' }),
      calls('write_file', { path: `made/${turn}-${step}.txt`, content: `${turn} ${step}\n` }),
      calls('edit_file', { path: 'notes.md', old_string: 'end', new_string: `${turn}.${step}\nend` }),
      calls('run_command', { command: `node note.mjs ${asked}` }),
      calls('run_command', { command: 'node leave.mjs' }),
      calls('todo', {
        action: 'update',
        items: [{ id: '1', content: `turn ${turn}`, status: 'in_progress' }],
      }),
    ]);
  };
  const answer = (body: ChatBody): ScriptReply | string => {
    if (random() < FAULT_SHARE) {
      const { name, reply } = pick(PROVIDER_FAULTS);
      met.set(name, (met.get(name) ?? 0) + 1);
      return reply;
    }
    const users = body.messages.filter(({ role }) => role === 'user').length;
    const since = body.messages.length - 1 - body.messages.findLastIndex(({ role }) => role === 'user');
    return since > 4 + random() * 6 ? `Turn ${users} is done.` : work(users, since);
  };
  return { answer, met };
}

interface Leftover {
  pid: string;
  command: string;
}

/** Processes that still carry this home in their environment. */
async function processesOf(home: string): Promise<Leftover[]> {
  const found: Leftover[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (!environment.includes(home)) continue;
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    found.push({ pid, command: command.replaceAll('\0', ' ') });
  }
  return found;
}

test(`${TURNS} turns with faults, kills and restarts leave the store whole and no process behind`, async ({
  home: outer,
  project,
}) => {
  const home = join(outer, 'soak');
  await mkdir(home);
  await writeFile(join(home, 'rules.jsonc'), '[{ "action": "*", "resource": "*", "effect": "allow" }]');
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(project, name), text);
  const random = seededRandom(SEED);
  const { answer, met } = worker(random);
  await using model = await startScriptedModel({ otherwise: answer });
  const ends = new Map<string, number>();
  let session: string | undefined;
  for (let turn = 1; turn <= TURNS; turn += 1) {
    if (turn % TURNS_PER_SESSION === 1) session = undefined;
    const fate = random();
    const killAt = fate < KILL_SHARE ? 2 + Math.floor(random() * EVENTS_PER_TURN) : Infinity;
    const stopAt =
      fate >= KILL_SHARE && fate < KILL_SHARE + INTERRUPT_SHARE
        ? 2 + Math.floor(random() * EVENTS_PER_TURN)
        : Infinity;
    let seen = 0;
    const run = startRun({
      ...{ home, project, modelUrl: model.url, prompt: `Task ${turn}: edit and test the adding` },
      ...(session === undefined ? {} : { session }),
      onEvent: (_event, child) => {
        seen += 1;
        if (seen === killAt) child.kill('SIGKILL');
        if (seen === stopAt) child.kill('SIGINT');
      },
    });
    const { code, signal, stderr } = await run.done;
    const end = signal ?? String(code);
    ends.set(end, (ends.get(end) ?? 0) + 1);
    expect(['0', '1', '3', '130', 'SIGKILL'], `turn ${turn}: ${stderr}`).toContain(end);
    session ??= run.events[0]?.sessionId;
  }
  // One more start: it mends what the last kill left.
  const last = await startRun({ home, project, modelUrl: model.url, prompt: 'The end' }).done;
  expect(['0', '1', '3']).toContain(String(last.code));

  const store = openStore({ dataDir: home });
  const sessions = store.sessions.list({ projectId: null, limit: 1_000 });
  const texts = await Promise.all(sessions.map(({ id }) => writeRecording(store, id, 'soak')));
  expect(store.opened).toEqual({ outcome: 'ok', notice: null });
  expect(sessions.filter(({ activity }) => activity === 'running' || activity === 'waiting')).toEqual([]);
  for (const { id } of sessions) expect(store.events.after(id, 0).unreadable).toBe(0);
  store.close();
  for (const text of texts) {
    const { firstDifference, divergences } = await replaySession(readRecording(text));
    expect([firstDifference, divergences]).toEqual([null, []]);
  }
  const log = (await readFile(join(project, 'log.txt'), 'utf8')).trimEnd().split('\n');
  // Every request for a line had a number of its own.
  expect(new Set(log).size, 'no command ran twice').toBe(log.length);
  expect(await processesOf(home)).toEqual([]);
  console.log('ends', Object.fromEntries(ends), 'faults', Object.fromEntries(met));
});
