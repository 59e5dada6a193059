import { z } from 'zod';
import { ProjectId } from '../model/ids';
import { domain, event, Nothing, request } from './define';

export const ProjectInfo = z.object({
  id: ProjectId,
  name: z.string(),
  /** Absolute real path. */
  path: z.string(),
  branch: z.string().nullable(),
  lastOpenedAt: z.int(),
  /** False when the folder is not there (any more). */
  exists: z.boolean(),
  isTour: z.boolean(),
});
export type ProjectInfo = z.infer<typeof ProjectInfo>;

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
  /** Sent on every open, close, removal of the folder and branch change. */
  changed: event({ params: Nothing, payload: ProjectInfo.nullable() }),
});
