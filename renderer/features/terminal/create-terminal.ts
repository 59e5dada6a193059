import { FitAddon } from '@xterm/addon-fit';
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal } from '@xterm/xterm';
import { themeColor } from '../../lib/theme';
import { terminalTheme } from './terminal-theme';

export interface TerminalLook {
  fontSize: number;
  scrollback: number;
  reduceMotion: boolean;
}

/** Only web links open, and only through the host, which checks them again (sec-G02). */
function openLink(uri: string, open: (url: string) => void): void {
  if (URL.canParse(uri) && ['http:', 'https:'].includes(new URL(uri).protocol)) open(uri);
}

/** Leaves every mode that a program which was killed may have left behind (case-X06). */
export const RESET_MODES =
  '\u001b[?1049l\u001b[?25h\u001b[?2004l\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1006l\u001b[?1l\u001b>\u001b[0m';

export interface XtermParts {
  terminal: Terminal;
  fit: FitAddon;
}

/** An xterm with the window's look. It answers no title or clipboard request: those addons are left out (sec-G01, G03). */
export function createTerminal(look: TerminalLook, onLink: (url: string) => void): XtermParts {
  const terminal = new Terminal({
    allowProposedApi: true,
    cursorBlink: !look.reduceMotion,
    fontFamily: themeColor('--font-code'),
    fontSize: look.fontSize,
    lineHeight: 1.3,
    scrollback: look.scrollback,
    theme: terminalTheme(),
    linkHandler: { activate: (_event, uri) => openLink(uri, onLink) },
    minimumContrastRatio: 4.5,
    screenReaderMode: false,
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.loadAddon(new UnicodeGraphemesAddon());
  terminal.loadAddon(new WebLinksAddon((_event, uri) => openLink(uri, onLink)));
  return { terminal, fit };
}
