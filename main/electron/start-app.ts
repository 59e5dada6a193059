import path from 'node:path';
import { app, dialog, nativeTheme, session } from 'electron';
import { contract, type Handlers } from '../../shared/contract/contract';
import { toErrorShape } from '../../shared/error';
import { createHandlers } from '../api/handlers';
import { createCore } from '../core/compose';
import type { Core } from '../core/core';
import { createFileSecrets } from '../core/secrets/file-secrets';
import { ensureDataDir } from '../core/settings/data-dir';
import { createRouter } from '../rpc/router';
import { watchApp } from './app-lifecycle';
import { appFiles, userDataDir, type AppFiles } from './app-files';
import { showBox } from './dialogs';
import { electronHandlers } from './electron-handlers';
import { completeEnvironment } from './environment';
import { openFirstProject } from './first-project';
import { electronHostPort } from './host-port';
import { serveIpc } from './ipc';
import { setApplicationMenu } from './menu';
import { NativeApprovals } from './native-approvals';
import { createNotifier } from './notifications';
import { registerAppScheme, serveAppFiles } from './protocol';
import { folderFromArgs, type Wish } from './second-instance';
import { createSafeSecrets } from './secrets';
import { denyPermissions, guardAllContents } from './web-guards';
import { MainWindow } from './window';
import { WindowCommands } from './window-commands';

/** Starts the app, or says in a dialog why it can't be started. */
export function startApp(): void {
  try {
    prepare();
  } catch (error) {
    giveUp(error);
  }
}

/** What has to be settled before Chromium is up, in this order. */
function prepare(): void {
  const dataDir = ensureDataDir(process.env);
  app.setPath('userData', userDataDir(dataDir));
  if (app.isPackaged) closeDebugPorts();
  if (process.platform === 'win32') app.setAppUserModelId('dev.lathe.app');
  app.enableSandbox();
  registerAppScheme();
  guardAllContents(app);
  const wish: Wish = { folder: folderFromArgs(ownArgs(), process.cwd()) };
  if (!app.requestSingleInstanceLock(wish)) {
    app.quit();
    return;
  }
  app
    .whenReady()
    .then(() => run(dataDir, wish.folder))
    .catch(giveUp);
}

/** The arguments after the program; in a checkout they begin after the app's own folder. */
function ownArgs(): string[] {
  const args = process.argv.slice(1);
  if (app.isPackaged) return args;
  return args.slice(args.findIndex((arg) => path.resolve(arg) === app.getAppPath()) + 1);
}

/** Nobody drives the installed app from outside (sec-H11). */
function closeDebugPorts(): void {
  for (const name of ['remote-debugging-port', 'remote-debugging-pipe', 'inspect', 'inspect-brk']) {
    app.commandLine.removeSwitch(name);
  }
}

function giveUp(error: unknown): void {
  const { message, hint } = toErrorShape(error);
  dialog.showErrorBox('Lathe can’t start', [message, hint ?? ''].join('\n\n').trim());
  app.exit(1);
}

async function run(dataDir: string, folder: string | null): Promise<void> {
  const files = appFiles(app.getAppPath(), dataDir);
  const remarks = await completeEnvironment();
  const { core, window, commands } = await compose(dataDir, files);
  for (const remark of remarks) core.log.info(remark);
  serveAppFiles(files.renderer);
  denyPermissions(session.defaultSession);
  setApplicationMenu({
    platform: process.platform,
    devTools: !app.isPackaged,
    run: (command) => commands.run(command),
  });
  followTheme(core);
  watchApp({ core, window, commands });
  await openFirstProject(core, folder);
  window.open();
}

interface Parts {
  core: Core;
  approvals: NativeApprovals;
  window: MainWindow;
  commands: WindowCommands;
}

async function compose(dataDir: string, files: AppFiles): Promise<Parts> {
  // The host port is the core's first need and speaks of what is made after it.
  const late: Partial<Parts> = {};
  const currentWindow = () => late.window?.current() ?? null;
  const notices: string[] = [];
  const tell = (text: string): void => {
    if (late.core) late.core.notices.post('warn', 'Provider keys', text);
    else notices.push(text);
  };
  const host = electronHostPort({
    secrets: createSafeSecrets({
      file: createFileSecrets({ path: files.keys, onNotice: tell }),
      onNotice: tell,
    }),
    window: currentWindow,
    notify: createNotifier({
      wanted: () => late.core?.settings.get('chat.notifyWindowOnConfirmation') ?? false,
      onClick: (sessionId) => {
        if (sessionId === null) late.window?.show();
        else late.commands?.run('session.open', sessionId);
      },
    }),
    approvalsChanged: (pending) => late.approvals?.update(pending),
  });
  const core = await createCore({ dataDir, host, version: app.getVersion(), assetsDir: files.assets });
  core.startNotices.push(...notices);
  const approvals = new NativeApprovals({
    show: async (options) => {
      const window = currentWindow();
      return window ? showBox(window, options) : null;
    },
    reply: (id, answer) => void core.approvals.reply(id, answer, 'user'),
    onFailure: (error) => core.log.error('an approval could not be asked natively', { error }),
  });
  const commands = new WindowCommands(() => late.window?.show());
  const handlers = electronHandlers(createHandlers(core), approvals, commands);
  const window = createWindow(core, handlers, files);
  return Object.assign(late, { core, approvals, window, commands });
}

function createWindow(core: Core, handlers: Handlers, files: AppFiles): MainWindow {
  const ipc = serveIpc({
    router: createRouter({
      domains: contract,
      handlers,
      checkOutput: !app.isPackaged,
      onFailure: (channel, error) => core.log.error(`${channel} failed`, { error }),
    }),
    onRefused: (channel, reason) => core.log.warn('a message was refused', { channel, reason }),
  });
  return new MainWindow({
    preload: files.preload,
    stateFile: files.windowState,
    devTools: !app.isPackaged,
    dirtyFiles: () => core.windows.dirtyFiles(),
    attach: (contents) => ipc.attach(contents),
    onGone: (why) => denyAll(core, why),
    onError: (message, error) => core.log.error(message, { error }),
  });
}

/** No answer is no permission: whoever would have answered is gone. */
function denyAll(core: Core, why: string): void {
  for (const { id } of core.approvals.pending()) {
    core.log.info('an approval was denied', { id, why });
    core.approvals.reply(id, 'deny', 'timeout');
  }
}

/** Native dialogs and menus in the colours of the window. */
function followTheme(core: Core): void {
  const apply = (): void => {
    const theme = core.settings.get('workbench.colorTheme');
    nativeTheme.themeSource = theme === 'contrast' ? 'dark' : theme;
  };
  apply();
  core.settings.onChange(apply);
}
