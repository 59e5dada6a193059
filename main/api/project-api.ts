import { AppError } from '../../shared/error';
import type { HandlersOf } from '../../shared/contract/define';
import type { project } from '../../shared/contract/project';
import type { Core } from '../core/core';
import { untilAborted } from './until-aborted';

export const projectApi = (core: Core): HandlersOf<typeof project> => ({
  current: () => core.projects.current(),
  recent: () => core.projects.recent(),
  open: ({ path }) => core.openProject(path),
  pickFolder: async () => {
    if (!core.host.pickFolder) {
      throw new AppError('unsupported', 'This host has no folder picker.', {
        hint: 'Choose the folder in the window.',
      });
    }
    const path = await core.host.pickFolder();
    return path === null ? null : { path };
  },
  browse: ({ path }) => core.projects.browse(path),
  openTour: () => core.openTour(),
  close: async () => {
    await core.closeProject();
    return null;
  },
  forget: ({ id }) => {
    core.projects.forget(id);
    return null;
  },
  offers: (_params, send, context) => {
    void send([...core.finder.offers()]);
    return untilAborted(
      context.signal,
      core.finder.onChange((offers) => void send([...offers])),
    );
  },
  relink: async ({ otherId }) => {
    await core.finder.relink(otherId);
    return null;
  },
  keepSeparate: async ({ otherId }) => {
    await core.finder.keepSeparate(otherId);
    return null;
  },
  changed: (_params, send, context) =>
    untilAborted(
      context.signal,
      core.projects.onChange((info) => void send(info)),
    ),
});
