import { appendFileSync, mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { FolderNode, TreeEntry } from './tree-entry';

/** A line of the record: the state of one path, or how far the log had come. */
const Facts = z.tuple([z.number(), z.number(), z.number(), z.number(), z.int()]);
const Line = z.union([
  z.object({ v: z.literal(1), root: z.string() }),
  z.object({ seq: z.int() }),
  z.object({ p: z.string(), gone: z.literal(1) }),
  z.object({ p: z.string(), k: z.literal('folder'), f: Facts, opened: z.literal(1).optional() }),
  z.object({ p: z.string(), k: z.literal('closed'), f: Facts, folder: z.boolean(), ignored: z.boolean() }),
  z.object({
    p: z.string(),
    k: z.enum(['file', 'link']),
    f: Facts,
    h: z.string().nullable(),
    kept: z.boolean(),
  }),
]);
type Line = z.infer<typeof Line>;

/** A record that has this many lines for each entry is written anew. */
const LINES_PER_ENTRY = 3;
/** How often a record says that it is used, in milliseconds; contents of one that is not used for a day may go. */
const SAID_MS = 3_600_000;

function toLine(path: string, entry: TreeEntry | null): Line {
  if (entry === null) return { p: path, gone: 1 };
  const f: z.infer<typeof Facts> = [entry.sizeBytes, entry.mtimeMs, entry.ctimeMs, entry.inode, entry.mode];
  if (entry.kind === 'folder') return { p: path, k: 'folder', f, ...(entry.isOpened && { opened: 1 }) };
  if (entry.kind === 'closed')
    return { p: path, k: 'closed', f, folder: entry.isFolder, ignored: entry.isIgnored };
  return { p: path, k: entry.kind, f, h: entry.hash, kept: entry.isKept };
}

/** What was recorded cannot tell what happened since, so the first look asks for every name again. */
function toEntry(line: Extract<Line, { f: unknown }>): TreeEntry {
  const [sizeBytes, mtimeMs, ctimeMs, inode, mode] = line.f;
  const facts = { sizeBytes, mtimeMs, ctimeMs, inode, mode };
  if (line.k === 'folder') {
    const isOpened = line.opened === 1 ? { isOpened: true } : {};
    return { kind: 'folder', ...facts, entries: new Map(), isRacy: true, ...isOpened };
  }
  if (line.k === 'closed')
    return { kind: 'closed', ...facts, isFolder: line.folder, isIgnored: line.ignored, at: -1 };
  return { kind: line.k, ...facts, hash: line.h, isKept: line.kept, isRacy: false, at: -1 };
}

/**
 * The known state of a project's tree on the disk: lines that are only added to, so that a process that dies leaves all
 * but its last line readable.
 */
export class TreeRecord {
  private lines = 0;
  private saidAt = 0;

  constructor(
    private readonly file: string,
    private readonly root: string,
  ) {}

  /** Fills the tree. @returns how far the log had come; null when there is no record of this folder */
  load(into: FolderNode, onEntry: (entry: TreeEntry) => void): number | null {
    let text: string;
    try {
      text = readFileSync(this.file, 'utf8');
    } catch {
      return null;
    }
    const entries = new Map<string, TreeEntry>();
    let seq: number | null = null;
    let isOurs = false;
    for (const each of text.split('\n')) {
      const line = parse(each);
      if (line === null) continue;
      this.lines += 1;
      if ('v' in line) isOurs = line.root === this.root;
      else if ('seq' in line) seq = line.seq;
      else if ('gone' in line) entries.delete(line.p);
      else entries.set(line.p, toEntry(line));
    }
    if (!isOurs || seq === null) return null;
    plant(entries, into, onEntry);
    return seq;
  }

  /** The project is in use: what the record names must stay, also when it has not changed for long. */
  inUse(): void {
    const now = Date.now();
    if (now - this.saidAt < SAID_MS) return;
    this.saidAt = now;
    try {
      utimesSync(this.file, now / 1000, now / 1000);
    } catch {
      // There is no record yet: it is written with the first commit.
    }
  }

  /** @throws when the disk is full; the record then is behind, and the next start looks at more */
  write(dirty: ReadonlyMap<string, TreeEntry | null>, seq: number, tree: FolderNode, size: number): void {
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
    if (this.lines === 0 || this.lines > size * LINES_PER_ENTRY + 1000) {
      this.writeAll(tree, seq);
      return;
    }
    const lines = [...dirty].map(([path, entry]) => toLine(path, entry));
    appendFileSync(this.file, `\n${text([...lines, { seq }])}\n`, { mode: 0o600 });
    this.lines += lines.length + 1;
  }

  private writeAll(tree: FolderNode, seq: number): void {
    const lines: Line[] = [{ v: 1, root: this.root }];
    const visit = (node: FolderNode, path: string): void => {
      for (const [name, entry] of node.entries) {
        const own = path === '' ? name : `${path}/${name}`;
        lines.push(toLine(own, entry));
        if (entry.kind === 'folder') visit(entry, own);
      }
    };
    visit(tree, '');
    writeFileSync(`${this.file}.new`, `${text([...lines, { seq }])}\n`, { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
    this.lines = lines.length;
  }
}

const text = (lines: readonly Line[]): string => lines.map((line) => JSON.stringify(line)).join('\n');

function parse(line: string): Line | null {
  if (line === '') return null;
  try {
    return Line.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

/** Parents come before what is in them: their paths are shorter. */
function plant(
  entries: ReadonlyMap<string, TreeEntry>,
  root: FolderNode,
  onEntry: (entry: TreeEntry) => void,
): void {
  const folders = new Map<string, FolderNode>([['', root]]);
  for (const path of [...entries.keys()].sort((a, b) => a.length - b.length)) {
    const entry = entries.get(path);
    if (entry === undefined || path === '') continue;
    const at = path.lastIndexOf('/');
    const parent = folders.get(at === -1 ? '' : path.slice(0, at));
    if (parent === undefined) continue;
    parent.entries.set(path.slice(at + 1), entry);
    if (entry.kind === 'folder') folders.set(path, entry);
    else onEntry(entry);
  }
}
