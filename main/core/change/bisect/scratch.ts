import { randomUUID } from 'node:crypto';
import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../../shared/error';
import { startOf } from '../file-set-record';
import { same, type Held } from '../undo/held';
import { copyOne, copyTree, listTree, type TreeList } from './copy-tree';
import { removeTree } from './left-overs';

/** What differs from the present: contents by path, null for what is not there. */
export type Overlay = ReadonlyMap<string, Held | null>;

const TO_BE_WRITTEN = 'to be written';
const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Changes whenever somebody writes the file. */
function stampOf(absolute: string): string {
  const facts = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
  return facts === undefined ? '' : `${facts.ino} ${facts.size} ${facts.mtimeNs} ${facts.mode}`;
}

/**
 * A copy of the project outside of it, that can be brought into any state and is as if untouched before every run. The
 * project itself is only read.
 */
export class Scratch {
  private readonly known = new Map<string, string>();
  private readonly sources = new Map<string, string>();
  private readonly own: ReadonlySet<string>;
  private overlay: Overlay = new Map();

  private constructor(
    private readonly dir: string,
    private readonly project: string,
    private readonly list: TreeList,
  ) {
    this.own = new Set([...list.files, ...list.links, ...list.dependencies]);
  }

  /** Where the copy lies. */
  get root(): string {
    return path.join(this.dir, 'project');
  }

  /** For outputs of runs. */
  get logs(): string {
    return path.join(this.dir, 'logs');
  }

  /** True when folders of dependencies lead back into the project. */
  get hasLinkedDependencies(): boolean {
    return this.list.dependencies.length > 0;
  }

  /** @param parent folder of all copies, in Lathe's own data folder */
  static async make(
    parent: string,
    project: string,
    signal: AbortSignal,
    onCopied: (files: number) => void,
  ): Promise<Scratch> {
    const list = await listTree(project, signal);
    await mkdir(parent, { recursive: true, mode: 0o700 });
    const name = `${process.pid}-${startOf(process.pid)}-${randomUUID()}`;
    const scratch = new Scratch(path.join(realpathSync(parent), name), project, list);
    try {
      await mkdir(scratch.logs, { recursive: true, mode: 0o700 });
      await mkdir(scratch.root);
      for (const file of list.files) scratch.sources.set(file, stampOf(path.join(project, file)));
      await copyTree(project, scratch.root, list, signal, onCopied);
      for (const each of [...list.files, ...list.links, ...list.dependencies]) scratch.note(each);
      return scratch;
    } catch (error) {
      await scratch.remove();
      throw error;
    }
  }

  /** Brings the copy into a state: as it was right after copying, apart from the overlay. */
  async become(overlay: Overlay): Promise<void> {
    const former = this.overlay;
    this.overlay = overlay;
    for (const name of new Set([...former.keys(), ...overlay.keys()])) {
      const [before, wanted] = [this.wanted(former, name), this.wanted(overlay, name)];
      if (wanted === null || (wanted !== 'copy' && wanted.kind === 'folder')) this.known.delete(name);
      else if (before === 'copy' || wanted === 'copy' ? before !== wanted : !same(before, wanted))
        this.known.set(name, TO_BE_WRITTEN);
    }
    await this.reset();
  }

  private wanted(overlay: Overlay, name: string): Held | 'copy' | null {
    const held = overlay.get(name);
    if (held !== undefined) return held;
    return this.own.has(name) ? 'copy' : null;
  }

  /** Undoes whatever runs left behind, and writes what is to be there and is not. */
  private async reset(): Promise<void> {
    const folders = this.folders();
    await this.sweep('', folders);
    for (const folder of folders) await mkdir(path.join(this.root, folder), { recursive: true });
    for (const [name, stamp] of this.known) {
      if (stampOf(path.join(this.root, name)) === stamp) continue;
      await this.write(name);
      this.note(name);
    }
  }

  private folders(): Set<string> {
    const folders = new Set(this.list.folders);
    for (const [name, held] of this.overlay) {
      if (held?.kind === 'folder') folders.add(name);
      else if (held === null) folders.delete(name);
    }
    for (const name of this.known.keys()) {
      for (let at = path.posix.dirname(name); at !== '.'; at = path.posix.dirname(at)) folders.add(at);
    }
    return folders;
  }

  /** Removes what is not to be there. */
  private async sweep(folder: string, folders: ReadonlySet<string>): Promise<void> {
    await nextTick();
    for (const entry of readdirSync(path.join(this.root, folder), { withFileTypes: true })) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && folders.has(name)) await this.sweep(name, folders);
      else if (entry.isDirectory() || folders.has(name) || !this.known.has(name))
        await rm(path.join(this.root, name), { recursive: true, force: true });
    }
  }

  private async write(name: string): Promise<void> {
    const target = path.join(this.root, name);
    await rm(target, { recursive: true, force: true });
    await mkdir(path.dirname(target), { recursive: true });
    this.requireInside(path.dirname(target));
    const held = this.overlay.get(name);
    if (held?.kind === 'link') await symlink(held.bytes, target);
    else if (held) {
      await writeFile(target, held.bytes);
      await chmod(target, held.mode);
    } else await this.takeAgain(name, target);
  }

  /** A run changed a file of the copy: it is taken from the project once more, if it is still the same there. */
  private async takeAgain(name: string, target: string): Promise<void> {
    const source = path.join(this.project, name);
    if (!this.sources.has(name)) {
      const links = this.list.links.includes(name) ? [name] : [];
      const dependencies = links.length === 0 ? [name] : [];
      await copyTree(
        this.project,
        this.root,
        { files: [], folders: [], links, dependencies },
        NEVER,
        () => undefined,
      );
      return;
    }
    if (stampOf(source) !== this.sources.get(name)) {
      throw new AppError('conflict', `\`${name}\` was changed in the project during the search.`, {
        hint: 'Start the search again.',
      });
    }
    await copyOne(source, target);
  }

  /** A link of the copy may lead anywhere: nothing is written through it. */
  private requireInside(folder: string): void {
    const real = realpathSync(folder);
    if (real === this.root || real.startsWith(`${this.root}${path.sep}`)) return;
    throw new AppError('symlink_escape', 'A folder of the copy leads out of it.', { audience: 'user' });
  }

  private note(name: string): void {
    this.known.set(name, stampOf(path.join(this.root, name)));
  }

  async remove(): Promise<void> {
    await removeTree(this.dir);
  }
}

const NEVER = new AbortController().signal;
