import type { SessionSummary } from '../../../shared/model/session';
import type { Store } from '../store/types';

/** Where a session's project is now: its folder may have been moved since the session was last written. */
export function sessionFolder(
  { projects }: Pick<Store, 'projects'>,
  { projectId, projectPath }: Pick<SessionSummary, 'projectId' | 'projectPath'>,
): string {
  if (projects.byPath(projectPath)?.id === projectId) return projectPath;
  return projects.byId(projectId)?.path ?? projectPath;
}
