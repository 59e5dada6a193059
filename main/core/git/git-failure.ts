import { AppError } from '../../../shared/error';
import type { GitResult } from './git';

/** Turns the ends of git that people meet into a message they can act on (case-T01, T06, T09). */
export function gitFailure(result: GitResult): AppError {
  const text = result.stderr.trim();
  if (/not a git repository/i.test(text)) {
    return new AppError('not_found', 'The project is not a git repository.', { audience: 'model' });
  }
  if (/dubious ownership/i.test(text)) {
    return new AppError('not_approved', 'The repository is owned by another user, so git refuses it.', {
      hint: 'If you trust it, add the folder to git’s safe.directory yourself.',
    });
  }
  if (/must be run in a work tree/i.test(text)) {
    return new AppError('unsupported', 'This is a bare repository: it has no files of its own.', {
      audience: 'model',
      hint: 'Its history can be read; for files, clone it or add a worktree.',
    });
  }
  if (/index\.lock/.test(text)) {
    return new AppError('busy', 'Another git process works in the repository, or one has crashed.', {
      hint: 'When none runs any more, remove .git/index.lock yourself.',
    });
  }
  const first = text.split('\n')[0] ?? '';
  const ended =
    result.exitCode < 0 ? 'git was killed before it was done.' : `git ended with code ${result.exitCode}.`;
  return new AppError('io_failed', first === '' ? ended : first, {
    audience: 'model',
    hint: 'Run the same git command by run_command to see more.',
    detail: { exitCode: result.exitCode, stderr: text.slice(0, 2000) },
  });
}
