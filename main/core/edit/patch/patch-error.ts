import { AppError } from '../../../../shared/error';

/** A patch that can't be read. `line` counts from 1 in the patch as it was given. */
export const malformed = (line: number, why: string): AppError =>
  new AppError('bad_argument', `The patch can't be read at line ${line}: ${why}.`, {
    audience: 'model',
    hint: 'Nothing was written. Correct that line and give the whole patch again.',
    detail: { reason: 'malformed', line },
  });
