import { InTurnCompaction } from './in-turn-compaction';
import { TokenMeter } from './token-meter';

interface CutPrompt {
  reported: number;
  sent: number;
}

/** Counts that differ by less are the same count. */
const SAME_COUNT = 0.02;

/**
 * What one session's requests leave behind for the next one, all of it made from the session's own messages and replies: how
 * far results were shrunk, how large the last request was, how often compaction brought nothing.
 */
export class ContextState {
  readonly shrink = new InTurnCompaction();
  readonly meter = new TokenMeter();
  /** True from the start of a turn to its first request: there the older half may be summarised (X2). */
  isTurnStart = false;
  /** The provider's count says that the next request has to be smaller (fault-F104). */
  mustCompact = false;
  /** Summaries of this turn after which the request was still too large (fault-F107). */
  withoutHeadroom = 0;
  private readonly cuts = new Map<string, CutPrompt>();
  private readonly told = new Set<string>();

  beginTurn(): void {
    this.isTurnStart = true;
    this.withoutHeadroom = 0;
  }

  /** True the first time it is asked with this subject: a warning is given once. */
  tellOnce(subject: string): boolean {
    if (this.told.has(subject)) return false;
    this.told.add(subject);
    return true;
  }

  /** The window a model has in truth, as far as its own counts have shown. */
  windowOf(model: string, known: number): number {
    return Math.min(known, this.cuts.get(model)?.reported ?? known);
  }

  /**
   * Notes that a server counted far less than was sent, or forgets it when it counted more since (then it was no limit).
   *
   * @returns true when two requests of different size were counted alike: the prompt is cut there for certain
   */
  noteCount(model: string, reported: number, sent: number, looksCut: boolean): boolean {
    const before = this.cuts.get(model);
    if (before && reported > before.reported * (1 + SAME_COUNT)) this.cuts.delete(model);
    if (!looksCut) return false;
    this.cuts.set(model, { reported, sent });
    if (!before || Math.abs(sent - before.sent) < before.sent * SAME_COUNT) return false;
    return Math.abs(reported - before.reported) <= before.reported * SAME_COUNT;
  }
}
