import { expect, test } from 'vitest';
import { AppError } from '../../shared/error';
import { ForeignToolId } from '../../shared/contract/session';
import { IMPORT_TOOLS, parseCommand } from './args';
import { quickAnswer } from './quick-answer';

const failure = (...argv: string[]): { message: string; hint: string | undefined } => {
  try {
    parseCommand(argv);
  } catch (error) {
    if (error instanceof AppError) return { message: error.message, hint: error.hint };
    throw error;
  }
  throw new Error(`${argv.join(' ')} was taken`);
};

test('run takes every documented option', () => {
  const argv =
    'run --project d --prompt p --image a.png --image b/c.jpg --mode plan --agent explore --base-url http://h/v1 --model m --api-key k --session s --approve all --trust --max-steps 7 --json';
  expect(parseCommand(argv.split(' '))).toEqual({
    kind: 'run',
    project: 'd',
    prompt: 'p',
    images: ['a.png', 'b/c.jpg'],
    mode: 'plan',
    agent: 'explore',
    baseUrl: 'http://h/v1',
    model: 'm',
    apiKey: 'k',
    session: 's',
    approve: 'all',
    maxSteps: 7,
    json: true,
  });
  expect(parseCommand(['run', '--image', 'a.png'])).toMatchObject({ prompt: '', images: ['a.png'] });
  expect(parseCommand(['run', '--prompt', 'p'])).toMatchObject({
    project: '.',
    images: [],
    mode: null,
    agent: null,
    approve: 'ask',
    maxSteps: null,
    json: false,
    baseUrl: null,
  });
});

test('serve and sessions have their options and defaults', () => {
  expect(parseCommand(['serve'])).toMatchObject({
    kind: 'serve',
    project: null,
    port: 0,
    open: true,
    json: false,
  });
  expect(parseCommand('serve --project d --port 4100 --no-open --trust --json'.split(' '))).toMatchObject({
    project: 'd',
    port: 4100,
    open: false,
    json: true,
  });
  expect(parseCommand(['sessions', '--json'])).toEqual({
    kind: 'sessions',
    project: null,
    search: null,
    json: true,
  });
  expect(parseCommand(['sessions', '--search', 'a b'])).toMatchObject({ search: 'a b' });
});

test('export and import take a session or a folder, or another tool', () => {
  expect(IMPORT_TOOLS).toEqual(ForeignToolId.options);
  expect(parseCommand('export s1 --out d --json'.split(' '))).toEqual({
    kind: 'export',
    session: 's1',
    out: 'd',
    json: true,
  });
  const folder = { kind: 'import', folder: 'd', from: null, project: null, json: false };
  expect(parseCommand(['import', 'd'])).toEqual(folder);
  expect(parseCommand('import --from pi'.split(' '))).toEqual({ ...folder, folder: null, from: 'pi' });
  expect(parseCommand('import --from codex x --project p'.split(' '))).toEqual({
    ...folder,
    folder: 'x',
    from: 'codex',
    project: 'p',
  });
});

test('help and version are answered before anything is loaded', () => {
  expect(quickAnswer(['--version'])).toMatch(/^\d+\.\d+\.\d+\n$/);
  for (const argv of [['--help'], ['-h'], ['help']]) expect(quickAnswer(argv)).toContain('run  ');
  expect(quickAnswer(['help', 'serve'])).toContain('--port');
  expect(quickAnswer(['run', '--help'])).toBeNull();
  expect(parseCommand(['run', '--help'])).toEqual({ kind: 'help', topic: 'run' });
});

test.each([
  [[], 'No command'],
  [['fly'], '"fly"'],
  [['constructor'], '"constructor"'],
  [['run'], '--prompt'],
  [['run', '--prompt', ' '], '--prompt'],
  [['run', '--prompt', 'p', '--approve', 'maybe'], 'ask, edits, all, none'],
  [['run', '--prompt', 'p', '--mode', 'fast'], 'agent, plan, ask'],
  [['run', '--prompt', 'p', '--max-steps', '0'], '--max-steps'],
  [['run', '--prompt', 'p', '--max-steps', '1e3'], '--max-steps'],
  [['run', '--prompt', 'p', '--base-url', 'http://h'], '--model'],
  [['run', '--prompt', 'p', '--base-url', 'file:///x', '--model', 'm'], '--base-url'],
  [['run', '--prompt', 'p', '--api-key', 'k'], '--base-url'],
  [['run', '--prompt', 'p', '--wat'], '--wat'],
  [['run', 'do it'], 'do it'],
  [['serve', '--port', '70000'], '--port'],
  [['serve', '--prompt', 'p'], '--prompt'],
  [['serve', '--model', 'm'], '--base-url'],
  [['export', 's1'], '--out'],
  [['export', '--out', 'd'], 'ID'],
  [['import'], 'DIR'],
  [['import', 'a', 'b'], '"b"'],
  [['import', '--from', 'emacs'], 'claude, codex, opencode, pi'],
])('%j is bad usage, said on one line with where to look', (argv, part) => {
  const { message, hint } = failure(...argv);
  expect(message).toContain(part);
  expect(message).not.toContain('\n');
  expect(hint).toMatch(/^See: lathe (?:(?:run|serve|export|import) )?--help$/);
});

test('bisect needs a session and a command', () => {
  expect(parseCommand(['bisect', '--session', 's', '--command', 'npm test', '--timeout', '9'])).toEqual({
    ...{ kind: 'bisect', session: 's', command: 'npm test', timeoutSeconds: 9, project: null, json: false },
  });
  expect(failure('bisect', '--session', 's').message).toBe('bisect needs --command CMD.');
  expect(failure('bisect', '--command', 'x').message).toBe('bisect needs --session ID.');
  expect(failure('bisect', '--session', 's', '--command', 'x', '--timeout', '0').message).toContain(
    '--timeout',
  );
  expect(quickAnswer(['help', 'bisect'])).toContain('--command CMD');
});

test('undo, redo and log name a session; a turn is counted from 1', () => {
  expect(parseCommand('undo --session s --turn 3 --project d --json'.split(' '))).toEqual({
    kind: 'undo',
    session: 's',
    turn: 3,
    project: 'd',
    json: true,
  });
  expect(parseCommand(['undo', '--session', 's'])).toMatchObject({ turn: null, project: null, json: false });
  expect(parseCommand(['redo', '--session', 's'])).toEqual({
    kind: 'redo',
    session: 's',
    project: null,
    json: false,
  });
  expect(parseCommand(['log', '--session', 's', '--json'])).toMatchObject({ kind: 'log', json: true });
  expect(failure('undo').message).toBe('undo needs --session ID.');
  expect(failure('undo', '--session', 's', '--turn', '0').message).toContain('--turn is a number from 1');
  expect(failure('redo', '--session', 's', '--turn', '1').message).toContain('--turn');
  expect(parseCommand(['redo', '--help'])).toEqual({ kind: 'help', topic: 'redo' });
  expect(quickAnswer(['help', 'undo'])).toContain('lathe redo --session ID');
});
