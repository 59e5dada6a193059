import { spawn } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Logger } from '../log/logger';
import { fuzzyText, type FuzzyText } from './fuzzy-score';
import type { GitIgnore } from './git-ignore';
import type { FileChange } from './watch-filter';
import type { ChangeBatch } from './watcher';

const RESCAN_DELAY_MS = 200;
const SCAN_LIMIT_MS = 60_000;
/** More changes than this at once are cheaper to list anew than to apply. */
const MAX_APPLIED = 50;

export interface FileManifest {
  /** All files that git does not ignore, prepared for fuzzy matching. The first call lists the folder. */
  entries(): Promise<readonly FuzzyText[]>;
  /** What the watcher saw. Takes effect at once for single files, after a fresh listing for more. */
  apply(batch: ChangeBatch): void;
  close(): void;
}

/** Lists with ripgrep: hidden files too, `.git` not, ignore files obeyed also without a repository. */
const ARGUMENTS = [
  '--no-config',
  '--files',
  '--hidden',
  '--null',
  '--no-require-git',
  '--no-messages',
  '--glob=!.git',
];

/** The binary can't be run from inside an archive; packages keep it beside the archive. */
async function ripgrepPath(): Promise<string> {
  const { rgPath } = await import('@vscode/ripgrep');
  return rgPath.replace(`app.asar${sep}`, `app.asar.unpacked${sep}`);
}

function toPaths(output: Buffer): string[] {
  const text = sep === '\\' ? output.toString().replaceAll('\\', '/') : output.toString();
  return text.split('\0').filter(Boolean);
}

async function listFiles(root: string, signal: AbortSignal): Promise<string[]> {
  const child = spawn(await ripgrepPath(), ARGUMENTS, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
    signal,
  });
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      // 1: no files; 2: some folders could not be read, the rest is listed.
      if (code !== null && code <= 2) resolve(toPaths(Buffer.concat(chunks)));
      else reject(new Error(`Listing the files ended with code ${code ?? 'none'}.`));
    });
  });
}

class Manifest implements FileManifest {
  readonly #root: string;
  readonly #ignore: GitIgnore;
  readonly #logger: Logger;
  readonly #stop = new AbortController();
  #files: Map<string, FuzzyText> | null = null;
  #list: readonly FuzzyText[] | null = null;
  #scan: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #updates: Promise<void> = Promise.resolve();

  constructor(root: string, gitIgnore: GitIgnore, logger: Logger) {
    this.#root = root;
    this.#ignore = gitIgnore;
    this.#logger = logger;
  }

  async entries(): Promise<readonly FuzzyText[]> {
    if (this.#files === null) await this.#rescan();
    await this.#updates;
    this.#list ??= [...(this.#files ?? new Map<string, FuzzyText>()).values()];
    return this.#list;
  }

  #rescan(): Promise<void> {
    this.#scan ??= this.#readAll().finally(() => {
      this.#scan = null;
    });
    return this.#scan;
  }

  async #readAll(): Promise<void> {
    try {
      const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(SCAN_LIMIT_MS)]);
      const paths = await listFiles(this.#root, signal);
      this.#files = new Map(paths.map((path) => [path, fuzzyText(path)]));
      this.#list = null;
    } catch (error) {
      if (!this.#stop.signal.aborted)
        this.#logger.warn('The files could not be listed.', { error, root: this.#root });
    }
  }

  apply(batch: ChangeBatch): void {
    if (this.#files === null && this.#scan === null) return;
    const changes = batch.paths.filter(
      ({ path, change }) => change !== 'changed' || path.endsWith('node_modules'),
    );
    const rulesChanged = batch.paths.some(({ path }) => /(^|\/)\.(git|rg)?ignore$/.test(path));
    if (rulesChanged) this.#ignore.invalidate();
    if (batch.overflow || rulesChanged || changes.length > MAX_APPLIED || this.#scan !== null)
      this.#rescanSoon();
    else if (changes.length > 0) this.#updates = this.#updates.then(() => this.#applyEach(changes));
  }

  #rescanSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      // A listing under way may have passed the change already.
      void (this.#scan ?? Promise.resolve()).then(() => this.#rescan());
    }, RESCAN_DELAY_MS);
    this.#timer.unref();
  }

  async #applyEach(changes: readonly FileChange[]): Promise<void> {
    for (const { path, change } of changes) {
      if (/(^|\/)\.git\//.test(path)) continue;
      if (change === 'removed') this.#remove(path);
      else await this.#add(path);
    }
    this.#list = null;
  }

  #remove(path: string): void {
    if (this.#files === null || this.#files.delete(path)) return;
    for (const known of this.#files.keys()) if (known.startsWith(`${path}/`)) this.#files.delete(known);
  }

  async #add(path: string): Promise<void> {
    const facts = await lstat(join(this.#root, path)).catch(() => null);
    if (facts === null) this.#remove(path);
    else if (facts.isDirectory()) this.#rescanSoon();
    else if (facts.isFile() && !(await this.#ignore.isIgnored(path, false)))
      this.#files?.set(path, fuzzyText(path));
  }

  close(): void {
    this.#stop.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}

/** The project's files for quick open, listed once and kept fresh by the watcher. */
export function createFileManifest(options: {
  root: string;
  ignore: GitIgnore;
  logger: Logger;
}): FileManifest {
  return new Manifest(options.root, options.ignore, options.logger);
}
