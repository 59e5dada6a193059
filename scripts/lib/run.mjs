import { spawn } from 'node:child_process';
import os from 'node:os';
import { root } from './paths.mjs';

/**
 * Runs a command to its end as if this process had become it: same streams, same exit code, signals passed on.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>} its exit code; 128 + n when signal n ended it
 */
export function runForeground(command, args, options = {}) {
  const child = spawn(command, args, { stdio: 'inherit', cwd: root, ...options });
  // A terminal sends Ctrl-C to the whole group; passing it on would look like pressing it twice.
  const sharesTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  const handlers = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']).map((signal) => {
    const handler = () => void (signal === 'SIGINT' && sharesTerminal ? undefined : child.kill(signal));
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      for (const detach of handlers) detach();
      resolve(code ?? 128 + (signal ? (os.constants.signals[signal] ?? 0) : 0));
    });
  });
}

/**
 * Runs a command to its end and keeps what it prints.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { timeoutMs?: number }} [options]
 * @returns {Promise<{ code: number, output: string, timedOut: boolean }>} stdout and stderr in order of arrival
 */
export function runCaptured(command, args, { timeoutMs, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let timedOut = false;
    child.stdout?.on('data', (chunk) => (output += String(chunk)));
    child.stderr?.on('data', (chunk) => (output += String(chunk)));
    const timer = timeoutMs && setTimeout(() => ((timedOut = true), child.kill('SIGKILL')), timeoutMs);
    const end = (/** @type {number} */ code) => (
      clearTimeout(timer || undefined),
      resolve({ code, output, timedOut })
    );
    child.on('error', (error) => ((output += error.message), end(127)));
    child.on('close', (code) => end(code ?? 1));
  });
}
