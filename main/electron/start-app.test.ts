import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { CONTENT_SECURITY_POLICY } from '../../shared/contract/csp';
import { IPC } from '../../shared/contract/names';
import * as electron from './testing/fake-electron';
import { FakeWindow, preventable } from './testing/fake-electron';

vi.mock('electron', () => import('./testing/fake-electron'));

let home = '';
let project = '';

/** The one window, once the app has loaded its page. */
async function theWindow(): Promise<FakeWindow> {
  await vi.waitFor(() => expect(FakeWindow.all[0]?.url).toBe('app://lathe/index.html'), 20_000);
  return FakeWindow.all[0] as FakeWindow;
}

const eventOf = (window: FakeWindow, frame: object | null = window.webContents.mainFrame) => ({
  sender: window.webContents,
  senderFrame: frame,
});

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'lathe-electron-home-'));
  project = await mkdtemp(path.join(tmpdir(), 'lathe-electron-project-'));
  await writeFile(path.join(project, 'a.txt'), 'a');
  vi.stubEnv('LATHE_HOME', home);
  vi.stubEnv('TERM', 'dumb');
  process.argv = ['electron', electron.app.getAppPath(), '--inspect', project];
  const { startApp } = await import('./start-app');
  startApp();
  electron.app.ready.resolve();
  await theWindow();
}, 30_000);

afterAll(async () => {
  const event = preventable();
  electron.app.emit('will-quit', event);
  expect(event.defaultPrevented).toBe(true);
  expect(await electron.app.exited.promise).toBe(0);
  await rm(home, { recursive: true, force: true });
  await rm(project, { recursive: true, force: true });
});

test('sec-b04: sandbox, scheme and instance lock are settled before the app is ready, the page comes last', () => {
  const at = (what: string): number => electron.log.findIndex((entry) => entry.startsWith(what));
  const order = [
    'setPath:userData',
    'enableSandbox',
    'registerSchemes',
    'lock:',
    'protocol.handle:app',
    'BrowserWindow',
  ];
  const places = [...order, 'loadURL:'].map(at);
  expect(places.every((place) => place >= 0)).toBe(true);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test('sec-b01: the window shows a page of the app’s own secure scheme', async () => {
  expect((await theWindow()).url).toBe('app://lathe/index.html');
  expect(electron.protocol.schemes).toEqual([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
});

test('sec-b02–b12: the page has no power of its own: no Node, isolated, sandboxed, nothing loosened', async () => {
  const { webPreferences } = (await theWindow()).options;
  expect(webPreferences).toEqual({
    preload: path.join(electron.app.getAppPath(), 'dist/preload/index.cjs'),
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    safeDialogs: true,
    spellcheck: false,
    devTools: true,
  });
});

test('sec-b05: every permission is denied, on request, on check and for devices, but a copy to the clipboard', () => {
  const { onRequest, onCheck, onDevice } = electron.session.defaultSession;
  const asked = (name: string): boolean[] => {
    const answers: boolean[] = [];
    onRequest?.(null, name, (granted) => answers.push(granted));
    return [...answers, onCheck?.(null, name) ?? true];
  };
  for (const name of [
    'geolocation',
    'media',
    'notifications',
    'clipboard-read',
    'openExternal',
    'fileSystem',
    'hid',
  ]) {
    expect(asked(name), name).toEqual([false, false]);
  }
  expect(asked('clipboard-sanitized-write')).toEqual([true, true]);
  expect(onDevice?.()).toBe(false);
});

test('sec-b07: the page comes with the content security policy; nothing outside its folder is served', async () => {
  const get = (url: string) => electron.protocol.handler?.({ method: 'GET', url });
  for (const url of [
    'app://lathe/../../package.json',
    'app://lathe/%2e%2e%2f%2e%2e%2fpackage.json',
    'app://x/a',
  ]) {
    const response = await get(url);
    expect(response?.status, url).toBe(404);
    expect(response?.headers.get('Content-Security-Policy')).toBe(CONTENT_SECURITY_POLICY);
  }
});

test('sec-b12, b13, H04: navigation, redirects, frames and webviews are prevented; reloading the page is not', async () => {
  const { webContents } = await theWindow();
  const prevented = (name: string, facts: object): boolean => {
    const event = preventable(facts);
    webContents.emit(name, event);
    return event.defaultPrevented;
  };
  const elsewhere = [
    'https://example.org/',
    'file:///etc/passwd',
    'app://lathe/other.html',
    'app://x/index.html',
  ];
  for (const name of ['will-navigate', 'will-redirect', 'will-frame-navigate']) {
    for (const url of elsewhere)
      expect(prevented(name, { url, isMainFrame: true }), `${name} ${url}`).toBe(true);
    expect(prevented(name, { url: 'app://lathe/index.html#a', isMainFrame: true }), name).toBe(false);
  }
  expect(prevented('will-frame-navigate', { url: 'app://lathe/index.html', isMainFrame: false })).toBe(true);
  expect(prevented('will-attach-webview', {})).toBe(true);
});

test('sec-b14: the page opens no window', async () => {
  expect((await theWindow()).webContents.openHandler?.({ url: 'app://lathe/index.html' })).toEqual({
    action: 'deny',
  });
});

test('sec-b17, H06: only our page in the window’s top frame is listened to', async () => {
  const window = await theWindow();
  const { mainFrame } = window.webContents;
  const invoke = (event: object) =>
    electron.ipcMain.invoke(IPC.invoke, event, 'page-1', 'project.current', null);
  expect(await invoke(eventOf(window))).toMatchObject({
    ok: true,
    value: { path: expect.any(String) as string },
  });
  const stranger = new electron.FakeContents();
  const foreign = [
    eventOf(window, null),
    eventOf(window, { ...mainFrame, frameTreeNodeId: 2 }),
    eventOf(window, { ...mainFrame, parent: mainFrame }),
    { sender: stranger, senderFrame: stranger.mainFrame },
  ];
  for (const event of foreign) {
    expect(await invoke(event)).toMatchObject({ ok: false, error: { code: 'unauthorized' } });
  }
  for (const change of [{ origin: 'https://example.org' }, { origin: 'null' }, { url: 'about:blank' }]) {
    const before = { ...mainFrame };
    Object.assign(mainFrame, change);
    expect(await invoke(eventOf(window))).toMatchObject({ ok: false, error: { code: 'unauthorized' } });
    Object.assign(mainFrame, before);
  }
});

test('sec-H06: unknown channels and malformed messages are errors, never calls', async () => {
  const window = await theWindow();
  const send = (...args: unknown[]) => electron.ipcMain.invoke(IPC.invoke, eventOf(window), ...args);
  expect(await send('page-1', 'nobody.knows', null)).toMatchObject({
    ok: false,
    error: { code: 'bad_argument' },
  });
  expect(await send('page-1', 'files.read', { path: 7 })).toMatchObject({
    ok: false,
    error: { code: 'bad_argument' },
  });
  expect(await send({ toString: 1 }, 'app.info', null)).toMatchObject({
    ok: false,
    error: { code: 'unauthorized' },
  });
  expect(await send('page-1')).toMatchObject({ ok: false });
});

test('a stream reaches the page that opened it, and ends when a new document speaks', async () => {
  const window = await theWindow();
  const { sent } = window.webContents;
  electron.ipcMain.emit(IPC.subscribe, eventOf(window), 'page-2', 1, 'turn.approvalsChanged', null);
  await expect.poll(() => sent.at(-1)).toEqual([IPC.message, 'page-2', 1, { kind: 'message', payload: [] }]);
  electron.ipcMain.emit(IPC.subscribe, eventOf(window), 'page-3', 1, 'app.commands', null);
  const before = sent.length;
  const file = electron.Menu.template.find(({ label }) => label === 'File');
  file?.submenu?.find(({ label }) => label === 'Save All')?.click?.();
  await expect
    .poll(() => sent.slice(before))
    .toEqual([[IPC.message, 'page-3', 1, { kind: 'message', payload: { command: 'file.saveAll' } }]]);
});

test('sec-b15, H05: only web and mail links leave, and only after the user saw the host', async () => {
  const window = await theWindow();
  const open = (url: string) =>
    electron.ipcMain.invoke(IPC.invoke, eventOf(window), 'page-3', 'app.openExternal', { url });
  electron.dialog.response = 1;
  await open('https://example.org/a');
  expect(electron.dialog.boxes.at(-1)?.message).toBe('Open example.org in your browser?');
  expect(electron.log.filter((entry) => entry.startsWith('openExternal'))).toEqual([]);
  electron.dialog.response = 0;
  await open('https://example.org/a');
  for (const url of ['file:///etc/passwd', 'smb://h/s', 'ms-settings:', 'https://u:p@example.org/']) {
    expect(await open(url)).toMatchObject({ ok: false, error: { code: 'bad_argument' } });
  }
  expect(electron.log.filter((entry) => entry.startsWith('openExternal'))).toEqual([
    'openExternal:https://example.org/a',
  ]);
});

test('unsaved text: closing asks first, and staying keeps the window', async () => {
  const window = await theWindow();
  const state = { dirtyFiles: 2, visible: true, activeSessionId: null };
  const told = (facts: object) =>
    electron.ipcMain.invoke(IPC.invoke, eventOf(window), 'page-3', 'app.windowState', facts);
  expect(await told(state)).toMatchObject({ ok: true });
  electron.dialog.response = 1;
  window.close();
  await expect.poll(() => electron.dialog.boxes.at(-1)?.message).toBe('2 files are not saved.');
  expect(window.closed).toBe(false);
  const unload = preventable();
  window.webContents.emit('will-prevent-unload', unload);
  expect(unload.defaultPrevented).toBe(true);
  await told({ ...state, dirtyFiles: 0 });
});

test('the command line’s folder is open, and a second start asks the window to open another', async () => {
  const window = await theWindow();
  expect(electron.log.find((entry) => entry.startsWith('lock:'))).toBe(
    `lock:${JSON.stringify({ folder: project })}`,
  );
  const { sent } = window.webContents;
  const before = sent.length;
  electron.app.emit('second-instance', {}, ['electron', '--inspect', '/etc'], '/', { folder: home });
  electron.app.emit('second-instance', {}, [], '/', { folder: 'relative' });
  electron.app.emit('second-instance', {}, [], '/', 'lathe://open?path=/etc');
  await expect
    .poll(() => sent.slice(before))
    .toEqual([
      [IPC.message, 'page-3', 1, { kind: 'message', payload: { command: 'project.open', argument: home } }],
    ]);
});
