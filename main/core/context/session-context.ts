import type { ModelMessage } from '../model/port';
import type { UserText } from './compaction/constraints';
import type { CompactionDraft, ContextPort, FlushFacts } from './context-port';
import type { CompactionRecord, ContextStore, ItemMark } from './records';
import type { RuleDesk } from './rules/rule-desk';
import type { TokenCalibration } from './token-calibration';

export interface SessionContextOptions {
  sessionId: string;
  store: ContextStore;
  calibration: TokenCalibration;
  rules: RuleDesk;
  flushFacts: FlushFacts;
  newId(): string;
  onChange(): void;
  onError(what: string, error: unknown): void;
}

/** How long the memory may take to keep what is worth keeping before a summary. */
const FLUSH_LIMIT_MS = 60_000;

/** The stored side of one session's context: compactions, marks, what was learnt; see {@link ContextPort}. */
export class SessionContext implements ContextPort {
  private markList: readonly (readonly [string, ItemMark])[] | null = null;
  private records: readonly CompactionRecord[] | null = null;

  constructor(private readonly options: SessionContextOptions) {}

  marks(): readonly (readonly [string, ItemMark])[] {
    this.markList ??= [...this.options.store.marks(this.options.sessionId)];
    return this.markList;
  }

  compactions(): readonly CompactionRecord[] {
    this.records ??= this.options.store.compactions(this.options.sessionId);
    return this.records;
  }

  /** Forgets what was read: another process may have changed it. */
  reload(): void {
    this.markList = null;
    this.records = null;
  }

  addCompaction(draft: CompactionDraft): CompactionRecord {
    const { store, sessionId, newId } = this.options;
    const record = { ...draft, id: newId(), sessionId, at: Date.now(), undoneAt: null };
    store.addCompaction(record);
    this.records = [...this.compactions(), record];
    this.options.onChange();
    return record;
  }

  /** @throws AppError `not_found` */
  undoCompaction(id: string): void {
    this.options.store.undoCompaction(this.options.sessionId, id, Date.now());
    this.records = null;
    this.options.onChange();
  }

  setMark(itemId: string, mark: ItemMark | null): void {
    this.options.store.setMark(this.options.sessionId, itemId, mark);
    this.markList = null;
    this.options.onChange();
  }

  userTexts(): readonly UserText[] {
    return this.options.store.userTexts(this.options.sessionId);
  }

  get rules(): RuleDesk {
    return this.options.rules;
  }

  rulesInPlay(): string {
    return this.options.rules.inPlay();
  }

  rulesFor(paths: readonly string[]): Promise<string> {
    return this.options.rules.forPaths(paths);
  }

  ratio(model: string): number {
    return this.options.calibration.ratio(model);
  }

  learn(model: string, reportedTokens: number, estimatedTokens: number): number {
    this.options.calibration.learn(model, reportedTokens, estimatedTokens);
    return this.ratio(model);
  }

  async flushFacts(messages: readonly ModelMessage[], signal: AbortSignal): Promise<void> {
    const { sessionId, flushFacts, onError } = this.options;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(FLUSH_LIMIT_MS)]);
    const over = new Promise<void>((resolve) => {
      limited.addEventListener('abort', () => resolve(), { once: true });
    });
    // The summary is made also when the memory fails: the messages themselves stay in the session.
    await Promise.race([flushFacts(sessionId, messages, limited), over]).catch((error: unknown) =>
      onError('facts could not be kept before a summary', error),
    );
  }
}
