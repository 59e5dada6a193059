import { createGit } from '../git/git';

/** Both are read in the background; a repository that takes longer is known by its path alone. */
const TIME_LIMIT_MS = 10_000;
const MAX_OUTPUT_BYTES = 1_000_000;

export interface RepositoryFacts {
  /** `host/path` of the first remote: no protocol, no credentials, no `.git`; null without one. */
  remote: string | null;
  /** Where the history begins and, for a folder inside the repository, its place in it. */
  rootCommit: string | null;
  /** Absolute folder that the repository's worktrees share. */
  commonDir: string | null;
}

export const NO_REPOSITORY: RepositoryFacts = { remote: null, rootCommit: null, commonDir: null };

/** One form for the addresses that lead to the same repository. Credentials are left out. */
export function plainRemote(address: string): string | null {
  const text = address.trim();
  if (text === '') return null;
  const scp = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)(.+)$/.exec(text);
  const url = scp ? null : URL.canParse(text) ? new URL(text) : null;
  const host = (scp?.[1] ?? url?.host ?? '').toLowerCase();
  const path = scp?.[2] ?? (url ? url.pathname : text);
  const plain = path
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .replace(/^\/+/, host === '' ? '/' : '');
  return host === '' ? plain : `${host}/${plain}`;
}

/**
 * Reads what a repository is known by. Only for folders that the user trusts: git is run in it (with everything switched
 * off that a repository could name to be run).
 */
export async function readRepositoryFacts(root: string, signal: AbortSignal): Promise<RepositoryFacts> {
  const git = createGit(root);
  if (!git.available) return NO_REPOSITORY;
  const line = async (...args: string[]): Promise<string | null> => {
    const { stdout, exitCode } = await git.run(args, {
      ...{ signal, timeLimitMs: TIME_LIMIT_MS, maxOutputBytes: MAX_OUTPUT_BYTES },
    });
    return exitCode === 0 ? stdout.toString('utf8').trim() : null;
  };
  const [prefix, commonDir] = await Promise.all([
    line('rev-parse', '--show-prefix'),
    line('rev-parse', '--path-format=absolute', '--git-common-dir'),
  ]);
  if (prefix === null) return NO_REPOSITORY;
  const roots = (await line('rev-list', '--max-parents=0', 'HEAD'))?.split('\n').sort() ?? [];
  const remotes = (await line('config', '--get-regexp', '^remote\\..*\\.url$'))?.split('\n') ?? [];
  const origin = remotes.find((each) => each.startsWith('remote.origin.url ')) ?? remotes[0] ?? '';
  const [first = ''] = roots;
  return {
    remote: plainRemote(origin.slice(origin.indexOf(' ') + 1)),
    rootCommit: first === '' ? null : prefix === '' ? first : `${first}:${prefix}`,
    commonDir,
  };
}
