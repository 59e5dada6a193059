import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { TEMP_FILE_PREFIX } from '../../workspace/atomic-write';
import { createGitIgnore } from '../../workspace/git-ignore';
import { MAX_KEPT_BYTES } from '../blobs/blob-store';
import type { ContentKeeper } from './content-keeper';
import { closedAt, isSmall, markIgnored, MAX_GROWN, pathsIn, shutFolders } from './opened-folders';
import { readEntry } from './read-entry';
import { StatList, type SharedList } from './stat-list';
import { NO_CHANGE, type Sweep } from './sweep';
import { withMoves } from './find-moves';
import { coverageOf, listLeaves } from './tree-lists';
import {
  factsOf,
  folderState,
  isSame,
  kindOf,
  loseContents,
  stateOf,
  type ClosedEntry,
  type Difference,
  type FolderNode,
  type LeafEntry,
  type TreeEntry,
} from './tree-entry';

/** An ignored file in a folder that is not is kept up to this size: settings, keys, local notes. */
const MAX_IGNORED_BYTES = 256 * 1024;
/** Kernel times step by up to 10 ms: what changed this shortly before it was looked at may have changed again since. */
const RACY_MS = 20;
/** Says which files are ignored. */
const RULES = '.gitignore';
/** How many folders are looked at in one go where this runs beside other work. */
const FOLDERS_AT_ONCE = 20;

/** Below this many files a second thread is no faster. */
const MIN_HELPED = 1_000;

/** Lets a second thread work on a list; `all` is the list also when it is the one of before. */
export type Help = (list: SharedList | 'again', all: SharedList) => void;

export interface TreeCaps {
  files: number;
  bytes: number;
}

/** What one look at the whole tree found. */
export interface Swept {
  differences: Difference[];
  /** Paths outside the coverage that are not as they were; folders with a slash at the end. */
  touched: string[];
}

const breathe = (): Promise<void> => new Promise(setImmediate);

/** A project's files as they were seen last, with their contents kept; compares itself with the disk. */
export class ProjectTree {
  readonly root: FolderNode = {
    kind: 'folder',
    ...{ sizeBytes: 0, mtimeMs: 0, ctimeMs: 0, inode: 0, mode: 0 },
    entries: new Map(),
    isRacy: true,
  };
  /** Entries that are other ones since they were last written down; null for those that are gone. */
  readonly dirty = new Map<string, TreeEntry | null>();
  private files = 0;
  private bytes = 0;
  private folders = 0;
  private list: StatList | null = null;
  /** Entries that came after the list was made. */
  private unlisted = 0;
  /** Entries that came into folders that are opened. */
  private grown = 0;
  /** Paths of these folders. */
  private readonly opened = new Set<string>();
  private readonly ignore;

  constructor(
    private readonly folder: string,
    private readonly keeper: ContentKeeper,
    private readonly caps: TreeCaps,
    private readonly help: Help | null = null,
  ) {
    this.ignore = createGitIgnore(folder);
  }

  /** Number of covered files. */
  get size(): number {
    return this.files;
  }

  /** Counts an entry that was read from the disk's record. */
  counted(entry: TreeEntry, sign: 1 | -1 = 1): void {
    if (entry.kind === 'closed') return;
    if (entry.kind === 'folder') {
      for (const each of entry.entries.values()) this.counted(each, sign);
      return;
    }
    this.files += sign;
    if (entry.hash !== null) this.bytes += sign * entry.sizeBytes;
  }

  /** Compares all of the tree with the disk; from then on the disk as it was found counts as known. */
  async sweep(): Promise<Swept> {
    const sweep: Sweep = { found: [], touched: [], rules: false, list: this.startHelp() };
    const facts = lstatSync(this.folder, { throwIfNoEntry: false });
    // The project's own folder may be gone for a while: that is no deletion of all its files.
    if (facts?.isDirectory() !== true) return { differences: [], touched: [] };
    try {
      await this.visitFolder(this.root, '', facts, sweep);
      sweep.list?.end();
      if (sweep.rules) {
        this.ignore.invalidate();
        await this.reconsider(this.root, '');
      }
    } finally {
      loseContents(this.keeper.end(), this.dirty.values(), sweep.found);
    }
    return { differences: markIgnored(withMoves(sweep.found), this.opened), touched: sweep.touched };
  }

  /** @returns the list that a second thread has begun to work on; null where it would not help */
  private startHelp(): StatList | null {
    if (this.help === null || this.files < MIN_HELPED) return null;
    const isNew = this.list === null || this.unlisted > this.files / 10;
    if (isNew) {
      this.list = new StatList(listLeaves(this.root, this.folder));
      this.unlisted = 0;
    }
    if (this.list === null || !this.list.begin()) return null;
    this.help(isNew ? this.list.shared : 'again', this.list.shared);
    return this.list;
  }

  coverage(): ReturnType<typeof coverageOf> {
    return coverageOf(this.root);
  }

  /** Looks into what is ignored and small among these paths; what is in it was there before. */
  async open(paths: readonly string[]): Promise<void> {
    const silent: Sweep = { found: [], touched: [], rules: false, list: null };
    this.grown = 0;
    for (const path of paths) {
      const closed = closedAt(this.root, path);
      const absolute = closed && `${this.folder}/${closed.path}`;
      if (closed === null || absolute === null || !isSmall(absolute, closed.entry)) continue;
      const facts = lstatSync(absolute, NO_THROW);
      if (facts === undefined) continue;
      closed.parent.entries.delete(closed.name);
      if (closed.entry.isFolder) this.opened.add(closed.path);
      if (closed.entry.isFolder)
        await this.addFolder(closed.parent, closed.name, closed.path, facts, silent, true);
      else this.addLeaf(closed.parent, closed.name, closed.path, facts, silent);
    }
    loseContents(this.keeper.end(), this.dirty.values(), []);
    this.grown = 0;
  }

  /** Folders that were opened are looked at from outside again. */
  shut(): void {
    this.opened.clear();
    shutFolders(this.root, (path, node, closed) => {
      this.counted(node, -1);
      for (const each of pathsIn(node, path)) this.dirty.set(each, null);
      this.dirty.set(path, closed);
    });
  }

  private async visitFolder(node: FolderNode, path: string, facts: Stats, sweep: Sweep): Promise<void> {
    if ((this.folders += 1) % FOLDERS_AT_ONCE === 0) await breathe();
    const absolute = path === '' ? this.folder : `${this.folder}/${path}`;
    const added = node.isRacy || !isSame(node, facts) ? this.compareNames(node, path, facts, sweep) : [];
    for (const [name, entry] of node.entries) {
      // Nearly every entry is as it was, so nothing is done for it but asking the kernel.
      if (
        entry.kind !== 'folder' &&
        entry.at >= 0 &&
        !isRacy(entry) &&
        sweep.list?.isSame(entry.at, entry) === true
      )
        continue;
      const facts = lstatSync(`${absolute}/${name}`, NO_THROW);
      if (entry.kind !== 'folder' && facts !== undefined && isSame(entry, facts) && !isRacy(entry)) continue;
      const own = path === '' ? name : `${path}/${name}`;
      if (entry.kind !== 'folder') {
        if (this.visitEntry(node, name, own, entry, facts, sweep) === 'another') added.push(name);
      } else if (facts?.isDirectory() === true) await this.visitFolder(entry, own, facts, sweep);
      else {
        this.remove(node, name, own, sweep);
        if (facts !== undefined) added.push(name);
      }
    }
    if (added.length > 0) await this.addAll(node, path, added, sweep);
  }

  /** Takes out what is gone. @returns names that are new */
  private compareNames(node: FolderNode, path: string, facts: Stats, sweep: Sweep): string[] {
    let names: string[];
    try {
      names = readdirSync(join(this.folder, path));
    } catch {
      return [];
    }
    Object.assign(node, factsOf(facts));
    node.isRacy = facts.ctimeMs > Date.now() - RACY_MS;
    this.dirty.set(path, node);
    const there = new Set(names);
    for (const name of node.entries.keys())
      if (!there.has(name)) this.remove(node, name, path === '' ? name : `${path}/${name}`, sweep);
    return names.filter(
      (name) => !node.entries.has(name) && name !== '.git' && !name.startsWith(TEMP_FILE_PREFIX),
    );
  }

  private visitEntry(
    node: FolderNode,
    name: string,
    path: string,
    entry: LeafEntry | ClosedEntry,
    facts: Stats | undefined,
    sweep: Sweep,
  ): 'another' | 'seen' {
    if (facts === undefined) this.remove(node, name, path, sweep);
    else if (entry.kind !== 'closed' && (kindOf(facts) === null || facts.isDirectory())) {
      this.remove(node, name, path, sweep);
      return 'another';
    } else if (entry.kind === 'closed') this.visitClosed(node, name, path, entry, facts, sweep);
    else if (entry.isRacy || !isSame(entry, facts)) this.visitChanged(node, name, path, entry, facts, sweep);
    return 'seen';
  }

  private visitClosed(
    node: FolderNode,
    name: string,
    path: string,
    entry: ClosedEntry,
    facts: Stats,
    sweep: Sweep,
  ): void {
    if (isSame(entry, facts) && facts.isDirectory() === entry.isFolder) return;
    sweep.touched.push(facts.isDirectory() ? `${path}/` : path);
    this.put(node, name, path, { ...entry, ...factsOf(facts), isFolder: facts.isDirectory() });
  }

  private visitChanged(
    node: FolderNode,
    name: string,
    path: string,
    entry: LeafEntry,
    facts: Stats,
    sweep: Sweep,
  ): void {
    this.counted(entry, -1);
    const now = this.look(path, facts.isSymbolicLink() ? 'link' : 'file', facts);
    this.counted(now);
    // The path is the same, so is its place in the list.
    this.put(node, name, path, { ...now, at: entry.at });
    const [before, after] = [stateOf(entry), stateOf(now)];
    if (before.hash === after.hash && before.kind === after.kind && before.mode === after.mode) return;
    if (now.hash === null) sweep.touched.push(path);
    this.note(sweep, path, before, after, facts.ino, name);
  }

  private async addAll(node: FolderNode, path: string, names: string[], sweep: Sweep): Promise<void> {
    // All that is in a folder that is opened is ignored.
    const ignored = node.isOpened === true ? () => false : await this.ignore.forFolder(path);
    for (const name of names) {
      if (node.isOpened === true) this.grown += 1;
      const isFull = this.files >= this.caps.files || this.grown > MAX_GROWN;
      const own = path === '' ? name : `${path}/${name}`;
      const facts = lstatSync(join(this.folder, own), { throwIfNoEntry: false });
      if (facts === undefined || kindOf(facts) === null) continue;
      const isIgnored = ignored(name, facts.isDirectory());
      if (facts.isDirectory() && !isIgnored && !isFull) {
        await this.addFolder(node, name, own, facts, sweep, node.isOpened);
        continue;
      }
      const isClosed = facts.isDirectory() ? true : isFull || (isIgnored && facts.size > MAX_IGNORED_BYTES);
      if (isClosed) this.addClosed(node, name, own, facts, isIgnored, sweep);
      else this.addLeaf(node, name, own, facts, sweep);
    }
  }

  private async addFolder(
    node: FolderNode,
    name: string,
    path: string,
    facts: Stats,
    sweep: Sweep,
    isOpened = false,
  ): Promise<void> {
    const made: FolderNode = { kind: 'folder', ...factsOf(facts), entries: new Map(), isRacy: true };
    if (isOpened) made.isOpened = true;
    this.put(node, name, path, made);
    await this.visitFolder(made, path, facts, sweep);
    if (made.entries.size === 0) sweep.found.push({ ...NO_CHANGE, path, after: folderState(made), inode: 0 });
  }

  private addClosed(
    node: FolderNode,
    name: string,
    path: string,
    facts: Stats,
    isIgnored: boolean,
    sweep: Sweep,
  ): void {
    const isFolder = facts.isDirectory();
    this.put(node, name, path, { kind: 'closed', ...factsOf(facts), isFolder, isIgnored, at: -1 });
    sweep.touched.push(isFolder ? `${path}/` : path);
  }

  private addLeaf(node: FolderNode, name: string, path: string, facts: Stats, sweep: Sweep): void {
    const made = this.look(path, facts.isSymbolicLink() ? 'link' : 'file', facts);
    this.counted(made);
    this.put(node, name, path, made);
    if (made.hash === null) sweep.touched.push(path);
    this.note(sweep, path, null, stateOf(made), facts.ino, name);
  }

  /** Reads an entry and keeps its content as far as the limits allow. */
  private look(path: string, kind: 'file' | 'link', facts: Stats): LeafEntry {
    const isRacy = facts.ctimeMs > Date.now() - RACY_MS;
    const entry: LeafEntry = { kind, ...factsOf(facts), hash: null, isKept: false, isRacy, at: -1 };
    const fits = facts.size <= MAX_KEPT_BYTES && this.bytes + facts.size <= this.caps.bytes;
    const content = fits ? readEntry(join(this.folder, path), kind) : null;
    if (content === null) return entry;
    const isKept = this.keeper.keep(content.bytes, content.hash);
    return { ...entry, hash: content.hash, sizeBytes: entry.sizeBytes, isKept };
  }

  private put(node: FolderNode, name: string, path: string, entry: TreeEntry): void {
    if (entry.kind !== 'folder' && entry.at < 0) this.unlisted += 1;
    node.entries.set(name, entry);
    this.dirty.set(path, entry);
  }

  private remove(node: FolderNode, name: string, path: string, sweep: Sweep): void {
    const entry = node.entries.get(name);
    if (entry === undefined) return;
    this.counted(entry, -1);
    this.noteGone(entry, path, sweep);
    node.entries.delete(name);
    this.dirty.set(path, null);
  }

  private noteGone(entry: TreeEntry, path: string, sweep: Sweep): void {
    if (entry.kind === 'closed') {
      sweep.touched.push(entry.isFolder ? `${path}/` : path);
    } else if (entry.kind === 'folder') {
      if (entry.entries.size === 0)
        sweep.found.push({ ...NO_CHANGE, path, before: folderState(entry), inode: 0 });
      for (const [name, each] of entry.entries) {
        this.noteGone(each, `${path}/${name}`, sweep);
        this.dirty.set(`${path}/${name}`, null);
      }
    } else {
      if (entry.hash === null) sweep.touched.push(path);
      this.note(sweep, path, stateOf(entry), null, entry.inode, path.slice(path.lastIndexOf('/') + 1));
    }
  }

  private note(
    sweep: Sweep,
    path: string,
    before: Difference['before'],
    after: Difference['after'],
    inode: number,
    name: string,
  ): void {
    sweep.found.push({ path, movedFrom: null, before, after, inode });
    if (name === RULES) sweep.rules = true;
  }

  /** Folders that are no longer ignored are looked into from now on; what is in them was there before. */
  private async reconsider(node: FolderNode, path: string): Promise<void> {
    const silent: Sweep = { found: [], touched: [], rules: false, list: null };
    const ignored = await this.ignore.forFolder(path);
    for (const [name, entry] of [...node.entries]) {
      const own = path === '' ? name : `${path}/${name}`;
      if (entry.kind === 'folder') await (entry.isOpened === true ? undefined : this.reconsider(entry, own));
      else if (entry.kind === 'closed' && entry.isIgnored && !ignored(name, entry.isFolder)) {
        node.entries.delete(name);
        await this.addAll(node, path, [name], silent);
      }
    }
  }
}

const NO_THROW = { throwIfNoEntry: false } as const;

const isRacy = (entry: LeafEntry | ClosedEntry): boolean => entry.kind !== 'closed' && entry.isRacy;
