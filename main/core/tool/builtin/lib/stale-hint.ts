import { AppError } from '../../../../../shared/error';

/** A miss in a file that changed since it was read is best answered by reading it again (case-E19). */
export function withStaleHint(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  return new AppError(error.code, error.message, {
    audience: 'model',
    hint: 'The file changed since you read it: read it again first. Nothing was written.',
    detail: { ...error.detail, changedSinceRead: true },
    cause: error,
  });
}
