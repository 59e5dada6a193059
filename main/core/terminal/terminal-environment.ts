/** What steers our own runtime or belongs to the terminal Lathe was started from. */
const DROPPED =
  /^(ELECTRON_|LATHE_|npm_|VITEST|NODE_CHANNEL|NODE_UNIQUE_ID$|NODE_OPTIONS$|INIT_CWD$|TMUX|STY$|WINDOW$|WINDOWID$|TERMCAP$|COLUMNS$|LINES$|TERM_PROGRAM|CHROME_DESKTOP$)/;

/**
 * Environment of a shell in a terminal: the login shell's, told what this terminal can do. Started from an icon there may be
 * no locale; then text is UTF-8.
 */
export function terminalEnvironment(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !DROPPED.test(name)) result[name] = value;
  }
  const hasLocale = [result.LC_ALL, result.LC_CTYPE, result.LANG].some(Boolean);
  if (!hasLocale && platform !== 'win32') result.LANG = platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
  return { ...result, TERM: 'xterm-256color', COLORTERM: 'truecolor', TERM_PROGRAM: 'Lathe' };
}
