import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startBench, type Bench } from '../testing/tool-bench';

const item = (id: string, status = 'pending'): unknown => ({ id, content: `do ${id}`, status });

test('the list is created, changed, merged, shortened and summed up', async () => {
  const bench = await startBench({ mode: 'plan' });
  await bench.text('todo', { action: 'create', items: [item('1', 'in_progress'), item('2')] });
  await bench.text('todo', { action: 'update', items: [{ id: '1', status: 'completed' }] });
  await bench.text('todo', { action: 'merge', items: [{ id: '2', status: 'in_progress' }, item('3')] });
  expect(await bench.text('todo', { action: 'delete', items: [{ id: '1' }] })).toBe(
    '[>] 2: do 2\n[ ] 3: do 3\n2 items: 0 completed, 1 in progress, 1 pending, 0 cancelled.',
  );
  expect(await bench.text('todo', { action: 'summary' })).toContain('2 items');
  expect(bench.environment.todos.read()).toHaveLength(2);
});

test('two items in progress, unknown ids and too many items are refused and change nothing', async () => {
  const bench = await startBench();
  await bench.text('todo', { action: 'create', items: [item('1', 'in_progress'), item('2')] });
  const refused = [
    { action: 'update', items: [{ id: '2', status: 'in_progress' }] },
    { action: 'update', items: [{ id: '9', status: 'completed' }] },
    { action: 'merge', items: [{ id: '9' }] },
    { action: 'create', items: [item('1'), item('1')] },
    { action: 'create', items: Array.from({ length: 257 }, (_, at) => item(String(at))) },
    { action: 'delete' },
  ];
  for (const args of refused) expect(await bench.call('todo', args)).toMatchObject({ state: 'error' });
  expect(bench.environment.todos.read().map(({ id, status }) => [id, status])).toEqual([
    ['1', 'in_progress'],
    ['2', 'pending'],
  ]);
});

test('ask_user brings the answer back, or says that nobody answered', async () => {
  const answered = await startBench({ says: 'blue' });
  expect(await answered.text('ask_user', { question: 'Which?', options: ['red', 'blue'] })).toContain('blue');
  expect(answered.events.map((event) => event.type)).toEqual([
    'call.state',
    'call.state',
    'question.asked',
    'question.answered',
    'call.state',
  ]);
  expect(await (await startBench({ says: null })).text('ask_user', { question: 'Which?' })).toContain(
    'Nobody answered',
  );
});

function git(bench: Bench, ...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=a@x', ...args], {
    cwd: bench.root,
    stdio: 'pipe',
  });
}

test('case-T01: git_log in an empty repository and outside of one', async () => {
  const bench = await startBench();
  expect(await bench.call('git_log', {})).toMatchObject({ state: 'error', error: { code: 'not_found' } });
  git(bench, 'init', '-q');
  expect(await bench.text('git_log', {})).toBe('(no commits yet)');
});

test('case-T07, T08: git_log gives exact fields for odd names and messages', async () => {
  const bench = await startBench();
  git(bench, 'init', '-q');
  await writeFile(path.join(bench.root, 'ä "q".txt'), 'x');
  git(bench, 'add', '.');
  git(bench, 'commit', '-qm', 'first %x00 subject\r\n\r\nbody');
  git(bench, 'commit', '-q', '--allow-empty', '-m', 'second');
  const text = await bench.text('git_log', { path: 'ä "q".txt' });
  expect(JSON.parse(text)).toMatchObject({ author: 'Ann', subject: 'first %x00 subject' });
  expect((await bench.text('git_log', {})).split('\n')).toHaveLength(2);
  expect((await bench.text('git_log', { grep: 'SECOND' })).split('\n')).toHaveLength(1);
  expect(await bench.text('git_log', { grep: 'none' })).toBe('(no commits match)');
  expect((await bench.text('git_log', { max_count: 1 })).split('\n')).toHaveLength(1);
  expect(await bench.call('git_log', { max_count: 81 })).toMatchObject({ state: 'error' });
  expect(await bench.call('git_log', { path: '../x' })).toMatchObject({
    error: { code: 'outside_workspace' },
  });
  expect(await bench.text('git_log', { since: '--output=x' })).not.toContain('fatal');
});
