import { randomUUID } from 'node:crypto';
import { CallAddress, ChangeSetId, PathChange, type ChangeSet } from '../../../../shared/model/change';
import type { FileDiff } from '../../../../shared/model/diff';
import type { Logger } from '../../log/logger';
import type { ChangeTables } from '../../store/change-store';
import type { RunningCommand } from '../../store/running-command-store';
import { startOf } from '../file-set-record';
import type { WriteFacts } from '../log/write-facts';
import type { Blobs, ChangeLog, NewChangeSet } from '../types';
import type { BaselineThread } from './baseline-thread';
import { commandDiffs, coverageNotes, filesChanged, type FilesChanged } from './command-changes';
import { namedPaths } from './named-paths';
import { isFreeOfEffects } from './free-of-effects';
import { isSameState } from './is-same-state';
import { lives } from './lives';
import type { Difference } from './tree-entry';

/** How long a question to the user waits for what is to be said with it, in milliseconds. */
const COVERAGE_WAIT_MS = 2_000;
/** How long closing a project waits for a look, in milliseconds; what it would have found is found at the next start. */
const CLOSE_WAIT_MS = 1_500;
/** Paths that an entry names as not covered. */
const MAX_NOT_COVERED = 20;

export interface CommandCall {
  sessionId: string;
  turnId: string;
  callId: string;
  command: string;
}

/** What a command did to the project's files. */
export interface CommandChanges {
  event: FilesChanged;
  diffs: FileDiff[];
}

/** One run of a command that may write. */
export interface WatchedCommand {
  /** The command may start: everything that it could change is at hand. */
  ready: Promise<void>;
  /** The command has ended, as part of its call: the entry is stored with the call's end, which comes unless `signal` fires. */
  finish(signal: AbortSignal): Promise<CommandChanges | null>;
  /** As `finish`, while processes of it go on: what they do is found later, at the latest when `ended` resolves. */
  goOn(signal: AbortSignal, rest: GoingOn): Promise<CommandChanges | null>;
  /** The call has ended before the command: its entry is made once `ended` resolves. */
  finishLater(ended: Promise<unknown>): void;
  /** The command was not started after all. */
  drop(): void;
}

/** Processes that outlive their call. */
export interface GoingOn {
  isAlive(): Promise<boolean>;
  ended?: Promise<unknown>;
}

export interface EffectsOptions {
  projectId: string;
  store: ChangeTables;
  log: ChangeLog;
  blobs: Blobs;
  facts: WriteFacts;
  baseline: BaselineThread;
  /** Appends an event to a session whose call, or turn, has ended. */
  late(call: CommandCall, event: FilesChanged): void;
  logger: Logger;
}

interface Active {
  call: CommandCall;
  author: RunningCommand['author'];
  rowId: string;
  /** Its before-look is done. */
  runs: boolean;
  isAlive: (() => Promise<boolean>) | null;
  /** It was not started after all. */
  isDropped: boolean;
  /** Its end is being waited for. */
  isEnding: boolean;
}

interface Found {
  changes: PathChange[];
  touched: string[];
}

/**
 * What commands do to a project's files. Before and after each command that may write all files are compared with what is
 * known of them; looks are made one after the other. What is different before a command was done outside, unless another
 * command runs: then it is that one's; what is different after it is its own.
 */
export class CommandEffects {
  private readonly active: Active[] = [];
  private tail: Promise<unknown> = Promise.resolve();
  /** How far the log had come before the newest look; later entries know their files better than the baseline. */
  private seen: number | null = null;
  private isReady = false;
  private isClosed = false;

  constructor(private readonly options: EffectsOptions) {
    options.store.staged.onStored((set) => options.facts.recorded(set.changes.map(({ path }) => path)));
  }

  /** Whether a command line may change files; false only where that is certain. */
  async mayWrite(command: string): Promise<boolean> {
    return !(await isFreeOfEffects(command));
  }

  /**
   * Begins to read the project if that was not done, with small ignored folders that the command names, and says what will
   * not be covered, for the question to the user.
   */
  async coverage(command: string, cwd: string): Promise<string[]> {
    const named = await namedPaths(command, cwd);
    const known = this.inTurn(async () => {
      await this.prepare();
      return coverageNotes(await this.options.baseline.open(named));
    }).catch(() => []);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string[]>((resolve) => {
      timer = setTimeout(resolve, COVERAGE_WAIT_MS, []);
    });
    return await Promise.race([known, late]).finally(() => clearTimeout(timer));
  }

  begin(call: CommandCall): WatchedCommand {
    const { sessionId, callId } = call;
    const author = { kind: 'command' as const, ...CallAddress.parse(call), command: call.command };
    const active: Active = {
      call,
      author,
      rowId: randomUUID(),
      runs: false,
      isAlive: null,
      isDropped: false,
      isEnding: false,
    };
    this.options.store.staged.starts(sessionId, callId, {
      projectId: this.options.projectId,
      command: {
        ...{ id: active.rowId, pid: process.pid, processStarted: startOf(process.pid) },
        ...{ at: Date.now(), author },
      },
    });
    const ready = this.inTurn(() => this.before(active));
    ready.catch(() => undefined);
    return {
      ready,
      finish: (signal) => {
        active.isEnding = true;
        return this.inTurn(() => this.end(active, signal)).catch((error: unknown) =>
          this.lost(active, error),
        );
      },
      goOn: (signal, { isAlive, ended }) => {
        active.isAlive = isAlive;
        if (ended !== undefined) this.endAfter(active, ended);
        active.isEnding = true;
        return this.inTurn(() => this.end(active, signal)).catch((error: unknown) =>
          this.lost(active, error),
        );
      },
      finishLater: (ended) => {
        if (!active.isEnding) this.endAfter(active, ended);
        active.isEnding = true;
      },
      drop: () => {
        active.isDropped = true;
        this.options.store.staged.started(sessionId, callId);
        this.done(active);
      },
    };
  }

  /** What processes that go on did until now is theirs. */
  turnEnded(sessionId: string): void {
    if (!this.active.some(({ call, isAlive }) => call.sessionId === sessionId && isAlive !== null)) return;
    this.inTurn(async () => {
      await this.assign(await this.look());
      await this.dropDead();
    }).catch((error: unknown) => this.failed(error));
  }

  /** Gives what a killed process of Lathe left behind to the command that it ran. */
  async recover(): Promise<void> {
    const { store, projectId } = this.options;
    const left = store.commands.list(projectId).filter((row) => !lives(row));
    const [newest] = left.toReversed();
    if (newest === undefined) return;
    await this.inTurn(async () => {
      const found = await this.look();
      const { sessionId, turnId, callId, command } = newest.author;
      const call = { sessionId, turnId, callId, command };
      if (found.changes.length > 0)
        this.recordLate(call, this.setOf(newest.author, found, `${command} (Lathe was ended while it ran)`));
      for (const { id } of left) store.commands.end(id);
      await this.commit();
    }).catch((error: unknown) => this.failed(error));
  }

  /** What goes on is ended by whoever closes the project; until now it was followed. Waits for no long look. */
  async close(): Promise<void> {
    const last = this.active.length === 0 ? Promise.resolve() : this.inTurn(() => this.lastLook());
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSE_WAIT_MS);
    });
    await Promise.race([Promise.all([last, this.tail]).catch(() => undefined), late]);
    clearTimeout(timer);
    this.isClosed = true;
    await this.options.baseline.close();
    await this.tail.catch(() => undefined);
  }

  private async lastLook(): Promise<void> {
    await this.assign(await this.look());
    for (const active of [...this.active]) this.done(active);
  }

  /** Resolves when every look that was asked for is done. */
  async idle(): Promise<void> {
    await this.tail.catch(() => undefined);
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.tail.then(work, work);
    this.tail = done.catch(() => undefined);
    return done;
  }

  /** The command did what it did; that nobody can say what is no reason to lose its output. */
  private lost(active: Active, error: unknown): null {
    this.failed(error);
    if (active.isAlive === null) this.done(active);
    return null;
  }

  private failed(error: unknown): void {
    if (this.isClosed) return;
    this.options.logger.error('what a command changed could not be found out', { error: String(error) });
  }

  private async prepare(): Promise<void> {
    if (this.isReady) return;
    const { store, projectId, baseline } = this.options;
    const now = store.lastSeq(projectId);
    const { seq } = await baseline.ready();
    this.seen = seq ?? now;
    this.isReady = true;
    if (seq === null) await this.commit();
  }

  /** Ignored folders are followed while commands run that name them. */
  private async shut(): Promise<void> {
    if (this.active.length === 0) await this.options.baseline.shut();
  }

  private async commit(): Promise<void> {
    await this.options.baseline.commit(this.seen ?? 0).catch((error: unknown) => this.failed(error));
  }

  /** What is different and not in the log. */
  private async look(): Promise<Found> {
    await this.prepare();
    const { store, projectId, baseline } = this.options;
    const since = this.seen ?? 0;
    const now = store.lastSeq(projectId);
    const { differences, touched } = await baseline.sweep();
    this.seen = now;
    return { changes: this.unknown(differences, since), touched };
  }

  private unknown(differences: readonly Difference[], since: number): PathChange[] {
    if (differences.length === 0) return [];
    const { store, projectId, facts } = this.options;
    const last = store.lastOf(
      projectId,
      differences.map(({ path }) => path),
    );
    return differences.flatMap((difference) => {
      const { path, after } = difference;
      const known = last.get(path);
      if (facts.isUnrecorded(path, after?.hash ?? null)) return [];
      if (known === undefined || known.seq <= since) return [PathChange.parse(difference)];
      const before = known.change.after;
      if (isSameState(before, after)) return [];
      return [PathChange.parse({ path, before, after })];
    });
  }

  private async before(active: Active): Promise<void> {
    if (active.isDropped) return;
    this.active.push(active);
    const found = await this.look();
    if (found.changes.length > 0) {
      await this.assign(found);
      await this.commit();
    }
    active.runs = true;
  }

  /** To the command that runs and may have done it; to nobody in here when there is none. */
  private async assign(found: Found): Promise<void> {
    if (found.changes.length === 0) return;
    const running = this.active.find(({ runs }) => runs);
    if (running === undefined) {
      const { changes } = found;
      this.options.log.record({ author: { kind: 'outside' }, label: 'Changed outside Lathe', changes });
    } else {
      this.recordLate(running.call, this.setOf(running.author, found, this.label(running)));
    }
    await this.commit();
  }

  private endAfter(active: Active, ended: Promise<unknown>): void {
    const settled = ended
      .catch(() => undefined)
      .then(() => this.inTurn(async () => (this.active.includes(active) ? this.endLate(active) : undefined)));
    settled.catch((error: unknown) => this.failed(error));
  }

  private async end(active: Active, signal: AbortSignal): Promise<CommandChanges | null> {
    // The call's end may be stored already: nothing can be added to it.
    if (signal.aborted) return await this.endLate(active).then(() => null);
    const { staged } = this.options.store;
    const { sessionId, callId } = active.call;
    const found = await this.look();
    const label = this.label(active);
    if (active.isAlive === null) {
      this.forget(active);
      staged.ends(sessionId, callId, active.rowId);
    }
    await this.shut();
    if (found.changes.length === 0 && found.touched.length === 0) return null;
    const set = this.setOf(active.author, found, label);
    staged.stage(sessionId, callId, { projectId: this.options.projectId, set });
    this.commitWhenStored(set.id);
    return {
      event: filesChanged(set, callId),
      diffs: await commandDiffs(found.changes, this.options.blobs),
    };
  }

  /** Until the entry is in the store, the known state on the disk must not have its changes. */
  private commitWhenStored(id: string): void {
    const stop = this.options.store.staged.onStored((set) => {
      if (set.id !== id) return;
      stop();
      void this.inTurn(() => this.commit());
    });
  }

  private async endLate(active: Active): Promise<void> {
    const found = await this.look();
    const label = this.label(active);
    this.done(active);
    await this.shut();
    if (found.changes.length > 0) this.recordLate(active.call, this.setOf(active.author, found, label));
    await this.commit();
  }

  private recordLate(call: CommandCall, set: NewChangeSet): void {
    const made = this.options.log.record(set);
    this.options.late(call, filesChanged(made, call.callId));
  }

  private setOf(
    author: RunningCommand['author'],
    { changes, touched }: Found,
    label: string,
  ): NewChangeSet & Pick<ChangeSet, 'id' | 'changes' | 'notCovered'> {
    const id = ChangeSetId.parse(randomUUID());
    return { id, author, label, changes, notCovered: touched.slice(0, MAX_NOT_COVERED) };
  }

  /** The command; with those that ran at the same time, since what it did and what they did can't be told apart. */
  private label(active: Active): string {
    const others = this.active.filter((each) => each !== active && each.runs).map(({ call }) => call.command);
    if (others.length === 0) return active.call.command;
    return `${active.call.command} (or ${others.join(', ')}, which ran at the same time)`;
  }

  private async dropDead(): Promise<void> {
    for (const active of [...this.active]) {
      if (active.isAlive === null || (await active.isAlive())) continue;
      this.done(active);
    }
  }

  private done(active: Active): void {
    this.forget(active);
    this.options.store.commands.end(active.rowId);
  }

  private forget(active: Active): void {
    const at = this.active.indexOf(active);
    if (at !== -1) this.active.splice(at, 1);
  }
}
