import { expect, test } from 'vitest';
import { AgentInfo } from '../../../shared/model/agent';
import { matchAgents } from './match-agents';

const agent = (name: string): AgentInfo =>
  AgentInfo.parse({
    ...{ name, title: name, description: `${name} it`, mode: 'agent', origin: 'user' },
    ...{ path: null, maxSteps: 20, tools: null, model: null },
  });

test('A1: agents are offered after `/agent ` while their name is typed', () => {
  const agents = [agent('explore'), agent('review'), agent('re-write')];
  expect(matchAgents('/agent re', agents).map(({ name }) => name)).toEqual([
    'agent review',
    'agent re-write',
  ]);
  expect(matchAgents('/agent ', agents)).toHaveLength(3);
  expect(matchAgents('/agent', agents)).toEqual([]);
  expect(matchAgents('/agent review now', agents)).toEqual([]);
  expect(matchAgents('/plan re', agents)).toEqual([]);
});
