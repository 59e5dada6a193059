import type { HandlersOf } from '../../shared/contract/define';
import type { model } from '../../shared/contract/model';
import type { Core } from '../core/core';
import { untilAborted } from './until-aborted';

export const modelApi = (core: Core): HandlersOf<typeof model> => ({
  providers: () => core.models.list(),
  check: (request) => core.models.check(request),
  configure: (request) => core.models.configure(request),
  remove: async ({ providerId }) => {
    await core.models.remove(providerId);
    return null;
  },
  probe: () => core.models.probe(),
  refreshModels: ({ providerId }) => core.models.refreshModels(providerId),
  getDefault: () => ({ model: core.models.getDefault() }),
  setDefault: async ({ model: chosen }) => {
    await core.models.setDefault(chosen);
    return null;
  },
  changed: (_params, send, context) =>
    untilAborted(
      context.signal,
      core.models.onChange((providers) => void send(providers)),
    ),
});
