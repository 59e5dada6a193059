import type { ToolSpec } from './port';

/** Ways in which servers say the number of a tool, from 0. */
const NUMBERS: readonly RegExp[] = [
  // Gemini: "tools[0].function_declarations[2].parameters…", "tools[0].functionDeclarations[2]"
  /function_?declarations\[(\d+)\]/gi,
  // OpenAI, Groq, DeepSeek: "tools[3].function.parameters"; Anthropic, Bedrock: "tools.4.custom.input_schema"
  /(?<![\w\])])(?:body\.|request\.|toolConfig\.)?tools(?:\[(\d+)\]|\.(\d+)\b)(?!\.function_?declarations)/gi,
  // Checks by pydantic: ["body","tools",3,"function"]
  /"tools"\s*,\s*(\d+)\b/g,
  // Checks by zod, from the list on: "path":[3,"function","parameters"]
  /"path"\s*:\s*\[\s*(\d+)\s*,\s*"function"/g,
];

/** The refusal is about something that was said or called, not about the list of tools. */
const ABOUT_HISTORY =
  /\b(?:messages|contents|input|tool_calls)(?:\[\d+\]|\.\d+\b)|tool_call_id|tool[_ ]?choice/i;
const ABOUT_SCHEMA = /schema|parameters|declaration|description|propert/i;

/**
 * The tools whose descriptions a server refused, told from its own words (fault-F109).
 *
 * @param words the body of a 400 or 422, or the message of an error in a stream
 * @param sent the tools of the refused request in their order
 * @returns none when the words name none of them
 */
export function toolsRefused(words: string, sent: readonly ToolSpec[]): ToolSpec[] {
  const numbers = NUMBERS.flatMap((shape) =>
    [...words.matchAll(shape)].map((found) => Number(found.slice(1).find((digits) => digits !== undefined))),
  );
  const byNumber = sent.filter((_, at) => numbers.includes(at));
  if (byNumber.length > 0) return byNumber;
  if (ABOUT_HISTORY.test(words) || !ABOUT_SCHEMA.test(words)) return [];
  return sent.filter(({ name }) => isNamed(name, words));
}

/** `function 'x'`, `tool x,`, "`x` functionDeclaration": a name alone could be any word. */
function isNamed(name: string, words: string): boolean {
  const word = String.raw`(?<![\w-])${name}(?![\w-])`;
  const quote = String.raw`\\?["'\x60]`;
  const after = String.raw`(?:function|tool|declaration)s?(?: name)?:? (?:${quote}${word}${quote}|${word})`;
  const before = String.raw`${quote}${word}${quote} (?:function|tool|declaration)`;
  return new RegExp(`${after}|${before}`, 'i').test(words);
}
