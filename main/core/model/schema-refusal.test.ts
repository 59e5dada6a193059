import { expect, test } from 'vitest';
import type { ToolSpec } from './port';
import { learnRefusedTools, offeredTools } from './schema-offer';
import { toolsRefused } from './schema-refusal';
import { fitTool } from './schema-tool';

const spec = (name: string, parameters: ToolSpec['parameters'] = {}): ToolSpec =>
  fitTool({ name, description: 'Does.', parameters });

const tools = ['read_file', 'grep', 'mcp__a__list', 'mcp__a__list_all', 'glob'].map((name) => spec(name));

test.each([
  [`Invalid schema for function 'mcp__a__list': schema must be a JSON Schema of 'type: "object"'`, [2]],
  [`{"error":{"message":"Invalid schema","param":"tools[3].function.parameters"}}`, [3]],
  [`Invalid 'tools[1].function.name': string does not match pattern.`, [1]],
  [`tools.4.custom.input_schema: input_schema does not support oneOf at the top level`, [4]],
  [`The value at toolConfig.tools.0.toolSpec.inputSchema.json.type must be one of: object`, [0]],
  [
    `* GenerateContentRequest.tools[0].function_declarations[2].parameters.properties[a].type: must be specified`,
    [2],
  ],
  [
    `Unknown name "$schema" at 'tools[0].functionDeclarations[1].parameters': x\nUnknown name "y" at 'tools[0].functionDeclarations[3].parameters'`,
    [1, 3],
  ],
  [
    `{"detail":[{"loc":["body","tools",4,"function","parameters"],"msg":"Input should be a dictionary"}]}`,
    [4],
  ],
  [`400 [{"code":"invalid_type","path":[1,"function","parameters","properties"],"message":"Required"}]`, [1]],
  [
    'Unable to submit request because `mcp__a__list_all` functionDeclaration `parameters` schema is wrong',
    [3],
  ],
  [`{"error":{"message":"Invalid schema for function \\"grep\\""}}`, [1]],
  [`invalid JSON schema for tool mcp__a__list, tools[2].function.parameters: /type`, [2]],
])('fault-F109: a refusal says which tool it means: %s', (words, expected) => {
  expect(toolsRefused(words, tools)).toEqual(expected.map((at) => tools[at]));
});

test.each([
  'Bad request',
  'Invalid schema for response_format: grep',
  'tools: at most 128 are allowed',
  "messages[3].tool_calls[0].function.name: function 'grep' has no schema",
  "messages.2.content.0: tool_use_id of tool 'grep' not in the description",
  "tool_choice: function 'grep' has a schema that can't be forced",
  "Invalid schema for function 'unknown_tool'",
  "Invalid 'tools[17].function.name'",
  'This model says nothing about how to grep a schema',
])('fault-F109: a refusal that names no tool says none: %s', (words) => {
  expect(toolsRefused(words, tools)).toEqual([]);
});

test('fault-F109: a refused tool is sent in its plainest form, then left out, and the list stays', () => {
  const [url, model] = ['http://offer.test/v1', 'm'];
  const rich = spec('rich', { type: 'object', properties: { a: { type: 'string', format: 'uri' } } });
  const list = [spec('a'), rich, spec('b')];
  const names = (of = list): string[] => offeredTools(url, model, of).map(({ sent }) => sent.name);
  const refuse = (words: string): string[] | null =>
    learnRefusedTools(url, model, offeredTools(url, model, list), words);

  expect(refuse('tools[1].function.parameters: format')).toEqual([]);
  expect(offeredTools(url, model, list)[1]?.sent.parameters).toEqual({
    type: 'object',
    properties: { a: { type: 'string' } },
  });
  expect(refuse('tools[1].function.parameters: a')).toEqual(['rich']);
  expect(names()).toEqual(['a', 'b']);
  expect(names()).toEqual(['a', 'b']);

  const changed = spec('rich', { type: 'object', properties: {} });
  expect(names([spec('a'), changed])).toEqual(['a', 'rich']);
  expect(offeredTools(url, 'other', list).map(({ sent }) => sent.name)).toEqual(['a', 'rich', 'b']);
});

test('fault-F109: a refusal of all tools is left to the user', () => {
  const list = [spec('a'), spec('b')];
  const offered = offeredTools('http://all.test/v1', 'm', list);
  expect(
    learnRefusedTools('http://all.test/v1', 'm', offered, 'tools[0].x schema, tools[1].x schema'),
  ).toBeNull();
  expect(offeredTools('http://all.test/v1', 'm', list)).toHaveLength(2);
});
