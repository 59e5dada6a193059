import type { Agent } from './agent';

const CHILD =
  'You work as a subagent for another agent. Your first message holds the whole task; nobody else tells you more unless ' +
  'the user writes to you. Your final answer, given with attempt_completion, is all that the other agent sees: make it ' +
  'complete and short.';

/** What an agent is told on top of the prompt of its mode; '' for nothing. */
export function agentText(agent: Agent, isChild: boolean): string {
  const own =
    agent.prompt === '' || agent.origin === 'builtin'
      ? agent.prompt
      : `Instructions for the agent "${agent.name}", from ${agent.origin === 'user' ? "the user's" : "the project's"} file:\n${agent.prompt}`;
  return [own, isChild ? CHILD : ''].filter((part) => part !== '').join('\n\n');
}
