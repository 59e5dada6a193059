import type { CompactionInfo, ContextAction, NextContext, RuleInfo } from '../../../shared/contract/context';
import { AppError } from '../../../shared/error';
import type { SessionId } from '../../../shared/model/ids';
import { plansVerbatim } from '../agent/plans-verbatim';
import { BETWEEN_TURNS_RATIO, FULL_COMPACTION_RATIO, IN_TURN_COMPACTION_RATIO } from '../limits';
import type { ModelDirectory, ResolvedModel } from '../model/port';
import type { TurnService } from '../session/turn-service';
import type { TurnFacts } from '../turn/prompt/build-prompt';
import { gatherTurnFacts } from '../turn/prompt/turn-facts';
import { meterName } from '../turn/request';
import { compactSession, type Compacted } from './compaction/compact-session';
import type { ContextDesk } from './context-desk';
import { laidOutFor } from '../image/for-model';
import { layOut, replacedItems, standingCompaction, type LaidOut, type LaidOutItem } from './lay-out';
import { lensItems, PART_PREFIX, SUMMARY_PREFIX, TOOLS_ID } from './lens';
import { markFor, pinLimit, pinnedTokens } from './marking';
import type { CompactionRecord } from './records';
import { ruleInfos, type RuleBook } from './rules/rule-book';

export interface ContextServiceOptions {
  turns: TurnService;
  contexts: ContextDesk;
  models: ModelDirectory;
  defaultWindow(): number;
  /** The rules of the open project; null without one. */
  book(): RuleBook | null;
}

/** What was done by `/compact`; null when there was nothing (new) to summarise. */
export interface CompactResult {
  compactionId: string;
  beforeTokens: number;
  afterTokens: number;
  note: string;
}

const ITEM_CHARS = 200_000;
/** What was looked up before a message counts for it when it is at most this old. */
const FRESH_MS = 500;

/** One session's next request, as far as it can be known before a model is asked. */
interface Look {
  laidOut: LaidOut;
  replaced: LaidOutItem[];
  model: ResolvedModel | null;
  window: number;
  ratio: number;
}

/** The context of sessions for people: what the next request holds, changing it, summaries by hand and their undoing. */
export class ContextService {
  private early: { root: string; at: number; lines: Promise<string[]> } | null = null;

  constructor(private readonly options: ContextServiceOptions) {}

  /** A message follows as soon as this folder is open: what is to be said with it is looked up meanwhile. */
  expectMessage(root: string): void {
    const lines = gatherTurnFacts(root, new Date());
    lines.catch(() => undefined);
    this.early = { root, at: Date.now(), lines };
  }

  async next(sessionId: SessionId, listSummarised: boolean): Promise<NextContext> {
    const { turns, contexts } = this.options;
    contexts.of(sessionId).reload();
    const look = await this.look(sessionId);
    const { deps, project } = turns.requestDeps(sessionId);
    const { laidOut, replaced, model, window, ratio } = look;
    const mode = deps.mode();
    const { parts } = await turns.promptOf(sessionId, mode, laidOut.compaction);
    const marks = new Map(deps.context.marks());
    const shown = listSummarised ? replaced : replaced.filter(({ state }) => state === 'pinned');
    const items = lensItems(
      {
        ...{ parts, laidOut, ratio, replaced: shown },
        tools: deps.toolSpecs(mode),
        userTexts: new Map(deps.context.userTexts().map(({ messageId, text }) => [messageId, text])),
        labelOf: (tool, args) => project.runner.labelOf(tool, args),
      },
      new Set(marks.keys()),
    );
    return {
      sessionId,
      model: model && meterName(model),
      window,
      ratio,
      tokens: items.reduce((sum, { tokens }) => sum + tokens, 0),
      marks: { trim: IN_TURN_COMPACTION_RATIO, olderHalf: BETWEEN_TURNS_RATIO, full: FULL_COMPACTION_RATIO },
      pinned: {
        tokens: pinnedTokens([...replaced, ...laidOut.items], marks, ratio),
        limit: pinLimit(window),
      },
      items,
      unlisted: replaced.length - shown.length,
      rules: await this.rules(sessionId),
      compactions: this.compactionsOf(sessionId),
    };
  }

  async item(sessionId: SessionId, itemId: string): Promise<{ sent: string | null; whole: string }> {
    const text = await this.itemText(sessionId, itemId);
    const clip = (value: string): string => value.slice(0, ITEM_CHARS).toWellFormed();
    return { sent: text.sent === null ? null : clip(text.sent), whole: clip(text.whole) };
  }

  /** @throws AppError `not_found`; `bad_argument` with the reason when it can't be done */
  async mark(sessionId: SessionId, itemId: string, action: ContextAction): Promise<void> {
    const context = this.options.contexts.of(sessionId);
    const { laidOut, replaced, window, ratio } = await this.look(sessionId);
    const all = [...replaced, ...laidOut.items];
    const item = all.find(({ id }) => id === itemId);
    if (!item) {
      if (itemId.startsWith(PART_PREFIX) || itemId.startsWith(SUMMARY_PREFIX))
        throw new AppError('bad_argument', 'This part is always in the request.', {
          hint: 'Rules can be switched off in the settings; a summary can be undone.',
        });
      throw new AppError('not_found', 'This item is not in the context (any more).');
    }
    const marks = new Map(context.marks());
    const lastRequest = context.userTexts().at(-1)?.messageId ?? null;
    context.setMark(itemId, markFor({ action, item, all, marks, lastRequest, window, ratio }));
  }

  /**
   * Summarises the conversation now (`/compact`). No turn of the session starts meanwhile.
   *
   * @param focus what to keep in mind above all; '' without
   * @throws AppError `busy`, `no_project`, `no_model`, and what the model's provider throws: the history is as it was then
   */
  async compact(sessionId: SessionId, focus: string, signal: AbortSignal): Promise<CompactResult | null> {
    const { turns } = this.options;
    return turns.between(sessionId, async (runtime) => {
      const { deps } = turns.requestDeps(sessionId);
      const model = await deps.resolveModel();
      const { laidOut } = await this.look(sessionId);
      const beforeTokens = await this.tokensOf(sessionId);
      const done = await compactSession(
        {
          ...{ tier: 'full', focus, model, signal, beforeTokens },
          entries: deps.history.entries,
          standing: laidOut.compaction,
          squeeze: laidOut.compaction === null,
          todos: runtime.view.todos,
          plans: plansVerbatim(runtime),
          second: () => deps.resolveSecondModel(),
        },
        deps.context,
      );
      if (!done) return null;
      runtime.log.appendWhole(turns.lastTurnOf(runtime), [done.payload], []);
      return toResult(done);
    });
  }

  /** @returns tokens of the next request. @throws AppError `not_found`, `conflict` when a later one stands, `busy` */
  async undoCompaction(sessionId: SessionId, id: string): Promise<number> {
    const { turns, contexts } = this.options;
    turns.refuseOther(sessionId);
    const context = contexts.of(sessionId);
    const info = this.compactionsOf(sessionId).find((each) => each.id === id);
    if (!info) throw new AppError('not_found', 'There is no such compaction.');
    if (info.state === 'superseded')
      throw new AppError('conflict', 'A later compaction stands for this one.', {
        hint: 'Undo the later one first.',
      });
    context.undoCompaction(id);
    const contextTokens = await this.tokensOf(sessionId);
    const { runtime } = turns.requestDeps(sessionId);
    runtime.log.appendWhole(
      turns.lastTurnOf(runtime),
      [{ type: 'compaction.undone', compactionId: id, contextTokens }],
      [],
    );
    return contextTokens;
  }

  onChange(listener: (sessionId: string) => void): () => void {
    return this.options.contexts.onChange(listener);
  }

  /** Rules of the open project, with those that a session has brought into play. */
  async rules(sessionId: SessionId | null): Promise<RuleInfo[]> {
    const book = this.options.book();
    if (!book) return [];
    const inPlay = sessionId === null ? [] : this.options.contexts.of(sessionId).rules.list();
    return ruleInfos(await book.read(), inPlay);
  }

  /** What is so right now, to be frozen into a message that is about to be sent (X8). */
  async turnFacts(sessionId: SessionId, mentions: readonly string[]): Promise<TurnFacts> {
    const book = this.options.book();
    if (!book) return { lines: [], rules: '' };
    const [lines, rules] = await Promise.all([
      this.factLines(book.root),
      this.options.contexts.of(sessionId).rules.forMentions(mentions),
    ]);
    return { lines, rules };
  }

  private factLines(root: string): Promise<string[]> {
    const { early } = this;
    this.early = null;
    const isFresh = early?.root === root && Date.now() - early.at <= FRESH_MS;
    return isFresh ? early.lines : gatherTurnFacts(root, new Date());
  }

  /** A model that is set up decides the window; without one the default counts. */
  private async look(sessionId: SessionId): Promise<Look> {
    const { turns, defaultWindow } = this.options;
    const { deps } = turns.requestDeps(sessionId);
    const { context, history } = deps;
    const model = await deps.resolveModel().catch(() => null);
    const whole = layOut({
      entries: history.entries,
      compactions: context.compactions(),
      marks: context.marks(),
      shrink: deps.compaction.shrink,
    });
    const laidOut = laidOutFor(whole, model?.sees);
    const { compaction } = laidOut;
    return {
      laidOut,
      model,
      replaced: compaction ? replacedItems(compaction, history.entries, context.marks()) : [],
      window: model ? deps.compaction.windowOf(meterName(model), model.contextWindow) : defaultWindow(),
      ratio: model ? context.ratio(meterName(model)) : 1,
    };
  }

  private async tokensOf(sessionId: SessionId): Promise<number> {
    return (await this.next(sessionId, false)).tokens;
  }

  private async itemText(
    sessionId: SessionId,
    itemId: string,
  ): Promise<{ sent: string | null; whole: string }> {
    const { turns } = this.options;
    const { deps } = turns.requestDeps(sessionId);
    const mode = deps.mode();
    const { laidOut, replaced } = await this.look(sessionId);
    if (itemId === TOOLS_ID) {
      const whole = JSON.stringify(deps.toolSpecs(mode), null, 2);
      return { sent: whole, whole };
    }
    if (itemId.startsWith(PART_PREFIX)) {
      const { parts } = await turns.promptOf(sessionId, mode, laidOut.compaction);
      const found = parts.find(({ id }) => `${PART_PREFIX}${id}` === itemId);
      if (found) return { sent: found.text, whole: found.text };
    }
    if (itemId.startsWith(SUMMARY_PREFIX) && laidOut.summary)
      return { sent: laidOut.summary.content, whole: laidOut.summary.content };
    const item = [...replaced, ...laidOut.items].find(({ id }) => id === itemId);
    if (!item) throw new AppError('not_found', 'This item is not in the context (any more).');
    return { sent: item.sent && textOf(item.sent), whole: textOf(item.message) };
  }

  private compactionsOf(sessionId: SessionId): CompactionInfo[] {
    const { deps } = this.options.turns.requestDeps(sessionId);
    const records = deps.context.compactions();
    const standing = standingCompaction(records, deps.history.entries);
    return [...records].reverse().map((record) => toInfo(record, standing, records));
  }
}

function textOf(message: LaidOutItem['message']): string {
  if (message.role !== 'assistant') return message.content;
  const calls = (message.calls ?? []).map((call) => `${call.name} ${call.arguments}`);
  return [message.content, ...calls].filter((part) => part !== '').join('\n\n');
}

function stateOf(
  record: CompactionRecord,
  standing: CompactionRecord | null,
  records: readonly CompactionRecord[],
): CompactionInfo['state'] {
  if (record.undoneAt !== null) return 'undone';
  if (record === standing) return 'standing';
  const isEarlier = standing !== null && records.indexOf(record) < records.indexOf(standing);
  return isEarlier ? 'superseded' : 'stale';
}

function toInfo(
  record: CompactionRecord,
  standing: CompactionRecord | null,
  records: readonly CompactionRecord[],
): CompactionInfo {
  const { id, tier, focus, madeBy, beforeTokens, afterTokens, at, undoneAt, summary, kept } = record;
  return {
    ...{ id, tier, focus, madeBy, beforeTokens, afterTokens, at, undoneAt, summary, kept },
    replacedMessages: record.replacedCount,
    state: stateOf(record, standing, records),
  };
}

const toResult = ({ record, payload }: Compacted): CompactResult => ({
  compactionId: record.id,
  beforeTokens: record.beforeTokens,
  afterTokens: record.afterTokens,
  note: payload.note,
});
