import type { Dialect } from './chat-request';
import type { LooseRecord } from './loose';

/**
 * What to leave out after a server refused a request; null when the refusal names nothing that can be left out.
 *
 * @param message the server's words of a 400, 404, 422 or 501
 * @param sent the body it refused
 */
export function adaptDialect(message: string, sent: LooseRecord, dialect: Dialect): Dialect | null {
  if (sent['parallel_tool_calls'] !== undefined && /parallel_tool_calls/i.test(message)) {
    return { ...dialect, parallel: false };
  }
  if (sent['stream_options'] !== undefined && /stream_options|include_usage/i.test(message)) {
    return { ...dialect, usage: false };
  }
  if (
    dialect.toolChoice &&
    sent['tool_choice'] !== undefined &&
    sent['tool_choice'] !== 'auto' &&
    /tool[_ ]?choice/i.test(message)
  ) {
    return { ...dialect, toolChoice: false };
  }
  const other = dialect.maxTokensField === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  if (
    sent[dialect.maxTokensField] !== undefined &&
    message.includes(dialect.maxTokensField) &&
    /unsupported|not supported|unknown|unrecognized|not permitted/i.test(message)
  ) {
    return { ...dialect, maxTokensField: other };
  }
  return null;
}

const learned = new Map<string, Dialect>();

/** The dialect of a server as far as it is known in this process. */
export function dialectOf(baseUrl: string, preset: Dialect): Dialect {
  return learned.get(baseUrl) ?? preset;
}

export function rememberDialect(baseUrl: string, dialect: Dialect): void {
  learned.set(baseUrl, dialect);
}
