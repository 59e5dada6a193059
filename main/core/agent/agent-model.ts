import type { ModelDirectory, ResolvedModel } from '../model/port';
import type { Agent } from './agent';

/**
 * The model of a session's turn: what the user chose in the session, else the agent's, else the default. A project's file
 * can choose among the models of the provider that is in use anyway, but can't send the project's text elsewhere.
 *
 * @param chosen the session's own model as `provider/model`, or null
 * @throws AppError as `ModelDirectory.resolve`
 */
export async function resolveForAgent(
  models: ModelDirectory,
  chosen: string | null,
  agent: Agent,
): Promise<ResolvedModel> {
  if (chosen !== null || agent.model === null) return models.resolve(chosen);
  if (agent.origin === 'project') {
    const usual = await models.resolve(null);
    if (!agent.model.startsWith(`${usual.provider.id}/`)) return usual;
  }
  const resolved = await models.resolve(agent.model);
  return { ...resolved, reason: `the agent "${agent.name}"` };
}
