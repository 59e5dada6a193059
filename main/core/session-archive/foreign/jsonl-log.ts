import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ARCHIVE_LIMITS } from '../archive-format';
import { jsonlLines, openRegular, readRecord } from '../jsonl-lines';
import { type Fields, isFields } from './loose-fields';

const MAX_FILES = 50_000;

/** Files with this ending below a folder, at most so many folders deep; links are not followed. */
export async function filesBelow(
  folder: string,
  ending: string,
  depth: number,
  signal: AbortSignal,
): Promise<string[]> {
  const facts = await lstat(folder).catch(() => null);
  if (facts?.isDirectory() !== true) return [];
  const found: string[] = [];
  const walk = async (at: string, left: number): Promise<void> => {
    signal.throwIfAborted();
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (found.length >= MAX_FILES) return;
      const path = join(at, entry.name);
      if (entry.isFile() && entry.name.endsWith(ending)) found.push(path);
      else if (entry.isDirectory() && left > 0) await walk(path, left - 1);
    }
  };
  await walk(folder, depth);
  return found;
}

/** All records of a log in order; what is none is counted. */
export async function readRecords(
  path: string,
  signal: AbortSignal,
): Promise<{ records: Fields[]; skipped: number }> {
  const file = await openRegular(path, ARCHIVE_LIMITS.file);
  const records: Fields[] = [];
  let skipped = 0;
  if (!file) return { records, skipped };
  try {
    for await (const line of jsonlLines(file, ARCHIVE_LIMITS)) {
      signal.throwIfAborted();
      const record = readRecord(line, (value) => (isFields(value) ? value : null));
      if (record) records.push(record);
      else skipped += 1;
    }
  } finally {
    await file.close();
  }
  return { records, skipped };
}

/**
 * The records that lead to the last one: logs that keep all branches name each record's parent. A parent that is not in
 * the file (its line could not be read) is taken to be the record before.
 */
export function activeBranch(
  records: readonly Fields[],
  facts: { id: (record: Fields) => unknown; parent: (record: Fields) => unknown },
): Set<Fields> {
  const byId = new Map<unknown, number>();
  records.forEach((record, at) => {
    const id = facts.id(record);
    if (typeof id === 'string') byId.set(id, at);
  });
  const branch = new Set<Fields>();
  for (let at = records.length - 1; at >= 0;) {
    const record = records[at];
    if (!record || branch.has(record)) break;
    branch.add(record);
    const parent = facts.parent(record);
    if (typeof parent !== 'string') break;
    const known = byId.get(parent) ?? at - 1;
    // A parent comes before its children; anything else would go round in circles.
    at = known < at ? known : at - 1;
  }
  return branch;
}
