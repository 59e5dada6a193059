import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLE_FILES } from '../../../e2e/support/sample-project';
import { calls, type ScriptStep } from '../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import { startCore } from '../testing/start-core';
import { readRecording, writeRecording } from './recording-file';
import { replaySession } from './replay-session';

/**
 * Recorded sessions of this repository. A change of the harness that makes one of them go another way shows here, with
 * the first event that differs. When that is meant: `npm run fixtures` records them anew.
 */
const FOLDER = join(import.meta.dirname, '../../../e2e/fixtures');
const RECORD = process.env['LATHE_RECORD_FIXTURES'] === '1';

interface Scenario {
  prompts: string[];
  script: ScriptStep[];
}

const SCENARIOS: Record<string, Scenario> = {
  'fix-add': {
    prompts: ['The test of add fails. Fix it.', 'What did you change?'],
    script: [
      {
        text: 'I look at the code and its test.',
        calls: [
          { tool: 'read_file', args: { path: 'src/add.js' } },
          { tool: 'read_file', args: { path: 'test/add.test.js' } },
        ],
      },
      calls('todo', { action: 'create', items: [{ id: '1', content: 'Fix add', status: 'in_progress' }] }),
      calls(
        'edit_file',
        { path: 'src/add.js', old_string: 'a - b', new_string: 'a + b' },
        'The sign is wrong.',
      ),
      calls('run_command', { command: 'node --test' }),
      calls('todo', { action: 'update', items: [{ id: '1', content: 'Fix add', status: 'completed' }] }),
      calls('attempt_completion', { result: 'Fixed `src/add.js:2`: it subtracted. The test passes.' }),
      'One sign in `src/add.js`.',
    ],
  },
  'look-around': {
    prompts: ['Where is the greeting made?'],
    script: [
      calls('grep', { pattern: 'Hello' }),
      calls('read_file', { path: 'src/missing.js' }),
      calls('read_file', { path: 'src/greet.js' }),
      'In `src/greet.js:1`.',
    ],
  },
};

async function record(name: string, { prompts, script }: Scenario): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'lathe-fixture-'));
  // The folder's name is part of the prompt, and so of every fingerprint: it is the same wherever this is recorded.
  const project = join('/tmp/lathe-fixture', name);
  await rm(project, { recursive: true, force: true });
  for (const [path, text] of Object.entries(SAMPLE_FILES)) {
    await mkdir(join(project, path, '..'), { recursive: true });
    await writeFile(join(project, path), text);
  }
  await using model = await startScriptedModel({ script });
  await using app = await startCore({ modelUrl: model.url, approve: 'allow_once', home, project });
  for (const prompt of prompts) await app.turn(prompt);
  await writeFile(
    join(FOLDER, `${name}.jsonl`),
    await writeRecording(app.core.store, app.session.id, 'fixture'),
  );
}

test.runIf(RECORD)('fixtures are recorded anew', async () => {
  for (const [name, scenario] of Object.entries(SCENARIOS)) await record(name, scenario);
});

test('every recorded session of the repository replays byte for byte', async () => {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.jsonl'));
  expect(files.map((file) => file.replace('.jsonl', '')).sort()).toEqual(Object.keys(SCENARIOS).sort());
  for (const file of files) {
    const recording = readRecording(await readFile(join(FOLDER, file), 'utf8'));
    const { divergences, firstDifference } = await replaySession(recording);
    expect([file, divergences, firstDifference]).toEqual([file, [], null]);
  }
});
