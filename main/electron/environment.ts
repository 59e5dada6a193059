import { app } from 'electron';
import { needsLoginEnv, readLoginEnv } from './login-env';
import { systemProxyEnv } from './proxy';

/**
 * Completes this process's environment, which commands, tools and the model client inherit: with the login shell's when
 * the app was started from an icon, and with the system's proxy when no variable names one.
 *
 * @returns what was worth a line in the log
 */
export async function completeEnvironment(): Promise<string[]> {
  const remarks: string[] = [];
  const source = { env: process.env, platform: process.platform };
  if (needsLoginEnv(source)) {
    const login = await readLoginEnv(source);
    if (login) Object.assign(process.env, login);
    else remarks.push('the login shell did not tell its environment; PATH may lack folders');
  }
  const proxy = await systemProxyEnv({ env: process.env, resolve: (url) => app.resolveProxy(url) });
  Object.assign(process.env, proxy);
  if (proxy['HTTPS_PROXY'] !== undefined) remarks.push('the system’s proxy is used');
  return remarks;
}
