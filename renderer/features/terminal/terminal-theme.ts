import type { ITheme } from '@xterm/xterm';
import { themeColor } from '../../lib/theme';

/** The terminal's colours from the window's tokens, so that both always change together. */
export function terminalTheme(): ITheme {
  const dim = themeColor('--fg-3');
  return {
    background: themeColor('--bg-canvas'),
    foreground: themeColor('--fg'),
    cursor: themeColor('--fg'),
    cursorAccent: themeColor('--bg-canvas'),
    selectionBackground: themeColor('--bg-sel'),
    selectionInactiveBackground: themeColor('--bg-sel-off'),
    black: themeColor('--fg-off'),
    brightBlack: dim,
    red: themeColor('--err'),
    brightRed: themeColor('--err'),
    green: themeColor('--ok'),
    brightGreen: themeColor('--ok'),
    yellow: themeColor('--warn'),
    brightYellow: themeColor('--warn'),
    blue: themeColor('--accent'),
    brightBlue: themeColor('--accent'),
    magenta: themeColor('--t-mag'),
    brightMagenta: themeColor('--t-mag'),
    cyan: themeColor('--s-type'),
    brightCyan: themeColor('--s-type'),
    white: themeColor('--fg-2'),
    brightWhite: themeColor('--fg'),
  };
}
