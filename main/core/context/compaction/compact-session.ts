import type { TodoItem } from '../../../../shared/model/todo';
import type { TurnEventPayload } from '../../../../shared/model/turn-event';
import type { ResolvedModel } from '../../model/port';
import type { ContextPort } from '../context-port';
import type { ContextEntry } from '../entry';
import type { CompactionRecord } from '../records';
import { estimateMessageTokens } from '../tokens';
import type { UserText } from './constraints';
import { keptWords } from './kept-words';
import { planCut, type SummaryTier } from './plan-cut';
import { prefixHash } from './prefix-hash';
import { summarise, type Summary } from './summarise';

export interface CompactJob {
  readonly tier: SummaryTier;
  readonly entries: readonly ContextEntry[];
  /** The compaction that stands now; null for none. */
  readonly standing: CompactionRecord | null;
  readonly todos: readonly TodoItem[];
  /** As {@link plansVerbatim} gives them. */
  readonly plans?: string;
  /** What the user asked to keep in mind; '' without. */
  readonly focus: string;
  /** False: what a full compaction keeps stays, also when there is nothing else (case-K09). */
  readonly squeeze: boolean;
  /** Tokens of the next request as it is now. */
  readonly beforeTokens: number;
  readonly model: ResolvedModel;
  readonly second: () => Promise<ResolvedModel | null>;
  readonly signal: AbortSignal;
}

export type CompactionPayload = Extract<TurnEventPayload, { type: 'compaction' }>;

export interface Compacted {
  readonly record: CompactionRecord;
  readonly payload: CompactionPayload;
}

/** What the user took out of the context does not come back into it by a summary. */
function withoutEvicted(
  entries: readonly ContextEntry[],
  marks: ReturnType<ContextPort['marks']>,
): ContextEntry[] {
  const evicted = new Set(marks.flatMap(([id, mark]) => (mark === 'evicted' ? [id] : [])));
  if (evicted.size === 0) return [...entries];
  const gone = new Set<string>();
  return entries.filter(({ id, message }) => {
    const isOut = evicted.has(id);
    if (isOut && message.role === 'assistant') for (const call of message.calls ?? []) gone.add(call.id);
    return !isOut && !(message.role === 'tool' && gone.has(message.callId));
  });
}

/** A summary has to free at least this share of the request, or it is not worth what it loses. */
const LEAST_GAIN = 0.03;

/** What the user wrote; of an imported session, whose log may be empty, the messages in their name. */
function userTexts({ entries }: CompactJob, port: ContextPort): readonly UserText[] {
  const texts = port.userTexts();
  if (texts.length > 0) return texts;
  return entries.flatMap(({ id, message }) =>
    message.role === 'user' && !message.content.startsWith('<')
      ? [{ messageId: id, text: message.content }]
      : [],
  );
}

function kept(job: CompactJob, port: ContextPort, cut: number): string {
  const replacedIds = new Set(job.entries.slice(0, cut).map(({ id }) => id));
  const texts = userTexts(job, port);
  const replaced = texts.filter(({ messageId }) => replacedIds.has(messageId));
  return keptWords({
    replaced,
    lastRequestIsReplaced: replaced.length === texts.length,
    todos: job.todos,
    ...(job.plans === undefined ? {} : { plans: job.plans }),
    rules: port.rulesInPlay(),
    windowTokens: job.model.contextWindow,
  });
}

const tokensOf = (entries: readonly ContextEntry[]): number =>
  entries.reduce((sum, { message }) => sum + estimateMessageTokens(message), 0);

/** What the request will have: the summary comes in for what goes out. An estimate; the next request counts anew. */
function afterTokens(job: CompactJob, cut: number, text: string): number {
  const { standing, entries } = job;
  const gone = tokensOf(entries.slice(standing?.replacedCount ?? 0, cut));
  const before = standing ? (standing.summary.length + standing.kept.length) / 4 : 0;
  return Math.max(0, Math.round(job.beforeTokens - gone - before + text.length / 4));
}

const thousands = (tokens: number): string =>
  tokens < 10_000 ? `${Math.round(tokens / 100) / 10}k` : `${Math.round(tokens / 1000)}k`;

function note(tier: SummaryTier, madeBy: string, before: number, after: number, messages: number): string {
  const what = tier === 'full' ? 'The conversation was summarised' : 'The older half was summarised';
  const how = madeBy === 'local' ? ', without a model, from the record' : '';
  return `${what}${how}: ${messages} messages, about ${thousands(before)} → ${thousands(after)} tokens.`;
}

function toPayload(record: CompactionRecord, summary: Summary): CompactionPayload {
  const { id, tier, madeBy, beforeTokens, afterTokens: after, replacedCount } = record;
  const { inputTokens, outputTokens } = summary.usage;
  return {
    type: 'compaction',
    tier,
    beforeTokens,
    afterTokens: after,
    note: note(tier, madeBy, beforeTokens, after, replacedCount),
    compactionId: id,
    ...(inputTokens + outputTokens === 0 ? {} : { usage: { inputTokens, outputTokens } }),
  };
}

/**
 * Summarises what comes before the newest messages and stores the compaction. The messages themselves stay in the session:
 * only what the next requests are made of changes.
 *
 * @returns null when nothing (new) could go, or too little would be won
 * @throws what the model threw when neither it nor a second one could answer; an AbortError on stop
 */
export async function compactSession(job: CompactJob, port: ContextPort): Promise<Compacted | null> {
  const { standing, entries, tier, focus } = job;
  const from = standing?.replacedCount ?? 0;
  const cut = planCut(entries, from, tier, job.squeeze);
  if (cut === null) return null;
  const leaving = withoutEvicted(entries.slice(from, cut), port.marks());
  if (tier === 'full')
    await port.flushFacts(
      leaving.map(({ message }) => message),
      job.signal,
    );
  job.signal.throwIfAborted();
  const summary = await summarise(
    { entries: leaving, previous: standing?.summary ?? null, focus, signal: job.signal },
    job.model,
    job.second,
  );
  const words = kept(job, port, cut);
  const after = afterTokens(job, cut, summary.text + words);
  if (after > job.beforeTokens * (1 - LEAST_GAIN)) return null;
  const record = port.addCompaction({
    tier,
    focus,
    prefixHash: prefixHash(entries, cut),
    replacedCount: cut,
    summary: summary.text,
    kept: words,
    madeBy: summary.madeBy,
    beforeTokens: job.beforeTokens,
    afterTokens: after,
  });
  return { record, payload: toPayload(record, summary) };
}
