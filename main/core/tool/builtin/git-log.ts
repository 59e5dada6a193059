import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../../shared/error';
import { createGit } from '../../git/git';
import { gitFailure } from '../../git/git-failure';
import { gitStateAt } from '../../git/git-state';
import { defineTool } from '../define';
import { ALL_MODES, shownPath } from './lib/access';

const MAX_COMMITS = 80;
const DEFAULT_COMMITS = 20;
const MAX_SUBJECT_CHARS = 300;
const MAX_AUTHOR_CHARS = 200;
/**
 * Fields end with NUL, commits too (-z): nothing in a message can be taken for a separator. git cuts the fields itself: a
 * subject may be megabytes (case-T08).
 */
const FORMAT = `--format=%H%x00%aI%x00%<(${MAX_AUTHOR_CHARS},trunc)%an%x00%<(${MAX_SUBJECT_CHARS},trunc)%s`;
const FIELDS = 4;

interface Commit {
  hash: string;
  date: string;
  author: string;
  subject: string;
}

/** How long commits are looked for, in milliseconds; what was found by then is the answer. */
const SEARCH_LIMIT_MS = 5000;

/** @throws AppError `io_failed` when it is no log: whatever stands for git must not look like an empty history (fault-F38) */
function parseLog(whole: Buffer, isPartial: boolean): Commit[] {
  const stdout = isPartial ? whole.subarray(0, whole.lastIndexOf(0) + 1) : whole;
  const fields = stdout.toString('utf8').split('\0');
  if (!isPartial && (fields.at(-1) !== '' || fields.length % FIELDS !== 1)) throw oddLog();
  const commits: Commit[] = [];
  for (let at = 0; at + FIELDS <= fields.length; at += FIELDS) {
    const [hash = '', date = '', author = '', subject = ''] = fields.slice(at, at + FIELDS);
    if (!/^[0-9a-f]{40,64}$/.test(hash)) throw oddLog();
    commits.push({ hash: hash.slice(0, 12), date, author: oneLine(author), subject: oneLine(subject) });
  }
  return commits;
}

const oddLog = (): AppError =>
  new AppError('io_failed', 'git answered in a form that can’t be read, so nothing is known of commits.', {
    hint: 'Run `git log` by run_command to see what it says.',
  });

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, MAX_SUBJECT_CHARS);

const TOO_LONG = `(stopped after ${SEARCH_LIMIT_MS / 1000} s: older commits were not looked at; give since or a path)`;
const NOTHING_YET = `git found no commit that fits within ${SEARCH_LIMIT_MS / 1000} s; there may be some.`;
const NARROWER = 'Give since or a path, or run `git log` by run_command with a longer time limit.';
const SHALLOW = '(a shallow clone: older commits are not here)';

/**
 * The repository that a path lies in, as a folder relative to the project: a submodule or a clone inside it has a history of
 * its own (case-T04). '' is the project's own.
 */
async function repositoryOf(projectRoot: string, relative: string): Promise<string> {
  for (let folder = relative; folder !== '' && folder !== '.'; folder = dirname(folder)) {
    const hasGit = await lstat(join(projectRoot, folder, '.git')).catch(() => null);
    if (hasGit !== null) return folder;
  }
  return '';
}

export const gitLog = defineTool({
  name: 'git_log',
  effect: 'read',
  describe: `Commits as JSON lines {hash, date, author, subject}, newest first, at most ${MAX_COMMITS}. grep searches messages; since takes a date or "2 weeks ago".`,
  input: z.object({
    path: z.string().optional(),
    grep: z.string().max(500).optional(),
    since: z.string().max(100).optional(),
    max_count: z.int().min(1).max(MAX_COMMITS).optional(),
  }),
  modes: ALL_MODES,
  subject: ({ path }) => ({ paths: path === undefined ? [] : [path] }),
  label: ({ path }) => `Git log \`${shownPath(path ?? '')}\``,
  run: async ({ path, grep, since, max_count }, { projectRoot, files, signal }) => {
    const target = path === undefined ? '' : (await files.resolve(path)).relative;
    const repository = await repositoryOf(projectRoot, target);
    const within = target.slice(repository === '' ? 0 : repository.length + 1);
    const limit = max_count ?? DEFAULT_COMMITS;
    const args = [
      ...(repository === '' ? [] : ['-C', repository]),
      '--literal-pathspecs',
      'log',
      '-z',
      FORMAT,
      '--no-show-signature',
      '--no-ext-diff',
      '--no-textconv',
      `--max-count=${limit}`,
      ...(grep === undefined ? [] : ['--regexp-ignore-case', `--grep=${grep}`]),
      ...(since === undefined ? [] : [`--since=${since}`]),
      '--',
      ...(path === undefined ? [] : [within || '.']),
    ];
    const result = await createGit(projectRoot).run(args, {
      signal,
      timeLimitMs: SEARCH_LIMIT_MS,
      keepPartial: true,
    });
    if (result.exitCode !== 0) {
      if (/does not have any commits yet|bad default revision/i.test(result.stderr))
        return { text: '(no commits yet)' };
      throw gitFailure(result);
    }
    const isPartial = result.isPartial === true;
    const commits = parseLog(result.stdout, isPartial).map((commit) => JSON.stringify(commit));
    if (isPartial && commits.length === 0) throw new AppError('timed_out', NOTHING_YET, { hint: NARROWER });
    const lines = commits.length === 0 ? ['(no commits match)'] : commits;
    if (isPartial) return { text: [...commits, TOO_LONG].join('\n') };
    const isCut =
      commits.length < limit && (await gitStateAt(join(projectRoot, repository)))?.isShallow === true;
    return { text: [...lines, ...(isCut ? [SHALLOW] : [])].join('\n') };
  },
});
