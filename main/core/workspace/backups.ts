import { Backup } from '../../../shared/contract/files';
import { AppError } from '../../../shared/error';
import type { BackupStore } from '../store/types';

/** Characters of text that a backup may hold: as much as the editor lets people change. */
const MAX_TEXT_CHARS = 20 * 1024 * 1024;

/** Unsaved text of one project's editors, kept across crashes and restarts (hot exit). */
export interface Backups {
  list(): Backup[];
  /** @throws AppError `file_too_large`, `disk_full` */
  keep(backup: Omit<Backup, 'savedAt'>): void;
  drop(path: string): void;
}

/** A backup that can't be read is left out; the others are worth more than an error. */
export function createBackups(store: BackupStore, projectId: string): Backups {
  return {
    list: () =>
      store.list(projectId).flatMap((row) => {
        const parsed = Backup.safeParse(row);
        return parsed.success ? [parsed.data] : [];
      }),
    keep: (backup) => {
      if (backup.text.length > MAX_TEXT_CHARS) {
        throw new AppError('file_too_large', `${backup.path} is too large to be kept as a backup.`, {
          hint: 'Save the file to keep your changes.',
          detail: { path: backup.path },
        });
      }
      store.keep(projectId, backup);
    },
    drop: (path) => {
      store.drop(projectId, path);
    },
  };
}
