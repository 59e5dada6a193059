import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';

const MAX_RULES_BYTES = 500_000;
/** As git does by default: letter case counts where the file system tells names apart by it. */
const OPTIONS = { ignorecase: process.platform === 'darwin' || process.platform === 'win32' };

interface Level {
  folder: string;
  rules: Ignore;
}

/** Answers whether git would ignore entries of one folder. */
export type IgnoreTest = (name: string, isFolder: boolean) => boolean;

export interface GitIgnore {
  /** @param folder workspace-relative, `/`-separated, '' for the project folder */
  forFolder(folder: string): Promise<IgnoreTest>;
  isIgnored(path: string, isFolder: boolean): Promise<boolean>;
  /** Forgets what was read; for when a `.gitignore` changed. */
  invalidate(): void;
}

async function readRules(path: string): Promise<string> {
  try {
    const facts = await stat(path);
    return facts.isFile() && facts.size <= MAX_RULES_BYTES ? await readFile(path, 'utf8') : '';
  } catch {
    return '';
  }
}

async function hasGit(folder: string): Promise<boolean> {
  try {
    await stat(join(folder, '.git'));
    return true;
  } catch {
    return false;
  }
}

/** The top folder of the repository that `root` lies in, or `root` itself without one. */
async function findTop(root: string): Promise<string> {
  for (let folder = root; ; folder = dirname(folder)) {
    if (await hasGit(folder)) return folder;
    if (dirname(folder) === folder) return root;
  }
}

/** Folders from `top` down to `folder`, both included. */
function chain(top: string, folder: string): string[] {
  const parts = relative(top, folder).split(sep).filter(Boolean);
  return [top, ...parts.map((_, index) => join(top, ...parts.slice(0, index + 1)))];
}

/** The deepest file with an opinion decides; `!pattern` is an opinion too (case-G06). */
function judge(levels: readonly Level[], absolute: string, isFolder: boolean): boolean {
  for (const { folder, rules } of levels.toReversed()) {
    const path = relative(folder, absolute).split(sep).join('/');
    const { ignored, unignored } = rules.test(isFolder ? `${path}/` : path);
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}

class NestedIgnore implements GitIgnore {
  readonly #root: string;
  readonly #levels = new Map<string, Promise<Level | null>>();
  #top: Promise<string> | null = null;

  constructor(root: string) {
    this.#root = root;
  }

  #level(folder: string, isTop: boolean): Promise<Level | null> {
    const known = this.#levels.get(folder);
    if (known) return known;
    const level = this.#read(folder, isTop);
    this.#levels.set(folder, level);
    return level;
  }

  async #read(folder: string, isTop: boolean): Promise<Level | null> {
    const own = await readRules(join(folder, '.gitignore'));
    const local = isTop ? await readRules(join(folder, '.git', 'info', 'exclude')) : '';
    if (own === '' && local === '') return null;
    return { folder, rules: ignore(OPTIONS).add(local).add(own) };
  }

  async forFolder(folder: string): Promise<IgnoreTest> {
    this.#top ??= findTop(this.#root);
    const top = await this.#top;
    const absolute = join(this.#root, folder);
    const levels: Level[] = [];
    for (const step of chain(top, absolute)) {
      // What lies in an ignored folder can't be taken back by a file inside it.
      if (step !== top && judge(levels, step, true)) return () => true;
      const level = await this.#level(step, step === top);
      if (level) levels.push(level);
    }
    return (name, isFolder) => judge(levels, join(absolute, name), isFolder);
  }

  async isIgnored(path: string, isFolder: boolean): Promise<boolean> {
    const at = path.lastIndexOf('/');
    const test = await this.forFolder(at === -1 ? '' : path.slice(0, at));
    return test(path.slice(at + 1), isFolder);
  }

  invalidate(): void {
    this.#levels.clear();
    this.#top = null;
  }
}

/** Git's ignore rules of a project: every `.gitignore` from the repository's top down, and `.git/info/exclude`. */
export function createGitIgnore(root: string): GitIgnore {
  return new NestedIgnore(root);
}
