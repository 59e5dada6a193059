import { createHash, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './paths.mjs';

const POLL_MS = 200;

/**
 * Runs `work` while no other process does the same for this checkout. Waits for the other one to finish; a lock
 * whose owner is gone is taken over. Not re-entrant.
 *
 * @template T
 * @param {string} name what is being guarded
 * @param {() => Promise<T>} work
 * @param {() => void} [onWait] called once when there is something to wait for
 * @returns {Promise<T>}
 */
export async function withLock(name, work, onWait = () => {}) {
  // Outside the checkout, because installing deletes node_modules and building replaces dist.
  const id = createHash('sha256').update(`${os.userInfo().username}:${root}`).digest('hex').slice(0, 16);
  const file = path.join(os.tmpdir(), `lathe-${name}-${id}.lock`);
  const token = `${process.pid} ${randomUUID()}`;
  for (let waited = false; !tryTake(file, token); waited = true) {
    if (!waited) onWait();
    await sleep(POLL_MS);
  }
  const release = () => {
    if (read(file) === token) rmSync(file, { force: true });
  };
  process.on('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/** Atomic: a lock file appears with its content or not at all. */
function tryTake(/** @type {string} */ file, /** @type {string} */ token) {
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, token);
  try {
    linkSync(mine, file);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    dropIfAbandoned(file);
    return false;
  } finally {
    rmSync(mine, { force: true });
  }
}

function dropIfAbandoned(/** @type {string} */ file) {
  const seen = read(file);
  if (seen === undefined || isAlive(Number(seen.split(' ')[0]))) return;
  // Renaming first: of several waiters that saw the same dead owner one gets the file, and it can look again.
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
    if (read(aside) !== seen) linkSync(aside, file);
  } catch {
    // Somebody else was quicker; the next round finds out.
  } finally {
    rmSync(aside, { force: true });
  }
}

function isAlive(/** @type {number} */ pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

function read(/** @type {string} */ file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
