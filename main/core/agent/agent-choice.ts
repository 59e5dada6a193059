import { AppError } from '../../../shared/error';
import type { Mode } from '../../../shared/model/mode';
import type { SessionSummary } from '../../../shared/model/session';
import type { SessionCatalog } from '../session/session-catalog';
import { MODE_AGENTS } from './agent';
import type { AgentCatalog } from './agent-catalog';
import { narrowerMode } from './session-role';

/**
 * What choosing an agent or a mode means for a session: an agent brings its mode, a mode goes back to its own agent.
 *
 * @throws AppError `not_found` for an agent that does not exist
 */
export function agentChoice(
  change: { agent?: string | null | undefined; mode?: Mode | undefined },
  agents: AgentCatalog,
): { agent?: string | null; mode?: Mode } {
  if (change.agent === undefined || change.agent === null) {
    if (change.mode !== undefined) return { mode: change.mode, agent: null };
    return change.agent === null ? { agent: null } : {};
  }
  const { name, mode } = agents.require(change.agent);
  const isMode = Object.hasOwn(MODE_AGENTS, name);
  return { agent: isMode ? null : name, mode: change.mode ? narrowerMode(change.mode, mode) : mode };
}

/**
 * A subagent of a session that only reads stays one that only reads (P5).
 *
 * @throws AppError `mode_forbids`
 */
export function refuseWider(
  session: SessionSummary,
  mode: Mode | undefined,
  sessions: Pick<SessionCatalog, 'find'>,
): void {
  const parent = session.parentId === null ? null : sessions.find(session.parentId);
  if (mode !== 'agent' || parent === null || parent.mode === 'agent') return;
  throw new AppError('mode_forbids', `This subagent works for a session in ${parent.mode} mode.`, {
    hint: `Change the mode of “${parent.title}” first.`,
  });
}
