import { expect, test } from 'vitest';
import { holdsFakeResult, holdsTextCall, REMOVED_TEXT_CALL, withoutTextCalls } from './text-calls';

const isTool = (name: string): boolean => name === 'grep';

test.each([
  '<tool_call>{"name": "grep", "arguments": {"pattern": "x"}}</tool_call>',
  'First:\n<invoke name="bash"><parameter name="command">ls</parameter></invoke>',
  '<function=grep>{"pattern": "x"}</function>',
  '<|tool_calls_section_begin|><|tool_call_begin|>functions.grep:0',
  '[TOOL_CALLS] [{"name": "grep"}]',
  '{"name": "grep", "arguments": {"pattern": "x"}}',
  '```json\n{"name": "grep", "parameters": {"pattern": "x"}}\n```',
])('fault-F77: a call written as text is seen (%#)', (text) => {
  expect(holdsTextCall(text, isTool)).toBe(true);
  const kept = withoutTextCalls(text, isTool);
  expect(kept).toContain(REMOVED_TEXT_CALL);
  expect(kept).not.toContain('grep');
});

test.each([
  'Models write `<tool_call>{…}</tool_call>` when they lack native calls.',
  '```xml\n<tool_call>{"name": "grep"}</tool_call>\n```',
  '{"name": "lathe", "version": "1.0.0", "arguments": {}}',
  '{"a": 1}',
  'Done.',
])('fault-F77: text about calls, and JSON that is none, is left alone (%#)', (text) => {
  expect(holdsTextCall(text, isTool)).toBe(false);
  expect(holdsFakeResult(text)).toBe(false);
  expect(withoutTextCalls(text, isTool)).toBe(text);
});

test.each([
  '<tool_response>ok</tool_response> All tests pass.',
  '<function_results>0 failed',
  '[TOOL_RESULTS] fine',
])('fault-F78: a result the model wrote itself is seen (%#)', (text) => {
  expect(holdsFakeResult(text)).toBe(true);
  expect(withoutTextCalls(text, isTool)).toContain(REMOVED_TEXT_CALL);
});
