import type { HandlersOf } from '../../shared/contract/define';
import type { files } from '../../shared/contract/files';
import type { Core } from '../core/core';
import type { ProjectDesk } from '../core/project/project-desk';
import { untilAborted } from './until-aborted';

export const filesApi = (core: Core): HandlersOf<typeof files> => {
  const desk = (): Promise<ProjectDesk> => core.requireProject().desk();
  return {
    list: async ({ path }) => (await desk()).explorer.list(path),
    read: async ({ path }) => (await desk()).explorer.read(path),
    save: async (request) => (await desk()).explorer.save(request),
    create: async ({ path, kind }) => {
      await (await desk()).explorer.create(path, kind);
      return null;
    },
    move: async ({ from, to }) => {
      await (await desk()).explorer.move(from, to);
      return null;
    },
    remove: async ({ path }) => (await desk()).explorer.remove(path),
    find: async ({ query, limit }) => (await desk()).explorer.find(query, limit),
    reveal: async ({ path }) => {
      await (await desk()).explorer.reveal(path);
      return null;
    },
    backups: async () => (await desk()).backups.list(),
    keepBackup: async (backup) => {
      (await desk()).backups.keep(backup);
      return null;
    },
    dropBackup: async ({ path }) => {
      (await desk()).backups.drop(path);
      return null;
    },
    changed: async (_params, send, context) => {
      // The project may change under a subscription: it follows whichever is open.
      let stop = (): void => undefined;
      const attach = async (): Promise<void> => {
        stop();
        const opened = await core.project()?.desk();
        stop = opened?.onFilesChanged((batch) => void send(batch)) ?? ((): void => undefined);
      };
      await attach();
      const stopProjects = core.projects.onChange(() => void attach());
      return untilAborted(context.signal, stopProjects, () => stop());
    },
  };
};
