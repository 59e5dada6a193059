import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isAlive } from '../core/testing/is-alive';
import { needsLoginEnv, readLoginEnv } from './login-env';

const SHELL = '/bin/bash';

/** The bare environment of a desktop, with a home whose start-up file is `profile`. */
function desktop(profile: string): NodeJS.ProcessEnv {
  const HOME = mkdtempSync(path.join(tmpdir(), 'lathe-login-'));
  writeFileSync(path.join(HOME, '.bash_profile'), profile);
  return { HOME, SHELL, PATH: '/usr/bin:/bin' };
}

const read = (profile: string) => readLoginEnv({ env: desktop(profile), platform: 'linux', limitMs: 10_000 });

test('the login shell’s variables are read whatever its start-up files print', async () => {
  const profile = [
    'echo hello',
    'export PATH="$HOME/bin:$PATH" OWN=$HOME NODE_OPTIONS=--x',
    "export TWO_LINES=$'a\\nb=c'",
    'echo bye >&2',
  ];
  const env = await read(profile.join('\n'));
  expect(env?.['PATH']?.startsWith(`${env['OWN']}/bin:`)).toBe(true);
  expect(env?.['TWO_LINES']).toBe('a\nb=c');
  expect(env).not.toHaveProperty('NODE_OPTIONS');
  expect(env).not.toHaveProperty('SHLVL');
});

test('a start-up file that hangs is given up, and what it started is killed', async () => {
  const env = desktop('sleep 60 & echo $! > "$HOME/pid"; wait');
  expect(await readLoginEnv({ env, platform: 'linux', limitMs: 1000 })).toBeNull();
  const pid = Number(readFileSync(path.join(env['HOME'] ?? '', 'pid'), 'utf8'));
  expect(pid).toBeGreaterThan(0);
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test('a start-up file that ends the shell, and a shell that is not there, tell nothing', async () => {
  expect(await read('exit 0')).toBeNull();
  const env = { ...desktop(''), SHELL: '/nowhere/shell' };
  expect(await readLoginEnv({ env, platform: 'linux' })).toBeNull();
  const script = path.join(mkdtempSync(path.join(tmpdir(), 'lathe-shell-')), 'shell');
  writeFileSync(script, '#!/bin/sh\necho nothing\n');
  chmodSync(script, 0o755);
  expect(await readLoginEnv({ env: { ...env, SHELL: script }, platform: 'linux' })).toBeNull();
});

test('only an app started without a terminal, and not on Windows, needs it', () => {
  expect(needsLoginEnv({ env: {}, platform: 'darwin' })).toBe(true);
  expect(needsLoginEnv({ env: { TERM: 'xterm' }, platform: 'linux' })).toBe(false);
  expect(needsLoginEnv({ env: {}, platform: 'win32' })).toBe(false);
});
