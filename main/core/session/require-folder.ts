import { statSync } from 'node:fs';
import { AppError } from '../../../shared/error';

/** Without its folder a turn could do nothing but fail, call after call (case-H10). */
export function requireFolder(root: string): void {
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new AppError('folder_missing', `The project's folder is gone: ${root}`, {
    hint: 'Put it back where it was, or open it where it is now.',
    detail: { path: root },
  });
}
