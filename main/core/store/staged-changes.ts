import type { ChangeSet } from '../../../shared/model/change';
import type { NewChangeSet } from '../change/types';
import type { RunningCommand } from './running-command-store';

export interface StagedSet {
  projectId: string;
  set: NewChangeSet;
}

/** A command that is about to start. */
export interface StagedCommand {
  projectId: string;
  command: RunningCommand;
}

type Listener = (set: ChangeSet) => void;

/**
 * Entries of calls that are about to end. They are stored in the transaction that stores the call's end, so that there
 * is no end without its entry and no entry without an end; copies of events (forks, imports, replays) have none.
 */
export class StagedChanges {
  private readonly waiting = new Map<string, StagedSet[]>();
  private readonly commands = new Map<string, StagedCommand>();
  private readonly ending = new Map<string, string>();
  private readonly listeners = new Set<Listener>();

  /** The command is noted down in the transaction that says that its call runs. */
  starts(sessionId: string, callId: string, command: StagedCommand): void {
    this.commands.set(keyOf(sessionId, callId), command);
  }

  startOf(sessionId: string, callId: string): StagedCommand | null {
    return this.commands.get(keyOf(sessionId, callId)) ?? null;
  }

  started(sessionId: string, callId: string): void {
    this.commands.delete(keyOf(sessionId, callId));
  }

  /** Everything the command did is in the log once its call's end is stored. */
  ends(sessionId: string, callId: string, commandId: string): void {
    this.ending.set(keyOf(sessionId, callId), commandId);
  }

  endOf(sessionId: string, callId: string): string | null {
    return this.ending.get(keyOf(sessionId, callId)) ?? null;
  }

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
    this.ending.delete(keyOf(sessionId, callId));
    for (const set of sets) for (const listener of this.listeners) listener(set);
  }

  onStored(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

const keyOf = (sessionId: string, callId: string): string => `${sessionId} ${callId}`;
