import {
  IN_TURN_COMPACTION_RATIO,
  IN_TURN_TARGET_RATIO,
  KEPT_TOOL_RESULTS,
  SHRUNK_RESULT_CHARS,
} from '../limits';
import type { ModelMessage, ToolSpec } from '../model/port';
import { estimateRequestTokens } from './tokens';

/** How far one tool result was shrunk; only ever rises, so that the prompt's prefix stays stable in between. */
export type ShrinkLevel = 'short' | 'stub' | 'repeat';

export interface CompactionResult {
  messages: ModelMessage[];
  beforeTokens: number;
  afterTokens: number;
  /** Results shrunk in this pass; 0 when there was nothing left to shrink. */
  shrunk: number;
}

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;

function shorten(content: string): string {
  if (content.length <= SHRUNK_RESULT_CHARS) return content;
  const half = Math.floor(SHRUNK_RESULT_CHARS / 2);
  const head = content.slice(0, half).toWellFormed();
  const tail = content.slice(-half).toWellFormed();
  return `${head}\n[… ${content.length - 2 * half} characters of an older result left out …]\n${tail}`;
}

const stub = (message: ToolMessage): string =>
  `[Older ${message.name} result left out, ${message.content.length} characters. Call the tool again if you need it.]`;

const repeated = (message: ToolMessage): string =>
  `[Left out: the same ${message.name} call was made again below.]`;

/**
 * Shrinks older tool results of one session's requests without a model (X1). Which results are shrunk, and how far, is
 * remembered per call id: a request built twice gives the same bytes. Never touches user text, rules, assistant text or
 * the newest {@link KEPT_TOOL_RESULTS} results.
 */
export class InTurnCompaction {
  private readonly levels = new Map<string, ShrinkLevel>();

  /** The messages with all shrinking so far applied; no new decisions. */
  apply(messages: readonly ModelMessage[]): ModelMessage[] {
    if (this.levels.size === 0) return messages as ModelMessage[];
    return messages.map((message) => {
      if (message.role !== 'tool') return message;
      const level = this.levels.get(message.callId);
      return level === undefined ? message : { ...message, content: shrink(message, level) };
    });
  }

  needed(tokens: number, window: number): boolean {
    return tokens > window * IN_TURN_COMPACTION_RATIO;
  }

  /** Decides anew until the request is below the target share of `window`, oldest results first. */
  run(messages: readonly ModelMessage[], tools: readonly ToolSpec[], window: number): CompactionResult {
    const beforeTokens = estimateRequestTokens(this.apply(messages), tools);
    const target = window * IN_TURN_TARGET_RATIO;
    const sizeBefore = this.levels.size;
    let changes = 0;
    for (const pass of [markRepeats, markShort, markStubs]) {
      changes += pass(messages, this.levels);
      if (estimateRequestTokens(this.apply(messages), tools) <= target) break;
    }
    const compacted = this.apply(messages);
    return {
      messages: compacted,
      beforeTokens,
      afterTokens: estimateRequestTokens(compacted, tools),
      shrunk: Math.max(changes, this.levels.size - sizeBefore),
    };
  }
}

function shrink(message: ToolMessage, level: ShrinkLevel): string {
  switch (level) {
    case 'short':
      return shorten(message.content);
    case 'stub':
      return stub(message);
    case 'repeat':
      return repeated(message);
  }
}

function olderResults(messages: readonly ModelMessage[]): ToolMessage[] {
  const results = messages.filter((message): message is ToolMessage => message.role === 'tool');
  return results.slice(0, Math.max(0, results.length - KEPT_TOOL_RESULTS));
}

/** Reads and searches that were made again later with the same arguments. */
function markRepeats(messages: readonly ModelMessage[], levels: Map<string, ShrinkLevel>): number {
  const newest = new Map<string, string>();
  const keys = new Map<string, string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const call of message.calls ?? []) {
      const key = `${call.name} ${call.arguments}`;
      keys.set(call.id, key);
      newest.set(key, call.id);
    }
  }
  let count = 0;
  for (const result of olderResults(messages)) {
    const repeatable = result.name === 'read_file' || result.name === 'grep' || result.name === 'glob';
    const key = keys.get(result.callId);
    if (!repeatable || key === undefined || newest.get(key) === result.callId) continue;
    if (levels.get(result.callId) === 'repeat') continue;
    levels.set(result.callId, 'repeat');
    count += 1;
  }
  return count;
}

function markShort(messages: readonly ModelMessage[], levels: Map<string, ShrinkLevel>): number {
  let count = 0;
  for (const result of olderResults(messages)) {
    if (levels.has(result.callId) || result.content.length <= SHRUNK_RESULT_CHARS) continue;
    levels.set(result.callId, 'short');
    count += 1;
  }
  return count;
}

function markStubs(messages: readonly ModelMessage[], levels: Map<string, ShrinkLevel>): number {
  let count = 0;
  for (const result of olderResults(messages)) {
    const level = levels.get(result.callId);
    if (level === 'stub' || level === 'repeat' || result.content.length < 200) continue;
    levels.set(result.callId, 'stub');
    count += 1;
  }
  return count;
}
