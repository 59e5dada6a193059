import { AppError } from '../../../shared/error';
import type { TurnEventPayload } from '../../../shared/model/turn-event';
import { sanitiseMessages } from '../context/sanitise';
import { estimateMessageTokens, estimateRequestTokens } from '../context/tokens';
import type { ModelMessage, ResolvedModel, ToolChoice, ToolSpec } from '../model/port';
import type { LoopDeps } from './turn-types';

export interface PreparedRequest {
  messages: ModelMessage[];
  tools: ToolSpec[];
  toolChoice: ToolChoice;
  estimatedTokens: number;
  /** Set when older results were shrunk for this request. */
  compaction: Extract<TurnEventPayload, { type: 'compaction' }> | null;
}

const note = (before: number, after: number): string =>
  `Older tool results were shortened: about ${Math.round(before / 1000)}k → ${Math.round(after / 1000)}k tokens.`;

/** Names the parts that fill the window, largest first, so that the user knows what to drop (fault-F107). */
function biggestParts(messages: readonly ModelMessage[], toolTokens: number): string {
  const parts = new Map<string, number>([['tool descriptions', toolTokens]]);
  for (const message of messages) {
    const name =
      message.role === 'tool'
        ? `${message.name} results`
        : { system: 'instructions and rules', user: 'your messages', assistant: 'answers' }[message.role];
    parts.set(name, (parts.get(name) ?? 0) + estimateMessageTokens(message));
  }
  return [...parts.entries()]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3)
    .map(([name, tokens]) => `${name} ${tokens.toLocaleString('en')}`)
    .join(', ');
}

export function overflow(
  messages: readonly ModelMessage[],
  tools: readonly ToolSpec[],
  window: number,
): AppError {
  const toolTokens = estimateRequestTokens([], tools);
  return new AppError(
    'provider_context',
    `This session no longer fits the model's window of ${window.toLocaleString('en')} tokens, even with older results shortened. Largest parts: ${biggestParts(messages, toolTokens)}.`,
    { hint: 'Start a new session for the next task, or choose a model with a larger window.' },
  );
}

/**
 * Builds the next request: prefix, history with all shrinking so far, and, when it fills too much of the window, one more
 * pass of shrinking (X1, fault-F108: checked before every request).
 *
 * @param force shrink even below the threshold, after the provider said the request was too long
 * @throws AppError `provider_context` when nothing more can be shrunk and it still does not fit
 */
export async function prepareRequest(
  deps: LoopDeps,
  model: ResolvedModel,
  force: boolean,
): Promise<PreparedRequest> {
  const mode = deps.mode();
  const prefix = await deps.prefix(mode);
  const tools = deps.toolSpecs(mode);
  const history = sanitiseMessages(deps.history.messages);
  const whole = [...prefix, ...history];
  let messages = deps.compaction.apply(whole);
  let estimatedTokens = estimateRequestTokens(messages, tools);
  let compaction: PreparedRequest['compaction'] = null;
  if (force || deps.compaction.needed(estimatedTokens, model.contextWindow)) {
    const result = deps.compaction.run(
      whole,
      tools,
      force ? Math.min(model.contextWindow, estimatedTokens) : model.contextWindow,
    );
    messages = result.messages;
    estimatedTokens = result.afterTokens;
    if (result.shrunk > 0) {
      const { beforeTokens, afterTokens } = result;
      compaction = {
        type: 'compaction',
        tier: 'in_turn',
        beforeTokens,
        afterTokens,
        note: note(beforeTokens, afterTokens),
      };
    }
    if (estimatedTokens > model.contextWindow || (force && result.shrunk === 0)) {
      throw overflow(messages, tools, model.contextWindow);
    }
  }
  return { messages, tools, toolChoice: 'auto', estimatedTokens, compaction };
}
