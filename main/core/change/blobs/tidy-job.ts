import { renameSync } from 'node:fs';
import { lstat, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../workspace/workspace-files';
import type { Job } from '../../worker/run-job';
import { syncFolder } from '../../workspace/atomic-write';
import { MAX_KEPT_BYTES } from './blob-store';
import { pack, PACKED, unpack } from './packing';
import {
  listPacks,
  SETTLED_MS,
  shareOf,
  syncFile,
  takeApart,
  type StoredPack,
  type TakenApart,
} from './tidy-packs';

/** Smaller contents take a block of the disk either way. */
const MIN_PACKED_BYTES = 4096;
/** A content that gets no smaller than this part of its size stays plain. */
const WORTHWHILE = 0.9;
/** Bytes that one run packs; the rest comes with the next turn. */
const MAX_RUN_BYTES = 256 * 1024 * 1024;
/** A pack of which projects in use name more than this part stays. */
const MOSTLY = 0.5;
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

/**
 * Compresses new contents that entries name and says which ones are too much. Removes nothing that is not stored a second
 * time, but packs over the limit: of those it leaves what entries, reviews and projects in use name.
 */
export const tidyJob: Job<TidyInput, Tidied> = async (input, signal) => {
  const { dir, limitBytes } = input;
  const packed = await packNew(await listStored(dir), input, signal);
  const [stored, packs] = [await listStored(dir), await listPacks(dir)];
  const totalBytes = bytesOf(stored) + bytesOf(packs);
  if (totalBytes <= limitBytes) return { packed, totalBytes, surplus: [] };
  const needs = await needsOf(input);
  const taken = await takeSome(stored, packs, totalBytes - limitBytes, { input, needs, signal });
  if (taken.length === 0) return { packed, totalBytes, surplus: choose(stored, packs, input, needs) };
  const gone = new Set(taken.map(({ base }) => base));
  const left = packs.filter(({ base }) => !gone.has(base));
  const single = await listStored(dir);
  const lost = taken.flatMap((each) => each.lost).filter((hash) => !isInPack(hash, left));
  const surplus = [...new Set([...lost, ...choose(single, left, input, needs)])];
  return { packed, totalBytes: bytesOf(single) + bytesOf(left), surplus };
};

const bytesOf = (files: readonly { sizeBytes: number }[]): number =>
  files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

const isInPack = (hash: string, packs: readonly StoredPack[]): boolean =>
  packs.some(({ index }) => index.find(hash) !== null);

/** Who names contents. */
interface Needs {
  inUse: Set<string>;
  others: Set<string>;
  /** By contents of entries, lower is older. */
  age: Map<string, number>;
  pinned: Set<string>;
}

async function needsOf({ baselines, byAge, pinned }: TidyInput): Promise<Needs> {
  const age = new Map(byAge.map((hash, index) => [hash, index + 2]));
  return { ...(await baselineHashes(baselines)), age, pinned: new Set(pinned) };
}

/** Takes packs apart, the oldest first, until `tooMany` bytes are gone together with what nobody names. */
async function takeSome(
  stored: readonly Stored[],
  packs: readonly StoredPack[],
  tooMany: number,
  { input, needs, signal }: { input: TidyInput; needs: Needs; signal: AbortSignal },
): Promise<TakenApart[]> {
  const { inUse, others, age, pinned } = needs;
  const needed = new Set([...age.keys(), ...pinned, ...inUse]);
  const settled = Date.now() - SETTLED_MS;
  const nobodys = ({ hash, mtimeMs }: Stored): boolean =>
    !needed.has(hash) && !others.has(hash) && mtimeMs < settled;
  const taken: TakenApart[] = [];
  let left = tooMany - bytesOf(stored.filter(nobodys));
  for (const pack of packs.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (left <= 0 || signal.aborted) break;
    if (pack.mtimeMs >= settled || shareOf(pack, inUse) > MOSTLY) continue;
    const done = await takeApart(input.dir, pack, needed, signal);
    if (done === null) continue;
    taken.push(done);
    left -= pack.sizeBytes * (1 - shareOf(pack, needed));
  }
  return taken;
}

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

/** What only a project's known state names is not worth it: it is replaced as the project changes. */
async function packNew(
  found: readonly Stored[],
  { packedUntil: since, byAge }: TidyInput,
  signal: AbortSignal,
): Promise<number> {
  const named = new Set(byAge);
  let [count, bytes] = [0, 0];
  for (const { hash, path, isPacked, sizeBytes, mtimeMs } of found) {
    if (signal.aborted || bytes > MAX_RUN_BYTES) break;
    if (isPacked || sizeBytes < MIN_PACKED_BYTES || mtimeMs < since || !named.has(hash)) continue;
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
    syncFile(temporary);
    if (sha256(await unpack(await readFile(temporary), MAX_KEPT_BYTES)) !== hash) return false;
    renameSync(temporary, target);
    await syncFolder(join(path, '..'));
  } finally {
    await rm(temporary, { force: true });
  }
  await rm(path, { force: true });
  return true;
}

/** What goes first: contents nobody names, then those of projects not in use, then those of the oldest entries. */
function choose(
  stored: readonly Stored[],
  packs: readonly StoredPack[],
  { limitBytes }: TidyInput,
  { inUse, others, age, pinned }: Needs,
): string[] {
  const settled = Date.now() - SETTLED_MS;
  const rank = (hash: string): number => age.get(hash) ?? (others.has(hash) ? 1 : 0);
  // What a pack has too is still kept: no entry may be told otherwise.
  const isFree = ({ hash, mtimeMs }: Stored): boolean =>
    !pinned.has(hash) && !inUse.has(hash) && (age.has(hash) ? !isInPack(hash, packs) : mtimeMs < settled);
  const candidates = stored.filter(isFree).sort((a, b) => rank(a.hash) - rank(b.hash));
  const surplus = new Set<string>();
  let left = bytesOf(stored) + bytesOf(packs);
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
