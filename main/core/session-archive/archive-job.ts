import { randomUUID } from 'node:crypto';
import { titleFrom } from '../session/session-title';
import { connectArchive } from '../store/archive-store';
import type { Job } from '../worker/run-job';
import { exportSession, type ExportReport, type ExportRequest } from './archive-export';
import { importFolder, type ImportReport, type ImportRequest } from './archive-import';
import {
  findForeign,
  importForeign,
  type ForeignPlaces,
  type ForeignReport,
  type ForeignRequest,
  type FoundTool,
} from './foreign/foreign-import';

/** What stays here: functions don't go to a thread. */
type Own = 'newId' | 'titleOf';

/** Requests as plain data, for a thread of its own. */
export type ArchiveTask =
  | ({ kind: 'export' } & ExportRequest)
  | ({ kind: 'import' } & Omit<ImportRequest, Own>)
  | ({ kind: 'findForeign' } & ForeignPlaces)
  | ({ kind: 'importForeign'; places: ForeignPlaces } & Omit<ForeignRequest, Own>);

export type ArchiveOutcome =
  | { kind: 'export'; report: ExportReport }
  | { kind: 'import'; report: ImportReport }
  | { kind: 'findForeign'; found: FoundTool[] }
  | { kind: 'importForeign'; report: ForeignReport };

/** Writes or reads whole sessions over a connection of its own. */
export const archiveJob: Job<{ path: string; task: ArchiveTask }, ArchiveOutcome> = async (
  { path, task },
  signal,
  progress,
) => {
  const stores = connectArchive(path);
  const own = { newId: () => randomUUID() as string, titleOf: titleFrom };
  try {
    switch (task.kind) {
      case 'export':
        return { kind: 'export', report: await exportSession(stores, task, signal) };
      case 'import':
        return { kind: 'import', report: await importFolder(stores, { ...task, ...own }, signal) };
      case 'findForeign':
        return { kind: 'findForeign', found: await findForeign(stores, task, signal) };
      case 'importForeign': {
        const request = { ...task, ...own };
        const report = await importForeign(stores, request, task.places, signal, progress);
        return { kind: 'importForeign', report };
      }
    }
  } finally {
    stores.close();
  }
};
