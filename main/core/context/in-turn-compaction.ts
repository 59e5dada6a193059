import {
  IN_TURN_COMPACTION_RATIO,
  IN_TURN_TARGET_RATIO,
  KEPT_TOOL_RESULTS,
  SHRUNK_RESULT_CHARS,
} from '../limits';
import { hasImages } from '../image/left-out';
import type { ModelMessage } from '../model/port';
import { isHarnessText } from '../store/said-text';
import type { ContextEntry, ToolMessage } from './entry';

/** How far one tool result was shrunk; only ever rises, so that the prompt's prefix stays stable in between. */
export type ShrinkLevel = 'short' | 'stub' | 'repeat';

/** Newest results that stay whole when even the usual shrinking leaves no room. */
const KEPT_IN_NEED = 2;
/** Results shorter than this cost less than the line that would stand for them. */
const STUB_FROM_CHARS = 200;

export function shortText(content: string): string {
  if (content.length <= SHRUNK_RESULT_CHARS) return content;
  const half = Math.floor(SHRUNK_RESULT_CHARS / 2);
  const head = content.slice(0, half).toWellFormed();
  const tail = content.slice(-half).toWellFormed();
  return `${head}\n[… ${content.length - 2 * half} characters left out to save context …]\n${tail}`;
}

function shrunkText(message: ToolMessage, level: ShrinkLevel): string {
  switch (level) {
    case 'short':
      return shortText(message.content);
    case 'stub':
      return `[${message.name} result left out, ${message.content.length} characters. Call the tool again if you need it.]`;
    case 'repeat':
      return `[Left out: the same ${message.name} call was made again below.]`;
  }
}

const shrunk = new WeakMap<ModelMessage, Map<ShrinkLevel, ToolMessage>>();

/** The result at a level; the same object for the same message, so that it is worked out once. */
export function shrinkResult(message: ToolMessage, level: ShrinkLevel): ToolMessage {
  const known = shrunk.get(message) ?? new Map<ShrinkLevel, ToolMessage>();
  shrunk.set(message, known);
  let made = known.get(level);
  if (!made) {
    const content = shrunkText(message, level);
    made = content === message.content ? message : { ...message, content };
    known.set(level, made);
  }
  return made;
}

type ToolEntry = ContextEntry & { readonly message: ToolMessage };

const isResult = (entry: ContextEntry): entry is ToolEntry => entry.message.role === 'tool';

export interface ShrinkJob {
  /** Cleaned messages that the request is made of. */
  entries: readonly ContextEntry[];
  /** Items that only the user decides about. */
  fixed: ReadonlySet<string>;
  window: number;
  /** Tokens of the request with all levels so far. */
  measure(): number;
}

/**
 * Shrinks older tool results of one session's requests without a model (X1). Which results are shrunk, and how far, is
 * remembered per item: a request built twice gives the same bytes. Never touches user text, rules or assistant text;
 * of pictures only those that a tool read.
 */
export class InTurnCompaction {
  private readonly levels = new Map<string, ShrinkLevel>();

  levelOf(id: string): ShrinkLevel | undefined {
    return this.levels.get(id);
  }

  needed(tokens: number, window: number): boolean {
    return tokens > window * IN_TURN_COMPACTION_RATIO;
  }

  /**
   * Decides anew until the request is below the target share of `window`, oldest results first; the newest
   * {@link KEPT_TOOL_RESULTS} stay whole unless the request would not fit at all.
   *
   * @returns how many results were shrunk; 0 when there was nothing left
   */
  run(job: ShrinkJob): number {
    const target = job.window * IN_TURN_TARGET_RATIO;
    let changes = 0;
    for (const pass of [markRepeats, markImages, markShort, markStubs]) {
      changes += pass(job, this.levels, KEPT_TOOL_RESULTS);
      if (job.measure() <= target) return changes;
    }
    for (const pass of [markShort, markStubs]) {
      if (job.measure() <= job.window * IN_TURN_COMPACTION_RATIO) break;
      changes += pass(job, this.levels, KEPT_IN_NEED);
    }
    return changes;
  }
}

function olderResults({ entries, fixed }: ShrinkJob, kept: number): ToolEntry[] {
  const results = entries.filter(isResult);
  return results.slice(0, Math.max(0, results.length - kept)).filter(({ id }) => !fixed.has(id));
}

const REPEATABLE = new Set(['read_file', 'grep', 'glob', 'list_dir', 'find_files']);

/** Reads and searches that were made again later with the same arguments. */
function markRepeats(job: ShrinkJob, levels: Map<string, ShrinkLevel>, kept: number): number {
  const newest = new Map<string, string>();
  const keys = new Map<string, string>();
  for (const { message } of job.entries) {
    if (message.role !== 'assistant') continue;
    for (const call of message.calls ?? []) {
      const key = `${call.name} ${call.arguments}`;
      keys.set(call.id, key);
      newest.set(key, call.id);
    }
  }
  let count = 0;
  for (const { id, message } of olderResults(job, kept)) {
    const key = keys.get(message.callId);
    if (!REPEATABLE.has(message.name) || key === undefined || newest.get(key) === message.callId) continue;
    if (levels.get(id) === 'repeat') continue;
    levels.set(id, 'repeat');
    count += 1;
  }
  return count;
}

/** Messages with pictures that a tool read, but for the newest one; what the user gave stays. */
function markImages({ entries, fixed }: ShrinkJob, levels: Map<string, ShrinkLevel>): number {
  const read = entries.filter(({ message }) => hasImages(message) && isHarnessText(message.content));
  const older = read.slice(0, -1).filter(({ id }) => !fixed.has(id) && !levels.has(id));
  for (const { id } of older) levels.set(id, 'stub');
  return older.length;
}

function markShort(job: ShrinkJob, levels: Map<string, ShrinkLevel>, kept: number): number {
  let count = 0;
  for (const { id, message } of olderResults(job, kept)) {
    if (levels.has(id) || message.content.length <= SHRUNK_RESULT_CHARS) continue;
    levels.set(id, 'short');
    count += 1;
  }
  return count;
}

function markStubs(job: ShrinkJob, levels: Map<string, ShrinkLevel>, kept: number): number {
  let count = 0;
  for (const { id, message } of olderResults(job, kept)) {
    const level = levels.get(id);
    if (level === 'stub' || level === 'repeat' || message.content.length < STUB_FROM_CHARS) continue;
    levels.set(id, 'stub');
    count += 1;
  }
  return count;
}
