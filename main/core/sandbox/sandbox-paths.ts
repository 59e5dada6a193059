import { existsSync, lstatSync, readdirSync, realpathSync, renameSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { mayBeProtected, protection } from '../workspace/protected-paths';

export interface SandboxPaths {
  /** Real path of the project: the only place that can be written. */
  project: string;
  /** Existing files and folders inside the project that stay read-only (sec-A13). */
  protected: string[];
  /** Folders replaced by empty ones: secrets and shared temporary places. */
  emptied: string[];
  /** Files replaced by /dev/null. */
  blanked: string[];
}

/** Where programs keep what others must not read, under the home folder. */
const SECRET =
  '.ssh .aws .gnupg .azure .kube .docker .config/gh .config/gcloud .config/google-chrome .config/chromium .mozilla .password-store .local/share/keyrings .netrc .git-credentials .config/git/credentials .npmrc .pypirc .cargo/credentials .cargo/credentials.toml .bash_history .zsh_history'.split(
    ' ',
  );
/** Shared writable places, also those with sockets of services. */
const SHARED = ['/tmp', '/var/tmp', '/run', '/dev/shm'];
/** Parts of a git folder that decide what git runs. */
const GIT_PARTS = ['hooks', 'config', 'config.worktree', 'info', 'modules'];
/** A project's own protected files are looked for this deep and among this many entries. */
const MAX_DEPTH = 4;
const MAX_ENTRIES = 20_000;

function existing(paths: string[]): string[] {
  return [...new Set(paths.filter((path) => existsSync(path)).map((path) => realpathSync(path)))];
}

function walk(project: string): string[] {
  const found: string[] = [];
  const queue: { folder: string; depth: number }[] = [{ folder: '', depth: 0 }];
  let seen = 0;
  for (let next = queue.shift(); next !== undefined && seen < MAX_ENTRIES; next = queue.shift()) {
    for (const entry of listed(join(project, next.folder))) {
      seen += 1;
      const isFolder = entry.isDirectory();
      if (!isFolder && !mayBeProtected(entry.name)) continue;
      const relative = next.folder === '' ? entry.name : `${next.folder}/${entry.name}`;
      if (entry.name === '.git') found.push(...gitParts(relative));
      else if (mayBeProtected(entry.name) && protection(relative) !== null) found.push(relative);
      else if (isFolder && entry.name !== 'node_modules' && next.depth < MAX_DEPTH) {
        queue.push({ folder: relative, depth: next.depth + 1 });
      }
    }
  }
  return found;
}

function listed(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function gitParts(git: string): string[] {
  // A `.git` file points to a folder elsewhere: the pointer itself is kept as it is.
  return [...GIT_PARTS.map((part) => join(git, part)), git];
}

function isLink(path: string): boolean {
  return lstatSync(path).isSymbolicLink();
}

function protectedIn(project: string): string[] {
  const all = walk(project).map((relative) => join(project, relative));
  const present = all.filter((path) => existsSync(path) && !isLink(path));
  return present.filter((path) => !path.endsWith('/.git') || statSync(path).isFile());
}

/** What of the file system a confined command of this project sees and may write. */
export function sandboxPaths(projectRoot: string, latheHome: string): SandboxPaths {
  const project = realpathSync(projectRoot);
  const secrets = existing([...SECRET.map((name) => join(homedir(), name)), latheHome]);
  const isFolder = (path: string): boolean => statSync(path).isDirectory();
  const emptied = [...existing(SHARED), ...secrets.filter(isFolder)].filter((path) => path !== project);
  const isHidden = (path: string): boolean => emptied.some((folder) => path.startsWith(`${folder}/`));
  return {
    project,
    protected: protectedIn(project),
    // What is inside an emptied folder is gone with it.
    emptied: emptied.filter((path) => !isHidden(path)),
    blanked: secrets.filter((path) => !isFolder(path) && !isHidden(path)),
  };
}

/** Protected names at the top of a project, and what decides in its git folder; those that exist. */
function protectedNames(project: string): string[] {
  const top = listed(project)
    .map((entry) => entry.name)
    .filter((name) => name === '.git' || protection(name) !== null);
  const inGit = GIT_PARTS.map((part) => join('.git', part)).filter((path) => existsSync(join(project, path)));
  return [...top, ...inGit];
}

function freeName(path: string): string {
  let name = `${path}.blocked`;
  for (let i = 2; existsSync(name); i += 1) name = `${path}.blocked-${i}`;
  return name;
}

/**
 * Watches for protected files that are made anew: what doesn't exist yet can't be mounted read-only without leaving an
 * empty file behind. `disarm` renames what is new to `<name>.blocked`, so that no program acts on it and nothing is lost.
 */
export function watchPlanted(projectRoot: string): { disarm(): string[] } {
  const before = new Set(protectedNames(projectRoot));
  return {
    disarm() {
      const planted = protectedNames(projectRoot).filter((name) => !before.has(name));
      const outermost = planted.filter((name) => !planted.includes('.git') || !name.startsWith('.git/'));
      return outermost.map((name) => {
        renameSync(join(projectRoot, name), freeName(join(projectRoot, name)));
        return name;
      });
    },
  };
}
