import { expect, test } from 'vitest';
import { readAgentFile } from './agent-file';
import { readFrontMatter } from './front-matter';

const file = (front: string, body = 'Be careful.'): string => `---\n${front}\n---\n\n${body}\n`;

test('A1: a file gives name, description, tools, model, steps, read-only and text', () => {
  const text = file(
    [
      'name: Reviewer',
      'description: "Reads changes: finds faults"',
      'tools: [read_file, grep, "git_*"]',
      'model: openai/gpt-5-mini',
      'max_steps: 12   # enough',
      'read_only: true',
    ].join('\n'),
  );
  const { agent, problems } = readAgentFile('/p/.lathe/agents/x.md', text, 'user');
  expect(problems).toEqual([]);
  expect(agent).toMatchObject({
    name: 'reviewer',
    description: 'Reads changes: finds faults',
    tools: ['read_file', 'grep', 'git_*'],
    model: 'openai/gpt-5-mini',
    maxSteps: 12,
    mode: 'ask',
    origin: 'user',
    prompt: 'Be careful.',
  });
});

test('A1: files made for Claude Code mean the same tools here and keep the session’s model', () => {
  const text = file(
    'name: tester\ndescription: >\n  Runs\n  tests\ntools: Read, Bash, TodoWrite\nmodel: sonnet\ncolor: red',
  );
  const { agent, problems } = readAgentFile('/p/.claude/agents/tester.md', text, 'project');
  expect(problems).toEqual([]);
  expect(agent).toMatchObject({
    description: 'Runs tests',
    tools: ['read_file', 'run_command', 'todo'],
    model: null,
    mode: 'agent',
  });
});

test('A1: what is wrong is told with file and line, and never gives the agent more than the file says', () => {
  const text = file(
    'name: odd\nmax_steps: many\nread_only: maybe\nmodel: gpt 5\ntools: read_file, rm -rf\n  stray',
  );
  const { agent, problems } = readAgentFile('odd.md', text, 'user');
  expect(problems.map((problem) => /line (\d+)/.exec(problem)?.[1])).toEqual(['7', '3', '4', '5', '6']);
  expect(agent).toMatchObject({ mode: 'ask', maxSteps: 20, model: null, tools: ['read_file'] });
});

test('A1: files without front matter, with a bad name or with the name of an agent of Lathe are left out', () => {
  for (const [text, reason] of [
    ['just text', 'front matter'],
    ['---\nname: x\nno end', 'front matter'],
    [file('name: ../evil'), 'a name has'],
    [file('name: Plan'), "Lathe's own"],
    [file('name: title'), "Lathe's own"],
  ] as const) {
    const { agent, problems } = readAgentFile('a.md', text, 'project');
    expect(agent).toBeNull();
    expect(problems.join()).toContain(reason);
  }
});

test('A1: characters nobody sees do not reach the model', () => {
  const { agent } = readAgentFile('a.md', file('name: a', 'Do\u200b it\u{e0041}.'), 'project');
  expect(agent?.prompt).toBe('Do it.');
});

test('front matter: lists, blocks, quotes and comments', () => {
  const matter = readFrontMatter(
    "---\na:\n  - one\n  - \"two, three\"\nb: |\n  x\n  y\nc: 'it''s'\n# note\n---\nbody",
  );
  expect(matter?.entries).toEqual([
    { key: 'a', value: ['one', 'two, three'], line: 2 },
    { key: 'b', value: 'x\ny', line: 5 },
    { key: 'c', value: "it's", line: 8 },
  ]);
  expect(matter?.body).toBe('body');
});
