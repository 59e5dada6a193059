import type { HandlersOf } from '../../shared/contract/define';
import type { plan } from '../../shared/contract/plan';
import type { Core } from '../core/core';

export const planApi = (core: Core): HandlersOf<typeof plan> => ({
  edit: ({ sessionId, planId, title, steps }) => core.plans.edit(sessionId, planId, { title, steps }),
  build: ({ sessionId, planId }) => core.plans.build(sessionId, planId),
});
