import type { ChangeSet } from '../../../shared/model/change';
import type { NewChangeSet } from '../change/types';

export interface StagedSet {
  projectId: string;
  set: NewChangeSet;
}

type Listener = (set: ChangeSet) => void;

/**
 * Entries of calls that are about to end. They are stored in the transaction that stores the call's end, so that there
 * is no end without its entry and no entry without an end; copies of events (forks, imports, replays) have none.
 */
export class StagedChanges {
  private readonly waiting = new Map<string, StagedSet[]>();
  private readonly listeners = new Set<Listener>();

  stage(sessionId: string, callId: string, staged: StagedSet): void {
    const key = keyOf(sessionId, callId);
    this.waiting.set(key, [...(this.waiting.get(key) ?? []), staged]);
  }

  of(sessionId: string, callId: string): readonly StagedSet[] {
    return this.waiting.get(keyOf(sessionId, callId)) ?? [];
  }

  /** They are in the store for good. */
  stored(sessionId: string, callId: string, sets: readonly ChangeSet[]): void {
    this.waiting.delete(keyOf(sessionId, callId));
    for (const set of sets) for (const listener of this.listeners) listener(set);
  }

  onStored(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

const keyOf = (sessionId: string, callId: string): string => `${sessionId} ${callId}`;
