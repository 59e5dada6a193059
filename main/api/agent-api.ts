import type { agent } from '../../shared/contract/agent';
import type { HandlersOf } from '../../shared/contract/define';
import type { Core } from '../core/core';

export const agentApi = (core: Core): HandlersOf<typeof agent> => ({
  list: () => {
    const { agents, problems } = core.agents.reload();
    core.settings.reload();
    return { agents: [...agents], problems: [...problems] };
  },
});
