import { AppError } from '../../../shared/error';
import type { CallId, SessionId } from '../../../shared/model/ids';
import type { Mode } from '../../../shared/model/mode';
import type { SessionSummary } from '../../../shared/model/session';
import type { Store, TitleBy } from '../store/types';
import { recoverSession } from './recovery';
import type { SessionRecorder } from './session-recorder';
import { SessionRuntime } from './session-runtime';
import { UNTITLED } from './session-title';
import type { WriterLease } from './writer-lease';

export { titleFrom, UNTITLED } from './session-title';

/** As many as a person may give (shared/contract/session.ts). */
const MAX_TITLE_CHARS = 200;
/** Sessions kept in memory besides running ones; the rest is read from the store again when needed. */
const MAX_RUNTIMES = 12;

export type SessionChange = { kind: 'updated'; summary: SessionSummary } | { kind: 'removed'; id: SessionId };

/** Sessions of all projects: list, create, rename, delete, and the in-memory side of those in use. */
export class SessionCatalog {
  private readonly runtimes = new Map<string, SessionRuntime>();
  private readonly listeners = new Set<(change: SessionChange) => void>();

  constructor(
    private readonly store: Store,
    private readonly lease: WriterLease,
    private readonly newId: () => string,
    private readonly onFlushError: (error: unknown) => void,
    /** Makes what records a session that is taken into use; undefined when nothing is recorded. */
    private readonly record: () => SessionRecorder | undefined = () => undefined,
  ) {}

  /** As `SessionStore.list`: without subagents unless they are asked for. */
  list(filter: Parameters<Store['sessions']['list']>[0]): SessionSummary[] {
    return this.store.sessions.list(filter);
  }

  find(id: SessionId): SessionSummary | null {
    return this.store.sessions.get(id);
  }

  /** @throws AppError `not_found` */
  get(id: SessionId): SessionSummary {
    const summary = this.store.sessions.get(id);
    if (!summary) {
      throw new AppError('not_found', 'This session does not exist (any more).', {
        hint: 'It may have been deleted in another window.',
      });
    }
    return summary;
  }

  create(facts: {
    projectId: string;
    projectPath: string;
    mode: Mode;
    model: string | null;
    title?: string;
    agent?: string | null;
    parentId?: SessionId;
    parentCallId?: CallId;
    maxSteps?: number;
  }): SessionSummary {
    const { title, ...rest } = facts;
    const summary = this.store.sessions.create({ id: this.newId(), title: title ?? UNTITLED, ...rest });
    this.publish({ kind: 'updated', summary });
    return summary;
  }

  update(id: SessionId, change: Parameters<Store['sessions']['update']>[1]): SessionSummary {
    this.get(id);
    const summary = this.store.sessions.update(id, change);
    this.publish({ kind: 'updated', summary });
    return summary;
  }

  /**
   * Names a session. What a person chose is never replaced by anything else.
   *
   * @returns false when a person had named it
   */
  setTitle(id: SessionId, title: string, by: TitleBy): boolean {
    this.get(id);
    if (by !== 'user' && this.store.sessions.titleBy(id) === 'user') return false;
    const line = title.replace(/\s+/g, ' ').trim().toWellFormed();
    if (line === '') return false;
    this.update(id, { title: line.slice(0, MAX_TITLE_CHARS), titleBy: by });
    return true;
  }

  /** Removes it with its subagents. The caller has stopped their turns. */
  remove(id: SessionId): void {
    this.get(id);
    for (const child of this.list({ projectId: null, children: { of: id } })) this.remove(child.id);
    this.runtimes.delete(id);
    this.store.sessions.remove(id);
    this.publish({ kind: 'removed', id });
  }

  runtime(id: SessionId): SessionRuntime {
    const known = this.runtimes.get(id);
    if (known) return known;
    this.get(id);
    const runtime = new SessionRuntime(id, this.store, this.newId, this.onFlushError, this.record());
    this.runtimes.set(id, runtime);
    this.trim(id);
    return runtime;
  }

  /** Sessions in use here whose turn waits for an answer. */
  waiting(): SessionSummary[] {
    return [...this.runtimes.values()]
      .filter((runtime) => runtime.view.live !== null)
      .map((runtime) => this.get(runtime.id))
      .filter((summary) => summary.activity === 'waiting');
  }

  onChange(listener: (change: SessionChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Mends sessions whose process died in mid-turn; those of other live processes are left alone. */
  recover(): number {
    let mended = 0;
    for (const summary of this.store.sessions.unfinished()) {
      if (this.lease.heldByOther(summary.id) !== null) continue;
      if (recoverSession(summary, this.store, this.newId, this.record())) mended += 1;
    }
    return mended;
  }

  /** Takes in what other processes wrote to sessions that are on screen here; those that run here are left alone. */
  catchUp(isLive: (id: string) => boolean): void {
    for (const [id, runtime] of this.runtimes) {
      if (runtime.watched && !isLive(id) && !runtime.log.waiting) runtime.catchUp();
    }
  }

  /** Says what another process did. */
  announce(change: SessionChange): void {
    if (change.kind === 'removed') this.runtimes.delete(change.id);
    this.publish(change);
  }

  private trim(keep: string): void {
    for (const [id, runtime] of this.runtimes) if (id !== keep) runtime.rest();
    for (const [id, runtime] of this.runtimes) {
      if (this.runtimes.size <= MAX_RUNTIMES) return;
      if (id === keep || runtime.view.live || runtime.watched) continue;
      this.runtimes.delete(id);
    }
  }

  private publish(change: SessionChange): void {
    for (const listener of this.listeners) listener(change);
  }
}
