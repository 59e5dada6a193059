import path from 'node:path';

/** Where things are below the app's own folder (or archive) and the data folder. */
export interface AppFiles {
  assets: string;
  renderer: string;
  preload: string;
  /** Provider keys, encrypted by the keychain. */
  keys: string;
  windowState: string;
}

export const appFiles = (appPath: string, dataDir: string): AppFiles => ({
  assets: path.join(appPath, 'assets'),
  renderer: path.join(appPath, 'dist', 'renderer'),
  preload: path.join(appPath, 'dist', 'preload', 'index.cjs'),
  keys: path.join(dataDir, 'keychain.json'),
  windowState: path.join(userDataDir(dataDir), 'window.json'),
});

/** What Chromium keeps: part of the data folder, so that `LATHE_HOME` moves it too. */
export const userDataDir = (dataDir: string): string => path.join(dataDir, 'electron');
