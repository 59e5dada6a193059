import type { ProviderFault } from './provider-fault';

/** Wordings of "the prompt does not fit"; a capture group holds the window in tokens (fault-F87 to F103). */
const WORDINGS: readonly RegExp[] = [
  // Anthropic
  /prompt is too long(?:: [\d,]+ tokens > ([\d,]+) maximum)?/i,
  /exceeds? (?:the )?context limit:? ?[\d,]+ ?\+ ?[\d,]+ ?> ?([\d,]+)/i,
  // Bedrock
  /input is too long for (?:the )?requested model/i,
  // OpenAI, OpenRouter, DeepSeek, vLLM
  /maximum context length (?:is|of) ([\d,]+)/i,
  /exceeds? the context window/i,
  // Gemini
  /token count \([\d,]+\) exceeds the maximum number of tokens allowed \(([\d,]+)\)/i,
  /exceeds the maximum number of (?:input )?tokens allowed/i,
  // xAI
  /maximum prompt length is ([\d,]+)/i,
  // Groq
  /reduce the length of the (?:messages|prompt|input)/i,
  // vLLM
  /context length is only ([\d,]+)/i,
  /input length \(?[\d,]*\)?.{0,40}exceeds.{0,40}context length(?: \(?([\d,]+)\)?)?/i,
  // GitHub Copilot
  /(?:token|prompt).{0,40}exceeds the limit of ([\d,]+)/i,
  // llama.cpp
  /exceeds? the available context size(?: \(([\d,]+))?/i,
  // LM Studio
  /greater than the context length(?: of ([\d,]+))?/i,
  // MiniMax
  /context window exceeds limit/i,
  // Kimi
  /exceeded model token limit:? ?([\d,]+)?/i,
  // Mistral
  /too large for model with ([\d,]+) maximum context length/i,
  // Anybody else
  /context[_ ]length[_ ]exceeded|exceed_context_size|model_context_window_exceeded/i,
  /too many (?:input |prompt )?tokens/i,
  /token limit exceeded/i,
];

/** Wordings of a rate limit in tokens; they look like an overflow and are none. */
const RATE = /tokens? per (?:min|hour|day|sec)|\b[TR]P[MD]\b|rate.?limit|throttl/i;

/**
 * Whether a fault says that the prompt does not fit the model's context, and how large that is where it says so.
 * Null when it is something else. A body-less 400 or 413 counts too: Cerebras answers an overflow that way.
 */
export function overflowIn(fault: ProviderFault): { window: number | null } | null {
  const { status, words, message } = fault;
  if (/context_length_exceeded|exceed_context_size/.test(words)) return { window: windowIn(fault) };
  if (status === 429 || RATE.test(message)) return null;
  if ((status === 400 || status === 413) && message === '' && words.trim() === '') return { window: null };
  return WORDINGS.some((wording) => wording.test(message)) ? { window: windowIn(fault) } : null;
}

function windowIn(fault: ProviderFault): number | null {
  if (fault.contextTokens !== undefined) return fault.contextTokens;
  for (const wording of WORDINGS) {
    const digits = wording.exec(fault.message)?.[1];
    if (digits !== undefined) return Number(digits.replaceAll(',', '')) || null;
  }
  return null;
}
