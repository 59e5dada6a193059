/** What `import … from 'electron'` gives in the double. A name that is missing here fails at link time, by name. */
export { app, launch } from './app';
export { BrowserWindow } from './browser-window';
export { dialog } from './dialog';
export { ipcMain } from './ipc-main';
export { Menu } from './menu';
export { nativeTheme, screen } from './display';
export { Notification } from './notification';
export { protocol } from './protocol';
export { safeStorage } from './safe-storage';
export { session } from './session';
export { shell } from './shell';
