/** Shapes in which models that lack native calls write them into their answer (fault-F77). */
const CALL_SHAPES = [
  /<tool_call>\s*[{<]/,
  /<invoke\s+name="/,
  /<function=[A-Za-z_]/,
  /<\|tool_calls?_(section_)?begin\|>/,
  /<\|python_tag\|>/,
  /\[TOOL_CALLS\]\s*\[/,
];

/** Shapes of results that only a tool may give (fault-F78). */
const RESULT_SHAPES = [
  /<tool_(?:response|result|output)s?>/,
  /<function_(?:results?|response)>/,
  /<\|tool_(?:response|outputs?)(?:_begin)?\|>/,
  /\[TOOL_RESULTS?\]/,
];

export const TEXT_CALL_CORRECTION =
  'You wrote a tool call as plain text. Nothing was run. Use the tool-calling interface for calls. If you are done, answer without any call.';

export const FAKE_RESULT_CORRECTION =
  'You wrote a tool result yourself. Only tools give results; nothing of it happened. Call the tool and wait for what it returns, or answer with what you really know.';

/** What stands in the history instead of a call or result written as text: an example would be copied. */
export const REMOVED_TEXT_CALL = '[a tool call written as plain text was removed here]';

const proseOf = (text: string): string => text.replace(/```[\s\S]*?(```|$)/g, '').replace(/`[^`\n]*`/g, '');

/** A message that is nothing but `{"name": …, "arguments": …}`, in a fence or bare, for a tool that there is. */
function isBareCall(text: string, isTool: (name: string) => boolean): boolean {
  const body = text
    .trim()
    .replace(/^```\w*\s*([\s\S]*?)\s*```$/, '$1')
    .trim();
  if (!body.startsWith('{') || !body.endsWith('}')) return false;
  try {
    const call = JSON.parse(body) as Record<string, unknown>;
    const name = call['name'] ?? call['tool'] ?? call['function'];
    const hasArguments = ['arguments', 'parameters', 'args', 'input'].some(
      (key) => typeof call[key] === 'object',
    );
    return typeof name === 'string' && isTool(name) && hasArguments;
  } catch {
    return false;
  }
}

/** True when an answer holds a tool call as text outside code. Such text is never executed. */
export function holdsTextCall(text: string, isTool: (name: string) => boolean = () => false): boolean {
  const prose = proseOf(text);
  return CALL_SHAPES.some((shape) => shape.test(prose)) || isBareCall(text, isTool);
}

/** True when an answer holds what looks like a tool's result: the model made it up. */
export function holdsFakeResult(text: string): boolean {
  const prose = proseOf(text);
  return RESULT_SHAPES.some((shape) => shape.test(prose));
}

const WRITTEN = [
  /<(tool_call|tool_(?:response|result|output)s?|function_(?:calls|results?|response))>[\s\S]*?(?:<\/\1>|$)/g,
  /<invoke\s+name="[\s\S]*?(?:<\/invoke>|$)/g,
  /<function=[A-Za-z_][\s\S]*?(?:<\/function>|$)/g,
  /<\|tool_calls?_(?:section_)?begin\|>[\s\S]*?(?:<\|tool_calls?_(?:section_)?end\|>|$)/g,
  /<\|tool_(?:response|outputs?)(?:_begin)?\|>[\s\S]*$/g,
  /<\|python_tag\|>[\s\S]*$/g,
  /\[TOOL_(?:CALLS|RESULTS?)\][\s\S]*$/g,
];

/** The text without calls and results that the model wrote as text, for the history: it is no example to follow. */
export function withoutTextCalls(text: string, isTool: (name: string) => boolean): string {
  if (isBareCall(text, isTool)) return REMOVED_TEXT_CALL;
  if (!holdsTextCall(text) && !holdsFakeResult(text)) return text;
  return WRITTEN.reduce((rest, shape) => rest.replaceAll(shape, REMOVED_TEXT_CALL), text).trim();
}
