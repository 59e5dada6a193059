import type { BrowserWindowConstructorOptions } from 'electron';
import { MIN_SIZE } from './window-state';

/** The page before it has painted: the dark theme's canvas. */
const CANVAS = '#1a1c20';

/**
 * A window whose page has no power of its own. Most values are Electron's defaults, written down so that a change of a
 * default changes nothing here.
 */
export const windowOptions = (preload: string, devTools: boolean): BrowserWindowConstructorOptions => ({
  show: false,
  minWidth: MIN_SIZE.width,
  minHeight: MIN_SIZE.height,
  title: 'Lathe',
  backgroundColor: CANVAS,
  webPreferences: {
    preload,
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
    // Its dictionaries would come from a server.
    spellcheck: false,
    devTools,
  },
});
