/** Tokens left free between the end of the longest answer and the end of the window: servers count a little differently. */
const MARGIN_TOKENS = 64;
/** An answer with less room than this is of no use: then the conversation is too long, not the answer. */
const LEAST_ANSWER_TOKENS = 256;

const number = (digits: string | undefined): number => Number((digits ?? '').replaceAll(',', ''));

/** Wordings of "input and output together do not fit", with input, output and window in tokens, in this order (fault-F105). */
const SUMS: readonly RegExp[] = [
  // Anthropic: "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000"
  /exceeds? (?:the )?context limit:? ?(?<input>[\d,]+) ?\+ ?(?<output>[\d,]+) ?> ?(?<window>[\d,]+)/i,
  // OpenAI, OpenRouter: "maximum context length is 8192 tokens. However, you requested 9000 tokens (5000 in the messages, 4000 in the completion)"
  /maximum context length is (?<window>[\d,]+).{0,120}?\((?:about )?(?<input>[\d,]+) (?:in|of) (?:the )?(?:messages|prompt|input|text input).{0,80}?(?<output>[\d,]+) (?:in|for|of) the (?:completion|output)/is,
  // vLLM: "'max_tokens' is too large: 8000. This model's maximum context length is 8192 tokens and your request has 5000 input tokens"
  /max_(?:completion_)?tokens'?\W.{0,40}?too large:? ?(?<output>[\d,]+).{0,80}?maximum context length is (?<window>[\d,]+).{0,60}?(?<input>[\d,]+) input tokens/is,
];

/** "max_tokens is too large: 99999. This model supports at most 16384 completion tokens" */
const MODEL_LIMIT =
  /max_(?:completion_|output_)?tokens.{0,120}?(?:supports at most|at most|maximum(?: value)?(?: is| of)?|must be (?:less than or equal to|<=?)|less than or equal to) ?`?(?<limit>[\d,]+)/is;

/**
 * How long an answer may be so that the request fits, told from a refusal of one whose input alone would fit (fault-F105).
 *
 * @param sentLimit the limit the refused request had; null when it had none
 * @returns tokens, always fewer than `sentLimit`; null when the refusal is about something else or nothing helps
 */
export function fittingOutput(message: string, sentLimit: number | null): number | null {
  const room = roomIn(message);
  if (room === null || room < LEAST_ANSWER_TOKENS) return null;
  return sentLimit !== null && room >= sentLimit ? null : room;
}

function roomIn(message: string): number | null {
  for (const shape of SUMS) {
    const found = shape.exec(message)?.groups;
    if (!found) continue;
    const [input, window] = [number(found['input']), number(found['window'])];
    return window - input - MARGIN_TOKENS;
  }
  const limit = MODEL_LIMIT.exec(message)?.groups?.['limit'];
  return limit === undefined ? null : number(limit);
}
