import { randomUUID } from 'node:crypto';
import { titleFrom } from '../session/session-title';
import { connectArchive } from '../store/archive-store';
import type { Job } from '../worker/run-job';
import { exportSession, type ExportReport, type ExportRequest } from './archive-export';
import { importFolder, type ImportReport, type ImportRequest } from './archive-import';

/** Requests as plain data, for a thread of its own. */
export type ArchiveTask =
  ({ kind: 'export' } & ExportRequest) | ({ kind: 'import' } & Omit<ImportRequest, 'newId' | 'titleOf'>);

export type ArchiveOutcome =
  { kind: 'export'; report: ExportReport } | { kind: 'import'; report: ImportReport };

/** Writes or reads whole sessions over a connection of its own. */
export const archiveJob: Job<{ path: string; task: ArchiveTask }, ArchiveOutcome> = async (
  { path, task },
  signal,
) => {
  const stores = connectArchive(path);
  try {
    if (task.kind === 'export') return { kind: 'export', report: await exportSession(stores, task, signal) };
    const request = { ...task, newId: () => randomUUID(), titleOf: titleFrom };
    return { kind: 'import', report: await importFolder(stores, request, signal) };
  } finally {
    stores.close();
  }
};
