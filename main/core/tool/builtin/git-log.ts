import { z } from 'zod';
import { AppError } from '../../../../shared/error';
import { createGit } from '../../git/git';
import { gitFailure } from '../../git/git-failure';
import { defineTool } from '../define';
import { ALL_MODES, shownPath } from './lib/access';

const MAX_COMMITS = 80;
const DEFAULT_COMMITS = 20;
const MAX_SUBJECT_CHARS = 300;
/** Fields end with NUL, commits too (-z): nothing in a message can be taken for a separator (case-T08). */
const FORMAT = '--format=%H%x00%aI%x00%an%x00%s';
const FIELDS = 4;

interface Commit {
  hash: string;
  date: string;
  author: string;
  subject: string;
}

function parseLog(stdout: Buffer): Commit[] {
  const fields = stdout.toString('utf8').split('\0');
  const commits: Commit[] = [];
  for (let at = 0; at + FIELDS <= fields.length; at += FIELDS) {
    const [hash = '', date = '', author = '', subject = ''] = fields.slice(at, at + FIELDS);
    if (hash !== '') commits.push({ hash: hash.slice(0, 12), date, author, subject: oneLine(subject) });
  }
  return commits;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, MAX_SUBJECT_CHARS);

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
    const target = path === undefined ? [] : [(await files.resolve(path)).relative || '.'];
    const args = [
      '--literal-pathspecs',
      'log',
      '-z',
      FORMAT,
      '--no-show-signature',
      '--no-ext-diff',
      '--no-textconv',
      `--max-count=${max_count ?? DEFAULT_COMMITS}`,
      ...(grep === undefined ? [] : ['--regexp-ignore-case', `--grep=${grep}`]),
      ...(since === undefined ? [] : [`--since=${since}`]),
      '--',
      ...target,
    ];
    const result = await createGit(projectRoot).run(args, { signal });
    if (result.exitCode !== 0) {
      if (/does not have any commits yet|bad default revision/i.test(result.stderr))
        return { text: '(no commits yet)' };
      throw result.stderr === '' ? new AppError('io_failed', 'git log failed.') : gitFailure(result);
    }
    const commits = parseLog(result.stdout);
    return {
      text:
        commits.length === 0
          ? '(no commits match)'
          : commits.map((commit) => JSON.stringify(commit)).join('\n'),
    };
  },
});
