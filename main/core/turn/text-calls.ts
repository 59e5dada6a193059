/** Shapes in which models that lack native calls write them into their answer (fault-F77). */
const SHAPES = [
  /<tool_call>\s*[{<]/,
  /<invoke\s+name="/,
  /<function=[A-Za-z_]/,
  /<\|tool_calls?_(section_)?begin\|>/,
  /<tool_response>/,
];

export const TEXT_CALL_CORRECTION =
  'You wrote a tool call or a tool result as plain text. Nothing was run. Use the tool-calling interface for calls, and never write results yourself. If you are done, answer without any call.';

/** True when an answer holds a tool call as text outside code fences. Such text is never executed. */
export function holdsTextCall(text: string): boolean {
  const prose = text.replace(/```[\s\S]*?(```|$)/g, '').replace(/`[^`\n]*`/g, '');
  return SHAPES.some((shape) => shape.test(prose));
}
