import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLogger } from '../log/logger';
import { dataDirPath, ensureDataDir } from './data-dir';
import { createSettingsService, type SettingsService } from './settings-service';

let dir: string;
let path: string;
const opened: SettingsService[] = [];

function open(): SettingsService {
  const service = createSettingsService({ path, logger: silentLogger });
  opened.push(service);
  return service;
}

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lathe-settings-'));
  path = join(dir, 'home', 'settings.jsonc');
  mkdirSync(join(dir, 'home'));
});
afterEach(() => {
  for (const service of opened.splice(0)) service.close();
  rmSync(dir, { recursive: true, force: true });
});

test('without a file every setting has its default', () => {
  const state = open().state();
  expect(state.values['workbench.colorTheme']).toBe('dark');
  expect(state).toMatchObject({ path, problems: [] });
});

test('a bad value gives the default and a line that names file, line and what is allowed', () => {
  writeFileSync(
    path,
    '{\n  // mine\n  "editor.fontSize": 99,\n  "editor.tabSize": 4,\n  "editor.wordWrap": "yes",\n}',
  );
  const { values, problems } = open().state();
  expect(values['editor.fontSize']).toBe(13);
  expect(values['editor.tabSize']).toBe(4);
  expect(problems).toEqual([
    `${path}, line 3: "editor.fontSize" can't be 99; allowed is a number from 8 to 32. The default is used.`,
    `${path}, line 5: "editor.wordWrap" can't be "yes"; allowed is one of "off", "on". The default is used.`,
  ]);
});

test('what can be read of a broken file counts; an unknown key is named', () => {
  writeFileSync(path, '{ "editor.tabSize": 3,\n "editor.fontsize": 12,\n "editor.wordWrap" "on" ');
  const { values, problems } = open().state();
  expect(values['editor.tabSize']).toBe(3);
  expect(problems.join('\n')).toContain('line 3: not valid JSON');
  expect(problems.join('\n')).toContain('line 2: there is no setting "editor.fontsize"');
});

test('sec-A04, sec-A05: a project sets looks and editing only; all else is ignored with one line', () => {
  writeFileSync(path, '{ "editor.tabSize": 3, "editor.fontSize": 15 }');
  const root = join(dir, 'project');
  mkdirSync(join(root, '.lathe'), { recursive: true });
  writeFileSync(
    join(root, '.lathe', 'settings.jsonc'),
    `{ "editor.tabSize": 8, "terminal.integrated.shell": "/tmp/evil", "chat.agent.maxRequests": 1000,
       "baseURL": "http://127.0.0.1:9", "autoApprove": ["*"] }`,
  );
  const service = open();
  service.setProject(root);
  const { values, problems } = service.state();
  expect(values).toMatchObject({
    'editor.tabSize': 8,
    'editor.fontSize': 15,
    'terminal.integrated.shell': '',
    'chat.agent.maxRequests': 100,
  });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(
    '"terminal.integrated.shell", "chat.agent.maxRequests", "baseURL", "autoApprove"',
  );
  service.setProject(null);
  expect(service.get('editor.tabSize')).toBe(3);
});

test('setting a key keeps comments and the other keys; null removes it', async () => {
  writeFileSync(
    path,
    '{\r\n  // why: my eyes\r\n  "editor.fontSize": 15, // big\r\n  "editor.tabSize": 4\r\n}\r\n',
  );
  const service = open();
  const seen = vi.fn();
  service.onChange(seen);
  await service.set('editor.fontSize', 16);
  await service.set('editor.wordWrap', 'on');
  expect(readFileSync(path, 'utf8')).toBe(
    '{\r\n  // why: my eyes\r\n  "editor.fontSize": 16, // big\r\n  "editor.tabSize": 4,\r\n  "editor.wordWrap": "on"\r\n}\r\n',
  );
  const state = await service.set('editor.tabSize', null);
  expect(state.values['editor.tabSize']).toBe(2);
  expect(seen).toHaveBeenCalledTimes(3);
});

test('the first setting makes the file', async () => {
  await open().set('workbench.colorTheme', 'light');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ 'workbench.colorTheme': 'light' });
});

test('an unknown key, a value that is not allowed and a broken file are refused and nothing is written', async () => {
  const service = open();
  await expect(service.set('no.such', 1)).rejects.toMatchObject({ code: 'bad_argument' });
  await expect(service.set('editor.tabSize', 99)).rejects.toMatchObject({
    code: 'bad_argument',
    hint: 'Allowed is a whole number from 1 to 16.',
  });
  writeFileSync(path, '{ "editor.tabSize": ');
  await expect(service.set('editor.fontSize', 12)).rejects.toMatchObject({ code: 'conflict' });
  expect(readFileSync(path, 'utf8')).toBe('{ "editor.tabSize": ');
});

test('a change by another program is seen, also when it replaces the file', async () => {
  const service = open();
  writeFileSync(path, '{ "editor.tabSize": 5 }');
  await expect.poll(() => service.get('editor.tabSize')).toBe(5);
  writeFileSync(`${path}.new`, '{ "editor.tabSize": 6 }');
  renameSync(`${path}.new`, path);
  await expect.poll(() => service.get('editor.tabSize')).toBe(6);
});

test('a folder in place of the file is a problem line, not a crash', () => {
  mkdirSync(path);
  expect(open().state().problems).toEqual([`${path} is not a file; it is ignored.`]);
});

test('LATHE_HOME moves all data; otherwise each system has its usual place', () => {
  expect(dataDirPath({ LATHE_HOME: '/x/y' }, 'linux', '/home/me')).toBe('/x/y');
  expect(dataDirPath({}, 'linux', '/home/me')).toBe('/home/me/.local/share/lathe');
  expect(dataDirPath({ XDG_DATA_HOME: '/d' }, 'linux', '/home/me')).toBe('/d/lathe');
  expect(dataDirPath({}, 'darwin', '/Users/me')).toBe('/Users/me/Library/Application Support/Lathe');
  expect(ensureDataDir({ LATHE_HOME: join(dir, 'new', 'home') })).toBe(join(dir, 'new', 'home'));
  writeFileSync(join(dir, 'file'), '');
  expect(() => ensureDataDir({ LATHE_HOME: join(dir, 'file', 'x') })).toThrow(
    expect.objectContaining({ code: 'io_failed' }),
  );
});
