import {
  BETWEEN_TURNS_MESSAGES,
  BETWEEN_TURNS_RATIO,
  FULL_COMPACTION_RATIO,
  KEPT_MESSAGES,
} from '../../limits';
import type { ContextEntry } from '../entry';
import { estimateMessageTokens } from '../tokens';

export type SummaryTier = 'between_turns' | 'full';

/**
 * Which summary a turn begins with (X2, X3); null when there is room enough.
 *
 * @param messages messages that are not summarised yet
 */
export function tierFor(tokens: number, window: number, messages: number): SummaryTier | null {
  const share = tokens / window;
  if (share >= FULL_COMPACTION_RATIO) return 'full';
  return share >= BETWEEN_TURNS_RATIO && messages >= BETWEEN_TURNS_MESSAGES ? 'between_turns' : null;
}

/**
 * Places where a history may be cut: no call before the place has its result behind it (fault-F85, case-K04). The value at
 * `i` says whether the messages before `i` can go.
 */
function safeCuts(entries: readonly ContextEntry[]): boolean[] {
  const lastResult = new Map<string, number>();
  entries.forEach(({ message }, at) => {
    if (message.role === 'tool') lastResult.set(message.callId, at);
  });
  let openUntil = -1;
  return entries.map(({ message }, at) => {
    const safe = at > openUntil && message.role !== 'tool';
    if (message.role === 'assistant') {
      for (const call of message.calls ?? []) openUntil = Math.max(openUntil, lastResult.get(call.id) ?? -1);
    }
    return safe;
  });
}

const startsTurn = (entries: readonly ContextEntry[], at: number): boolean =>
  entries[at]?.message.role === 'user';

/** The turn boundary nearest to `wanted` between the two ends, else the nearest safe place; null when there is none. */
function nearestCut(
  entries: readonly ContextEntry[],
  wanted: number,
  from: number,
  to: number,
): number | null {
  const safe = safeCuts(entries);
  const places = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
    .filter((at) => safe[at] === true)
    .sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted));
  return places.find((at) => startsTurn(entries, at)) ?? places[0] ?? null;
}

/** Where half of what is not summarised yet lies behind, by tokens. */
function middle(entries: readonly ContextEntry[], from: number): number {
  const rest = entries.slice(from).reduce((sum, { message }) => sum + estimateMessageTokens(message), 0);
  let passed = 0;
  for (let at = from; at < entries.length; at += 1) {
    const entry = entries[at];
    if (passed * 2 >= rest || !entry) return at;
    passed += estimateMessageTokens(entry.message);
  }
  return entries.length;
}

/** A full compaction keeps the last two to six messages, or a whole step when that is longer. */
function fullCut(entries: readonly ContextEntry[], from: number, squeeze: boolean): number | null {
  const { least, most } = KEPT_MESSAGES;
  if (!squeeze && entries.length - from <= most) return null;
  const earliest = Math.max(from + 1, entries.length - most);
  const latest = entries.length - least;
  return (
    nearestCut(entries, earliest, earliest, latest) ??
    nearestCut(entries, earliest, from + 1, Math.min(earliest, latest))
  );
}

/**
 * How many messages from the start a compaction replaces; null when there is nothing (new) that could go. Never splits
 * calls from their results, and lies at a turn boundary where one is near.
 *
 * @param from messages that an earlier compaction replaces already
 * @param squeeze summarise also what a full compaction would keep, when there is nothing else
 */
export function planCut(
  entries: readonly ContextEntry[],
  from: number,
  tier: SummaryTier,
  squeeze = true,
): number | null {
  if (tier === 'full') return fullCut(entries, from, squeeze);
  const last = entries.length - KEPT_MESSAGES.least;
  return nearestCut(entries, Math.min(middle(entries, from), last), from + 1, last);
}
