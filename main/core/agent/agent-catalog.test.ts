import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MODE_AGENTS } from './agent';
import { AgentCatalog } from './agent-catalog';
import { sessionRole } from './session-role';
import { toolScope } from './tool-scope';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'lathe-agents-'));
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}

const catalog = (): AgentCatalog => {
  const agents = new AgentCatalog(join(base, 'home/agents'));
  agents.setProject(join(base, 'project'));
  return agents;
};

test('A1: agents come from Lathe, the user’s folder and the project; the user’s name wins', () => {
  put('home/agents/mine.md', '---\nname: mine\ndescription: from home\n---\n');
  put('project/.lathe/agents/mine.md', '---\nname: mine\ndescription: from the project\n---\n');
  put('project/.claude/agents/theirs.md', '---\ndescription: named by its file\n---\n');
  put('project/.lathe/agents/broken.md', 'no front matter');
  const { agents, problems } = catalog().state;
  expect(agents.map(({ name }) => name)).toEqual([
    'agent',
    'plan',
    'ask',
    'explore',
    'general',
    'mine',
    'theirs',
  ]);
  expect(agents.find(({ name }) => name === 'mine')).toMatchObject({
    description: 'from home',
    origin: 'user',
  });
  expect(problems).toHaveLength(2);
  expect(problems.join('\n')).toContain('broken.md, line 1');
});

test('A1: links in a project can not bring in files from elsewhere', () => {
  put('secret.md', '---\nname: secret\n---\nkey');
  put('project/.lathe/agents/ok.md', '---\nname: ok\n---\n');
  symlinkSync(join(base, 'secret.md'), join(base, 'project/.lathe/agents/link.md'));
  mkdirSync(join(base, 'elsewhere/agents'), { recursive: true });
  put('elsewhere/agents/far.md', '---\nname: far\n---\n');
  symlinkSync(join(base, 'elsewhere'), join(base, 'project/.claude'));
  const { agents, problems } = catalog().state;
  const names = agents.map(({ name }) => name);
  expect(names).toContain('ok');
  expect(names).not.toContain('secret');
  expect(names).not.toContain('far');
  expect(problems.join()).toContain('not a plain file');
});

test('A1: names are found without regard to case, /build is the agent, unknown ones are refused with the list', () => {
  const agents = catalog();
  expect(agents.find('BUILD')).toBe(MODE_AGENTS.agent);
  expect(() => agents.require('nobody')).toThrow(
    expect.objectContaining({ code: 'not_found', hint: expect.stringContaining('explore') as string }),
  );
  expect(agents.of({ agent: 'gone', mode: 'plan' })).toBe(MODE_AGENTS.plan);
});

test('P5: agent, session and parent can only narrow each other', () => {
  const agents = catalog();
  const role = (
    agent: string | null,
    mode: 'agent' | 'plan' | 'ask',
    parent: 'agent' | 'plan' | 'ask' | null,
  ) => sessionRole({ agent, mode }, parent === null ? null : { mode: parent }, agents).mode;
  expect(role('explore', 'agent', null)).toBe('ask');
  expect(role('general', 'agent', 'agent')).toBe('agent');
  expect(role('general', 'agent', 'plan')).toBe('ask');
  expect(role('general', 'ask', 'agent')).toBe('ask');
  expect(role(null, 'plan', null)).toBe('plan');
});

test('A1: general has all tools but task, task_collect and skill_manage; a subagent has no task whatever its file says', () => {
  const agents = catalog();
  const general = toolScope(agents.require('general'), false);
  for (const tool of ['task', 'task_collect', 'skill_manage']) expect(general.allows(tool)).toBe(false);
  expect(general.allows('run_command')).toBe(true);
  put('project/.lathe/agents/boss.md', '---\nname: boss\ntools: task, read_file\n---\n');
  agents.reload();
  const boss = agents.require('boss');
  expect(toolScope(boss, false).allows('task')).toBe(true);
  expect(toolScope(boss, true).refusal('task')).toMatch(/subagent/);
  expect(toolScope(boss, true).refusal('write_file')).toMatch(/does not have/);
  expect(toolScope(boss, true).allows('attempt_completion')).toBe(true);
});

test('X8: the same list of tools is the same array every time', () => {
  const specs = ['read_file', 'task'].map((name) => ({ name, description: '', parameters: {} }));
  const agents = catalog();
  const first = toolScope(agents.require('explore'), true).narrow(specs);
  expect(first.map(({ name }) => name)).toEqual(['read_file']);
  expect(toolScope(agents.require('explore'), true).narrow(specs)).toBe(first);
  expect(toolScope(MODE_AGENTS.agent, false).narrow(specs)).toBe(specs);
});
