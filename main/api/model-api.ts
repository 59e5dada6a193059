import type { HandlersOf } from '../../shared/contract/define';
import type { model } from '../../shared/contract/model';
import { AppError } from '../../shared/error';
import type { SessionId } from '../../shared/model/ids';
import type { Core } from '../core/core';
import { AUTO_MODEL } from '../core/model/route-model';
import { untilAborted } from './until-aborted';

/** Who can't be resolved – no model, no key, no project – is told when the message is sent. */
async function sightOf(
  core: Core,
  { sessionId, model }: { sessionId: SessionId | null; model: string | null },
): Promise<boolean | null> {
  try {
    const resolved =
      sessionId === null
        ? await core.models.resolve(model === AUTO_MODEL ? null : model)
        : await core.turns.requestDeps(sessionId).deps.resolveModel();
    return resolved.sees ?? null;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

export const modelApi = (core: Core): HandlersOf<typeof model> => ({
  providers: () => core.models.list(),
  check: (request) => core.models.check(request),
  configure: (request) => core.models.configure(request),
  remove: async ({ providerId }) => {
    await core.models.remove(providerId);
    return null;
  },
  probe: () => core.models.probe(),
  sight: async (request) => ({ sees: await sightOf(core, request) }),
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
