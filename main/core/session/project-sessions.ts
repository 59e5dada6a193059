import type { SessionId } from '../../../shared/model/ids';
import type { AgentCatalog } from '../agent/agent-catalog';
import { agentChoice, refuseWider } from '../agent/agent-choice';
import type { Subagents } from '../agent/subagents';
import type { ProjectSessions } from '../core';
import { TOUR_MODEL, TOUR_PROVIDER_ID } from '../model/tour-script';
import type { OpenProject } from '../project/open-project';
import type { SessionCatalog } from './session-catalog';
import type { TurnService } from './turn-service';

/** Sessions of the open project, for hosts and scripts. */
export function projectSessions(
  catalog: SessionCatalog,
  agents: AgentCatalog,
  turns: TurnService,
  subagents: Subagents,
  project: () => OpenProject,
): ProjectSessions {
  const known = (id: string): SessionId => catalog.get(id as SessionId).id;
  return {
    list: (query = '', children = false) => catalog.list({ projectId: project().info.id, query, children }),
    create: ({ mode, model, agent }) => {
      const { id, path, isTour } = project().info;
      // The tour's own project is played by its script unless the user picks a model there.
      const chosen = model ?? (isTour ? `${TOUR_PROVIDER_ID}/${TOUR_MODEL}` : null);
      const choice = agent ? agentChoice({ agent }, agents) : {};
      return catalog.create({ projectId: id, projectPath: path, mode, model: chosen, ...choice });
    },
    get: (id) => catalog.get(id as SessionId),
    rename: (id, title) => {
      catalog.setTitle(known(id), title, 'user');
      return catalog.get(known(id));
    },
    remove: async (id) => {
      await subagents.stopChildren(known(id));
      await turns.stop(known(id));
      catalog.remove(known(id));
    },
    configure: (id, change) => {
      const choice = agentChoice(change, agents);
      refuseWider(catalog.get(known(id)), choice.mode, catalog);
      return catalog.update(known(id), { ...change, ...choice });
    },
  };
}
