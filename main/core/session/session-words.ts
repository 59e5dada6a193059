import type { SessionSummary } from '../../../shared/model/session';
import type { SessionRole } from '../agent/session-role';
import type { TurnEnd } from '../turn/turn-types';

/** As people read it; a subagent says what it works on, so that its approvals can be told apart. */
export const agentName = ({ agent }: SessionRole, { parentId, title }: SessionSummary): string =>
  parentId === null ? agent.title : `${agent.title} (“${title}”)`;

/** How a turn ended, for the list of sessions. */
export function lastFact(end: TurnEnd): string {
  switch (end.reason) {
    case 'done':
      return end.text.replace(/\s+/g, ' ').trim().slice(0, 120) || 'done';
    case 'stopped':
      return 'stopped by you';
    case 'step_limit':
      return `stopped at the limit of ${end.steps} steps`;
    case 'repeated_calls':
      return 'stopped: the same call again and again';
    case 'budget':
      return 'stopped: budget reached';
    case 'error':
      return end.error?.message.slice(0, 120) ?? 'failed';
  }
}
