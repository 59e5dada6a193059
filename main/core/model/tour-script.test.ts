import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { ModelMessage, ModelRequest } from './port';
import { tourScript } from './tour-script';

const TOUR = fileURLToPath(new URL('../../../assets/tour', import.meta.url));
const TOOLS = ['list_dir', 'grep', 'read_file', 'run_command', 'edit_file', 'attempt_completion'];

const tools = (names: readonly string[]): ModelRequest['tools'] =>
  names.map((name) => ({ name, description: '', parameters: { type: 'object' } }));

type Tool = (args: Record<string, string>) => Promise<string>;

/** The tools of the tour, done for real in a copy of the sample project. */
function realTools(folder: string): Record<string, Tool> {
  return {
    list_dir: async () => 'src/\ntest/',
    grep: async () => 'src/interval.js:39: export function overlaps(a, b) {',
    run_command: async () => runTests(folder),
    read_file: async (args) => readFile(path.join(folder, args['path'] ?? ''), 'utf8'),
    edit_file: async ({ path: file = '', old_string = '', new_string = '' }) => {
      const before = await readFile(path.join(folder, file), 'utf8');
      await writeFile(
        path.join(folder, file),
        before.replace(old_string, () => new_string),
      );
      return 'Edited.';
    },
    attempt_completion: async () => 'Done.',
  };
}

function runTests(folder: string): Promise<string> {
  const env = { ...process.env };
  // This test runs inside a test runner of its own, which the child must not report to.
  delete env['NODE_TEST_CONTEXT'];
  return new Promise((resolve) => {
    execFile(process.execPath, ['--test'], { cwd: folder, env }, (_error, stdout) => resolve(stdout));
  });
}

interface Tour {
  tools: string[];
  lastText: string;
  result: string;
  messages: ModelMessage[];
}

/** Plays the tour to its end. */
async function play(
  folder: string,
  changes: Record<string, Tool> = {},
  messages: ModelMessage[] = [],
): Promise<Tour> {
  const available = { ...realTools(folder), ...changes };
  const tour: Tour = { tools: [], lastText: '', result: '', messages };
  messages.push({ role: 'user', content: 'Fix the failing test.' });
  for (let step = 0; step < 20; step += 1) {
    const reply = tourScript({ model: 'scripted', messages, tools: tools(TOOLS), toolChoice: 'auto' });
    tour.lastText = reply.text ?? '';
    const made = (reply.calls ?? []).map((call, at) => ({ ...call, id: `c${messages.length}-${at}` }));
    messages.push({
      role: 'assistant',
      content: tour.lastText,
      calls: made.map(({ id, tool, args }) => ({ id, name: tool, arguments: JSON.stringify(args) })),
    });
    if (made.length === 0) return tour;
    for (const { id, tool, args } of made) {
      tour.tools.push(tool);
      const content = (await available[tool]?.(args as Record<string, string>)) ?? 'no such tool';
      messages.push({ role: 'tool', callId: id, name: tool, content });
      if (tool === 'attempt_completion') return { ...tour, result: String(args['result']) };
    }
  }
  throw new Error('The tour does not end.');
}

async function withCopy(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'lathe-tour-'));
  try {
    await cp(TOUR, folder, { recursive: true });
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('the tour finds the failing test, fixes the bug and proves it', async () => {
  await withCopy(async (folder) => {
    const tour = await play(folder);
    expect(tour.tools).toEqual([
      'list_dir',
      'grep',
      'run_command',
      'read_file',
      'edit_file',
      'run_command',
      'attempt_completion',
    ]);
    expect(tour.result).toContain('All 11 tests pass');
    expect(await runTests(folder)).toMatch(/fail 0/);
    const again = await play(folder, {}, tour.messages);
    expect(again.result).toContain('already fixed');
  });
});

test('a denied edit ends the tour politely and changes nothing', async () => {
  await withCopy(async (folder) => {
    const before = await readFile(path.join(folder, 'src/interval.js'), 'utf8');
    const tour = await play(folder, { edit_file: async () => 'The user denied this call.' });
    expect(tour.tools.at(-1)).toBe('edit_file');
    expect(tour.lastText).toContain('You did not allow the edit');
    expect(await readFile(path.join(folder, 'src/interval.js'), 'utf8')).toBe(before);
    const again = await play(folder, {}, tour.messages);
    expect(again.result).toContain('All 11 tests pass');
  });
});

test('a denied command ends the tour with what is known', async () => {
  await withCopy(async (folder) => {
    const tour = await play(folder, { run_command: async () => 'Denied by the user.' });
    expect(tour.lastText).toContain('did not allow the tests to run');
    const noNode = await play(folder, { run_command: async () => 'sh: 1: node: not found\nExit code 127' });
    expect(noNode.lastText).toContain('Is Node.js on the PATH?');
  });
});

test('code that is not what the tour knows is left alone', async () => {
  await withCopy(async (folder) => {
    const tour = await play(folder, { read_file: async () => '1| something else' });
    expect(tour.tools).not.toContain('edit_file');
    expect(tour.lastText).toContain('rather than guess');
  });
});

test('in a mode without its tools the tour says what to do', () => {
  const request: ModelRequest = {
    model: 'scripted',
    messages: [{ role: 'user', content: 'Go' }],
    tools: tools(['read_file', 'grep']),
    toolChoice: 'auto',
  };
  expect(tourScript(request).text).toContain('Switch to Agent mode');
  expect(tourScript({ ...request, tools: [] }).text).toContain('changed nothing');
});
