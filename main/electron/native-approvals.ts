import type { MessageBoxOptions } from 'electron';
import type { ApprovalAnswer, PendingApproval } from '../../shared/model/approval';
import { approvalBox, fitsMessageBox, type BoxAnswer } from './approval-box';

/** An answer that comes sooner was meant for something else (sec-C22). */
const GUARD_MS = 500;
/** A box that ends by itself this often can't be shown here; the window asks instead. */
const MAX_TRIES = 5;

export interface NativeApprovalsOptions {
  /** Shows a box on the window; null when there is no window to show it on. */
  show: (options: MessageBoxOptions) => Promise<number | null>;
  reply: (id: string, answer: ApprovalAnswer) => void;
  /** Told of a box that could not be shown. */
  onFailure: (error: unknown) => void;
  /** Milliseconds of a clock that only goes forward. */
  now?: () => number;
}

/**
 * Asks short plain questions in native message boxes, one at a time. What a box asks, or will ask next, is kept from the
 * window, so that nobody is asked twice at once; "Review…" hands it over.
 */
export class NativeApprovals {
  private readonly listeners = new Set<(pending: readonly PendingApproval[]) => void>();
  private readonly reviewed = new Set<string>();
  private pending: readonly PendingApproval[] = [];
  private active: { id: string; abort: AbortController } | null = null;

  constructor(private readonly options: NativeApprovalsOptions) {}

  /** Everything that waits now, on every change. A box whose question was answered elsewhere closes. */
  update(pending: readonly PendingApproval[]): void {
    this.pending = pending;
    const waits = (id: string): boolean => pending.some((approval) => approval.id === id);
    for (const id of this.reviewed) if (!waits(id)) this.reviewed.delete(id);
    if (this.active && !waits(this.active.id)) this.active.abort.abort();
    this.changed();
    this.askNext();
  }

  /** What the window shows. */
  forWindow(): PendingApproval[] {
    return this.pending.filter((approval) => !this.isOurs(approval));
  }

  listen(listener: (pending: readonly PendingApproval[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private isOurs(approval: PendingApproval): boolean {
    return fitsMessageBox(approval) && !this.reviewed.has(approval.id);
  }

  private changed(): void {
    const shown = this.forWindow();
    for (const listener of this.listeners) listener(shown);
  }

  private askNext(): void {
    const next = this.active ? undefined : this.pending.find((approval) => this.isOurs(approval));
    if (!next) return;
    const abort = new AbortController();
    this.active = { id: next.id, abort };
    void this.ask(next, abort.signal).then((answer) => {
      this.active = null;
      if (answer === 'review') this.review(next.id);
      else if (answer !== null) this.options.reply(next.id, answer);
      this.askNext();
    });
  }

  private review(id: string): void {
    this.reviewed.add(id);
    this.changed();
  }

  /** The answer; null when the question was settled elsewhere meanwhile. */
  private async ask(approval: PendingApproval, signal: AbortSignal): Promise<BoxAnswer | null> {
    const { show, onFailure, now = () => performance.now() } = this.options;
    const { options, answerOf } = approvalBox(approval);
    try {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const shownAt = now();
        const response = await show({ ...options, signal });
        // An aborted box answers as if it had been cancelled.
        if (signal.aborted) return null;
        if (response === null) return 'review';
        if (now() - shownAt >= GUARD_MS) return answerOf(response);
      }
    } catch (error) {
      onFailure(error);
    }
    return 'review';
  }
}
