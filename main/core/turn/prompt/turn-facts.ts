import { createGit } from '../../git/git';
import { gitStateAt, type GitState } from '../../git/git-state';

/** Longer than this nobody waits for a message to go out; the facts then leave out what is missing. */
const GIT_LIMIT_MS = 500;
const SHOWN_FILES = 12;

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

function dateLine(now: Date): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  return `Date: ${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())} (${DAYS[now.getDay()] ?? ''})`;
}

/** `## main...origin/main [ahead 1]` as words. */
function branchWords(line: string): string {
  const text = line.replace(/^## /, '');
  if (text.startsWith('No commits yet on '))
    return `${text.slice('No commits yet on '.length)}, no commits yet`;
  const branch = text.replace(/\.\.\..*$/, '').replace(/ \[.*$/, '');
  const drift = /\[(.+)\]$/.exec(text)?.[1];
  return drift === undefined ? branch : `${branch}, ${drift}`;
}

/** Entries of `git status --porcelain -z`: a rename brings its old name as an entry of its own. */
function changedFiles(entries: readonly string[]): string[] {
  const files: string[] = [];
  for (let at = 0; at < entries.length; at += 1) {
    const entry = entries[at] ?? '';
    if (entry === '') continue;
    files.push(`${entry.slice(0, 2).trim()} ${entry.slice(3)}`);
    if (/^[RC]|^.[RC]/.test(entry)) at += 1;
  }
  return files;
}

/** A lock that has been there for longer than this was left behind, or belongs to something that hangs. */
const OLD_LOCK_MS = 10_000;

/** What the model has to know before it uses git there (case-T03, T09). */
function stateWords({ branch, doing, isDetached, isBare, isShallow, lockedSince }: GitState): string {
  const isOld = lockedSince !== null && Date.now() - lockedSince > OLD_LOCK_MS;
  const words = [
    isDetached && doing === null ? `detached HEAD at ${branch ?? '?'}` : branch,
    doing === null ? null : `in the middle of ${doing}`,
    isBare ? 'bare repository' : null,
    isShallow ? 'shallow clone' : null,
    isOld ? 'index.lock is there: a git process runs or has crashed' : null,
  ];
  return words.filter((word) => word !== null).join(', ');
}

/** The branch alone, from HEAD, where git is missing or takes too long. */
const branchLine = (state: GitState | null): string | null =>
  state === null || state.branch === null ? null : `Git: ${stateWords(state)}`;

async function gitLine(root: string, limitMs: number): Promise<string | null> {
  const git = createGit(root);
  const state = await gitStateAt(root);
  if (!git.available || state === null) return branchLine(state);
  const args = ['status', '--porcelain=v1', '--branch', '-z', '--', '.'];
  const signal = AbortSignal.timeout(limitMs);
  const result = await git.run(args, { signal, maxOutputBytes: 512 * 1024 }).catch(() => null);
  if (result?.exitCode !== 0) return branchLine(state);
  const [head = '', ...entries] = result.stdout.toString('utf8').split('\0');
  const files = changedFiles(entries);
  const shown = files.slice(0, SHOWN_FILES).join(', ');
  const more = files.length > SHOWN_FILES ? `, … ${files.length - SHOWN_FILES} more` : '';
  const changes = files.length === 0 ? 'no changes' : `${files.length} changed: ${shown}${more}`;
  // Status knows how far a branch is ahead; a detached HEAD is told better by what lies in the git folder.
  const known = state.isDetached ? [] : [branchWords(head)];
  const rest = stateWords(state.isDetached ? state : { ...state, branch: null });
  return `Git: ${[...known, ...(rest === '' ? [] : [rest])].join(', ')}; ${changes}`;
}

/**
 * What is so at the moment a message is sent: date, branch, what git says is changed. They go into that message and never
 * into the prompt before it, which has to stay the same from request to request (X8).
 *
 * @param limitMs how long git may take; without its answer the branch is all that is said
 */
export async function gatherTurnFacts(
  root: string,
  now: Date,
  limitMs: number = GIT_LIMIT_MS,
): Promise<string[]> {
  const git = await gitLine(root, limitMs);
  return [dateLine(now), ...(git === null ? [] : [git])];
}
