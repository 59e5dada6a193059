import { app } from 'electron';
import type { Core } from '../core/core';
import { folderOfWish } from './second-instance';
import type { MainWindow } from './window';
import type { WindowCommands } from './window-commands';

/** A core that takes longer to close is left to the operating system; everything that counts is stored by then. */
const CLOSE_LIMIT_MS = 3000;

export interface AppParts {
  core: Core;
  window: MainWindow;
  commands: WindowCommands;
}

/** What the app does when it is started again, left by its windows, and asked to quit. */
export function watchApp({ core, window, commands }: AppParts): void {
  app.on('second-instance', (_event, _argv, _cwd, wish) => {
    const folder = folderOfWish(wish);
    if (folder === null) window.show();
    else commands.run('project.open', folder);
  });
  app.on('activate', () => window.show());
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  let closed = false;
  app.on('will-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    closed = true;
    void closeCore(core).then((code) => app.exit(code));
  });
}

async function closeCore(core: Core): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_LIMIT_MS);
  });
  try {
    await Promise.race([core.close(), limit]);
    return 0;
  } catch (error) {
    console.error('Lathe did not close cleanly:', error);
    return 1;
  } finally {
    clearTimeout(timer);
  }
}
