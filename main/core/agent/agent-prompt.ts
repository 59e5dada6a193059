import type { Agent } from './agent';

const CHILD =
  'You work as a subagent for another agent. Your first message holds the whole task; nobody else tells you more unless ' +
  'the user writes to you. Your final answer, given with attempt_completion, is all that the other agent sees: make it ' +
  'complete and short.';

/** Files of a project can be many; the prompt names so many of them, in so many characters. */
const LISTED = 20;
const LISTED_CHARS = 160;

const listed = (colleagues: readonly Agent[]): string =>
  colleagues.length === 0
    ? ''
    : [
        'More agents for `task`:',
        ...colleagues
          .slice(0, LISTED)
          .map(({ name, description }) => `- ${name}: ${description.slice(0, LISTED_CHARS)}`),
      ].join('\n');

/**
 * What an agent is told on top of the prompt of its mode; '' for nothing.
 *
 * @param colleagues agents of files that it can give tasks to
 */
export function agentText(agent: Agent, isChild: boolean, colleagues: readonly Agent[] = []): string {
  const own =
    agent.prompt === '' || agent.origin === 'builtin'
      ? agent.prompt
      : `Instructions for the agent "${agent.name}", from ${agent.origin === 'user' ? "the user's" : "the project's"} file:\n${agent.prompt}`;
  return [own, isChild ? CHILD : '', listed(colleagues)].filter((part) => part !== '').join('\n\n');
}
