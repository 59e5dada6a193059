import { AppError } from '../../../../shared/error';
import { SUMMARY_CHARS, SUMMARY_TRIES, SUMMARY_WINDOW_SHARE } from '../../limits';
import type { ModelReply, ResolvedModel, Usage } from '../../model/port';
import { summaryRequest, summarySystemPrompt } from '../../turn/prompt/summary-prompt';
import type { ContextEntry } from '../entry';
import { degenerate } from './degenerate';
import { localSummary } from './local-summary';
import { transcript } from './transcript';

export interface SummaryJob {
  readonly entries: readonly ContextEntry[];
  /** The summary that an earlier compaction made of what came before; null for none. */
  readonly previous: string | null;
  readonly focus: string;
  readonly signal: AbortSignal;
}

export interface Summary {
  text: string;
  /** `provider/model`, or `local`. */
  madeBy: string;
  /** What the requests for it cost together, where the provider said it. */
  usage: Usage;
}

/** How much of the window the transcript may take; the rest is for the answer and for what estimates are off by. */
const TRANSCRIPT_WINDOW_SHARE = 0.5;
const RESULT_CHARS = 1_500;
const CHARS_PER_TOKEN = 4;

const isOverflow = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'provider_context' || error.code === 'provider_too_large');

/** What the next try does differently. */
interface Plan {
  totalChars: number;
  resultChars: number;
  short: boolean;
}

export function summaryLimitChars(window: number): number {
  return Math.min(SUMMARY_CHARS, Math.floor(window * SUMMARY_WINDOW_SHARE * CHARS_PER_TOKEN));
}

async function ask(model: ResolvedModel, job: SummaryJob, plan: Plan, input: string): Promise<ModelReply> {
  const words = Math.max(120, Math.floor(summaryLimitChars(model.contextWindow) / 8));
  const stream = model.provider.stream(
    {
      model: model.model,
      messages: [
        {
          role: 'system',
          content: summarySystemPrompt({
            short: plan.short,
            words: plan.short ? Math.min(300, words) : words,
            focus: job.focus,
          }),
        },
        { role: 'user', content: summaryRequest(input, job.previous) },
      ],
      tools: [],
      toolChoice: 'none',
      purpose: 'compaction',
    },
    { signal: job.signal },
  );
  for (;;) {
    const next = await stream.next();
    if (next.done) return next.value;
  }
}

function clip(text: string, limit: number): string {
  const trimmed = text.trim();
  return trimmed.length <= limit ? trimmed : `${trimmed.slice(0, limit).toWellFormed()}\n[…]`;
}

/** Up to {@link SUMMARY_TRIES} requests to one model; null when none of them brought a usable summary. */
async function tryModel(model: ResolvedModel, job: SummaryJob, usage: Usage): Promise<string | null> {
  const plan: Plan = {
    totalChars: Math.floor(model.contextWindow * TRANSCRIPT_WINDOW_SHARE * CHARS_PER_TOKEN),
    resultChars: RESULT_CHARS,
    short: false,
  };
  for (let attempt = 1; attempt <= SUMMARY_TRIES; attempt += 1) {
    const input = transcript(job.entries, plan);
    try {
      const reply = await ask(model, job, plan, input);
      usage.inputTokens += reply.usage?.inputTokens ?? 0;
      usage.outputTokens += reply.usage?.outputTokens ?? 0;
      if (degenerate(reply.text, input) === null) return reply.text;
      plan.short = true;
    } catch (error) {
      if (!isOverflow(error)) throw error;
      // Tool results go first, then the oldest messages (fault-F106).
      plan.resultChars = 0;
      plan.totalChars = Math.floor(Math.min(plan.totalChars, input.length) / 2);
    }
  }
  return null;
}

/**
 * Summarises messages: by the session's model, by a second one when that fails, and without any when neither gives a usable
 * text (X3, fault-F39, F106).
 *
 * @param second asked only when the first one fails; null for none
 * @throws what the model threw when it failed and there is no other (the caller keeps the history); an AbortError on stop
 */
export async function summarise(
  job: SummaryJob,
  model: ResolvedModel,
  second: () => Promise<ResolvedModel | null>,
): Promise<Summary> {
  const usage: Usage = { inputTokens: 0, outputTokens: 0 };
  const limit = summaryLimitChars(model.contextWindow);
  let used = model;
  let text: string | null;
  try {
    text = await tryModel(model, job, usage);
  } catch (error) {
    job.signal.throwIfAborted();
    const other = await second().catch(() => null);
    if (!other) throw error;
    used = other;
    text = await tryModel(other, job, usage);
  }
  if (text === null) return { text: localSummary(job.entries, job.previous, limit), madeBy: 'local', usage };
  return { text: clip(text, limit), madeBy: `${used.provider.id}/${used.model}`, usage };
}
