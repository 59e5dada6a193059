import type { Mode } from '../../../shared/model/mode';
import type { SessionSummary } from '../../../shared/model/session';
import type { Agent } from './agent';
import type { AgentCatalog } from './agent-catalog';
import { toolScope, type ToolScope } from './tool-scope';

/** Who works in a session right now and what it may do. */
export interface SessionRole {
  agent: Agent;
  mode: Mode;
  scope: ToolScope;
  /** Agents of files that it can give tasks to, as the prompt lists them. */
  colleagues: readonly Agent[];
}

/** What both allow. A subagent of one that only reads answers, whatever kind of reading the other does. */
export function narrowerMode(own: Mode, limit: Mode): Mode {
  if (limit === 'agent' || own !== 'agent') return own;
  return limit;
}

/**
 * The role of a session at this moment. The agent's file, the session's mode and, for a subagent, the mode of the session
 * that started it all limit it (P5); none of them can widen what another one narrows.
 *
 * @param parent the session that started this one; null for the user's own
 */
export function sessionRole(
  session: Pick<SessionSummary, 'agent' | 'mode'>,
  parent: Pick<SessionSummary, 'mode'> | null,
  agents: AgentCatalog,
): SessionRole {
  const agent = agents.of(session);
  const own = narrowerMode(session.mode, agent.mode);
  const limit = parent === null || parent.mode === 'agent' ? 'agent' : 'ask';
  const scope = toolScope(agent, parent !== null);
  const colleagues = scope.allows('task')
    ? agents.state.agents.filter(({ origin, name }) => origin !== 'builtin' && name !== agent.name)
    : [];
  return { agent, mode: narrowerMode(own, limit), scope, colleagues };
}
