import { z } from 'zod';
import { GitNote } from '../model/git-doing';
import { ProjectId } from '../model/ids';
import { domain, event, Nothing, request } from './define';

export const ProjectInfo = z.object({
  id: ProjectId,
  name: z.string(),
  /** Absolute real path. */
  path: z.string(),
  /** The branch that is checked out, or the short commit when none is. */
  branch: z.string().nullable(),
  /** A merge or rebase that waits, a detached commit, a bare repository. */
  gitNote: GitNote.optional(),
  lastOpenedAt: z.int(),
  /** False when the folder is not there (any more). */
  exists: z.boolean(),
  isTour: z.boolean(),
  /** Its folder where several count as one project; what belongs to files of this very folder goes by it. */
  folderId: z.string().optional(),
});
export type ProjectInfo = z.infer<typeof ProjectInfo>;

/** A project that the open folder seems to be as well. */
export const ProjectOffer = z.object({
  /**
   * `moved`: the folder was at `path` before and was taken for that project already. `repository`: a clone, a copy, or the
   * folder after a move to another disk. `worktree`: of the same repository.
   */
  kind: z.enum(['moved', 'repository', 'worktree']),
  otherId: ProjectId,
  name: z.string(),
  path: z.string(),
  /** Whether there still is a folder at `path`. */
  exists: z.boolean(),
  sessions: z.int(),
});
export type ProjectOffer = z.infer<typeof ProjectOffer>;

export const project = domain('project', {
  /** The open project, or null on the first-run page. One project per host process. */
  current: request({ input: Nothing, output: ProjectInfo.nullable() }),
  recent: request({ input: Nothing, output: z.array(ProjectInfo) }),
  open: request({ input: z.object({ path: z.string().min(1).max(4096) }), output: ProjectInfo }),
  /** Native folder picker where the host has one; null when the user cancelled; error `unsupported` in a browser. */
  pickFolder: request({ input: Nothing, output: z.object({ path: z.string() }).nullable() }),
  /** Sub-folders of an absolute path, for the browser's own picker. '' = the home folder. */
  browse: request({
    input: z.object({ path: z.string() }),
    output: z.object({ path: z.string(), parent: z.string().nullable(), folders: z.array(z.string()) }),
  }),
  openTour: request({ input: Nothing, output: ProjectInfo }),
  close: request({ input: Nothing, output: Nothing }),
  forget: request({ input: z.object({ id: ProjectId }), output: Nothing }),
  /** What the open folder may be as well, now and on every change; nothing is linked unless the user says so. */
  offers: event({ params: Nothing, payload: z.array(ProjectOffer) }),
  /** The open folder counts as the offered project: its sessions are here too. */
  relink: request({ input: z.object({ otherId: ProjectId }), output: Nothing }),
  /** The open folder is a project of its own, and is not asked about again. */
  keepSeparate: request({ input: z.object({ otherId: ProjectId }), output: Nothing }),
  /** Sent on every open, close, removal of the folder and branch change. */
  changed: event({ params: Nothing, payload: ProjectInfo.nullable() }),
});
