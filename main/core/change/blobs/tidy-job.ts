import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { lstat, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../workspace/workspace-files';
import type { Job } from '../../worker/run-job';
import { syncFolder } from '../../workspace/atomic-write';
import { MAX_KEPT_BYTES } from './blob-store';
import { pack, PACKED, unpack } from './packing';

/** Smaller contents take a block of the disk either way. */
const MIN_PACKED_BYTES = 4096;
/** A content that gets no smaller than this part of its size stays plain. */
const WORTHWHILE = 0.9;
/** Bytes that one run packs; the rest comes with the next turn. */
const MAX_RUN_BYTES = 256 * 1024 * 1024;
/** What is younger may belong to an entry that is just being made, in milliseconds. */
const SETTLED_MS = 10 * 60_000;
/** A baseline that was used this recently may be one of a living process, in milliseconds. */
const IN_USE_MS = 24 * 3_600_000;

export interface TidyInput {
  /** Folder of the contents. */
  dir: string;
  /** Contents that changed before this time were looked at, in epoch milliseconds. */
  packedUntil: number;
  limitBytes: number;
  /** Folder with the known states of projects. */
  baselines: string;
  /** Contents that entries name, those that were needed last at the end. */
  byAge: string[];
  /** Contents that must stay: a review waits for them. */
  pinned: string[];
}

export interface Tidied {
  packed: number;
  totalBytes: number;
  /** Contents over the limit, to be removed once no entry says any more that they are kept. */
  surplus: string[];
}

interface Stored {
  hash: string;
  path: string;
  isPacked: boolean;
  sizeBytes: number;
  mtimeMs: number;
}

const NAME = /^([0-9a-f]{64})(\.z)?$/;

/** Packs new contents and says which ones are too much. Removes nothing that is not stored a second time. */
export const tidyJob: Job<TidyInput, Tidied> = async (input, signal) => {
  const found = await listStored(input.dir);
  const packed = await packNew(found, input.packedUntil, signal);
  const stored = packed === 0 ? found : await listStored(input.dir);
  const totalBytes = stored.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const surplus = totalBytes <= input.limitBytes ? [] : await choose(stored, totalBytes, input);
  return { packed, totalBytes, surplus };
};

async function listStored(dir: string): Promise<Stored[]> {
  const found: Stored[] = [];
  for (const folder of await readdir(dir).catch(() => [])) {
    for (const name of await readdir(join(dir, folder)).catch(() => [])) {
      const [, hash, ending] = NAME.exec(name) ?? [];
      const path = join(dir, folder, name);
      const facts = hash === undefined ? null : await lstat(path).catch(() => null);
      if (hash === undefined || facts?.isFile() !== true) continue;
      const { size: sizeBytes, mtimeMs } = facts;
      found.push({ hash, path, isPacked: ending !== undefined, sizeBytes, mtimeMs });
    }
  }
  return found;
}

async function packNew(found: readonly Stored[], since: number, signal: AbortSignal): Promise<number> {
  let [count, bytes] = [0, 0];
  for (const { hash, path, isPacked, sizeBytes, mtimeMs } of found) {
    if (signal.aborted || bytes > MAX_RUN_BYTES) break;
    if (isPacked || sizeBytes < MIN_PACKED_BYTES || mtimeMs < since) continue;
    bytes += sizeBytes;
    if (await packOne(path, hash).catch(() => false)) count += 1;
  }
  return count;
}

/** The plain bytes go only once the packed ones are on the disk and were read back. */
async function packOne(path: string, hash: string): Promise<boolean> {
  const target = path + PACKED;
  const bytes = await readFile(path);
  if (sha256(bytes) !== hash) return false;
  const packed = await pack(bytes);
  if (packed.length > bytes.length * WORTHWHILE) return false;
  const temporary = `${target}.new`;
  try {
    await writeFile(temporary, packed, { mode: 0o600 });
    sync(temporary);
    if (sha256(await unpack(await readFile(temporary), MAX_KEPT_BYTES)) !== hash) return false;
    renameSync(temporary, target);
    await syncFolder(join(path, '..'));
  } finally {
    await rm(temporary, { force: true });
  }
  await rm(path, { force: true });
  return true;
}

function sync(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** What goes first: contents nobody names, then those of projects not in use, then those of the oldest entries. */
async function choose(
  stored: readonly Stored[],
  totalBytes: number,
  { limitBytes, byAge, pinned, baselines }: TidyInput,
): Promise<string[]> {
  const { inUse, others } = await baselineHashes(baselines);
  const age = new Map(byAge.map((hash, index) => [hash, index + 2]));
  const kept = new Set([...pinned, ...inUse]);
  const settled = Date.now() - SETTLED_MS;
  const rank = (hash: string): number => age.get(hash) ?? (others.has(hash) ? 1 : 0);
  const candidates = stored
    .filter(({ hash, mtimeMs }) => !kept.has(hash) && (age.has(hash) || mtimeMs < settled))
    .sort((a, b) => rank(a.hash) - rank(b.hash));
  const surplus = new Set<string>();
  let left = totalBytes;
  for (const { hash, sizeBytes } of candidates) {
    if (left <= limitBytes) break;
    surplus.add(hash);
    left -= sizeBytes;
  }
  return [...surplus];
}

async function baselineHashes(dir: string): Promise<{ inUse: Set<string>; others: Set<string> }> {
  const found = { inUse: new Set<string>(), others: new Set<string>() };
  for (const name of await readdir(dir).catch(() => [])) {
    const path = join(dir, name);
    const text = await readFile(path, 'utf8').catch(() => '');
    const facts = await stat(path).catch(() => null);
    const into = facts !== null && facts.mtimeMs > Date.now() - IN_USE_MS ? found.inUse : found.others;
    for (const [, hash] of text.matchAll(/"h":"([0-9a-f]{64})"/g)) if (hash !== undefined) into.add(hash);
  }
  return found;
}
