import { spawn } from 'node:child_process';

type Platform = NodeJS.Platform;

/** Program and arguments that open `url` in the default browser; no shell reads the address. */
export function browserCommand(platform: Platform, url: string): [string, string[]] {
  if (platform === 'darwin') return ['open', [url]];
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', url]];
  return ['xdg-open', [url]];
}

/** Opens the default browser; `onFailure` is told when there is none to be had. */
export function openBrowser(url: string, onFailure: () => void): void {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  const headless = process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY;
  if (headless) return onFailure();
  const [program, args] = browserCommand(process.platform, url);
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  child.on('error', onFailure);
  child.on('exit', (code) => {
    if (code !== 0) onFailure();
  });
  child.unref();
}
