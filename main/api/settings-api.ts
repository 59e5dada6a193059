import type { HandlersOf } from '../../shared/contract/define';
import type { settings } from '../../shared/contract/settings';
import type { Core } from '../core/core';
import { untilAborted } from './until-aborted';

export const settingsApi = (core: Core): HandlersOf<typeof settings> => ({
  get: () => core.settings.state(),
  set: ({ key, value }) => core.settings.set(key, value),
  changed: (_params, send, context) =>
    untilAborted(
      context.signal,
      core.settings.onChange((state) => void send(state)),
    ),
  grants: () => core.requireProject().grants.list(null),
  revokeGrant: ({ id }) => {
    core.requireProject().grants.revoke(id);
    return null;
  },
});
