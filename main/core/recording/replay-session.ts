import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionId } from '../../../shared/model/ids';
import { LiveTurn } from '../session/live-turn';
import type { SessionRecorder } from '../session/session-recorder';
import { SessionRuntime } from '../session/session-runtime';
import { openStore } from '../store/open-store';
import type { Store } from '../store/types';
import type { LoopDeps, Turn } from '../turn/turn-types';
import { eventLines, type Recording } from './recording-file';
import { ReplayedWorld } from './replay-deps';
import type { TapeEntry } from './tape-entry';
import { Definitions, TapePlayer } from './tape-player';

/** A replayed turn that does not end this long after its last input hangs. */
const END_LIMIT_MS = 5_000;

export interface ReplayResult {
  /** Events that the replay wrote, as lines. */
  events: string[];
  /** True when they are, byte for byte, those of the recording. */
  equal: boolean;
  /** The first event that differs, 1-based; null when none does. */
  firstDifference: { seq: number; recorded: string | null; replayed: string | null } | null;
  /** Requests that the replay would have sent in another form, and questions the recording has no answer to. */
  divergences: string[];
}

/** Entries that only answer what is asked: nothing happens when their turn comes. */
const ANSWERS: ReadonlySet<TapeEntry['k']> = new Set(['val', 'id', 'def', 'req']);

/** Lets everything that can go on by itself go on. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Tape of a session that is replayed: answers instead of listening. One per stretch between two starts of a process. */
class ReplayTape implements SessionRecorder {
  readonly timers = false;
  world: ReplayedWorld | null = null;
  player: TapePlayer | null = null;

  constructor(private readonly times: number[]) {}

  input(): void {
    // Comes from the tape itself.
  }
  withdraw(): void {
    // Nothing was noted.
  }
  storing(): { at: number; text: string; done(): void; failed(): void } {
    const at = this.times.shift() ?? this.player?.diverge('it stores once more') ?? 0;
    return { at, text: '', done: () => undefined, failed: () => undefined };
  }
  id(): string {
    return this.player?.nextId() ?? '';
  }
  reboot(): void {
    // A replay is alone with its store.
  }
  wrap(deps: LoopDeps): LoopDeps {
    return this.world?.deps(deps) ?? deps;
  }
  started(): void {
    // The turn was started by the replay.
  }
  derive<T>(work: () => T): T {
    return work();
  }
  stopped(): void {
    // Told by the tape.
  }
  forced(): void {
    // Told by the tape.
  }
  ended(): void {
    // Told by the tape.
  }
  /** Events are stored at this time for no other reason than that time passed. */
  pushTime(at: number): void {
    this.times.unshift(at);
  }
}

/** Entries up to the next start of a process, that one excluded. */
function* stretches(tape: readonly TapeEntry[]): Generator<TapeEntry[]> {
  let stretch: TapeEntry[] = [];
  for (const entry of tape) {
    if (entry.k === 'boot' && stretch.length > 0) {
      yield stretch;
      stretch = [];
    }
    if (entry.k !== 'boot') stretch.push(entry);
  }
  yield stretch;
}

/** Plays one stretch: a process takes the session up, runs its turns, and is gone. */
class Stretch {
  private readonly definitions = new Definitions();
  private readonly tape: ReplayTape;
  private readonly runtime: SessionRuntime;

  constructor(
    private readonly entries: readonly TapeEntry[],
    id: SessionId,
    store: Store,
    private readonly divergences: string[],
  ) {
    const times = entries.flatMap((entry) => (entry.k === 'flush' && entry.timer !== true ? [entry.at] : []));
    for (const entry of entries) if (entry.k === 'def') this.definitions.set(entry.n, entry.v);
    this.tape = new ReplayTape(times);
    this.runtime = new SessionRuntime(
      id,
      store,
      () => '',
      (error) => this.divergences.push(String(error)),
      this.tape,
    );
  }

  async play(): Promise<void> {
    for (let at = 0; at < this.entries.length; at += 1) {
      const entry = this.entries[at];
      if (entry?.k === 'turn') at = await this.playTurn(at);
      else if (entry) this.outside(entry);
    }
  }

  private outside(entry: TapeEntry): void {
    if (entry.k === 'in') this.append(entry);
    else if (entry.k === 'flush' && entry.timer === true) this.flushAt(entry.at);
  }

  private append({ turn, payloads, messages, whole, deferrable }: Extract<TapeEntry, { k: 'in' }>): void {
    for (const { id, message } of messages) this.runtime.history.append(message, id);
    if (whole === true) this.runtime.log.appendWhole(turn, payloads, messages);
    else this.runtime.log.append(turn, payloads, messages, deferrable);
  }

  private flushAt(at: number): void {
    if (!this.runtime.log.waiting) return;
    this.tape.pushTime(at);
    this.runtime.log.flush(true);
  }

  /** @returns index of the turn's last entry */
  private async playTurn(start: number): Promise<number> {
    const first = this.entries[start];
    if (first?.k !== 'turn') return start;
    const end = this.entries.findIndex((entry, index) => index > start && entry.k === 'end');
    const last = end === -1 ? this.entries.length : end;
    const own = this.entries.slice(start + 1, last);
    const live = this.startTurn(first.turn as unknown as Turn, own);
    let over = false;
    live.done.then(
      () => (over = true),
      (error: unknown) => {
        over = true;
        // A turn that was cut off asks for what nobody lived to record.
        if (end !== -1) this.divergences.push(String(error));
      },
    );
    let before: TapeEntry['k'] | null = null;
    for (const entry of own) {
      if (ANSWERS.has(entry.k)) continue;
      // What was told in one moment was stored at once, and has to be again.
      if (entry.k !== 'emit' || before !== 'emit') await settle();
      before = entry.k;
      try {
        this.release(entry, live);
      } catch (error) {
        this.divergences.push(error instanceof Error ? error.message : String(error));
        break;
      }
    }
    await this.untilOver(() => over, end !== -1);
    return last;
  }

  private startTurn(turn: Turn, own: readonly TapeEntry[]): LiveTurn {
    const player = new TapePlayer(this.definitions);
    const world = new ReplayedWorld(player, (n, recorded, made) => this.compare(n, recorded, made));
    let parts: string[] = [];
    for (const entry of own) {
      player.queue(entry);
      if (entry.k !== 'req') continue;
      parts = [...parts.slice(0, entry.same), ...entry.parts];
      world.expect(entry.n, parts);
    }
    this.tape.player = player;
    this.tape.world = world;
    const deps = { history: this.runtime.history, compaction: this.runtime.compaction };
    return new LiveTurn(turn, this.runtime, deps as unknown as LoopDeps, {
      onDiskFull: () => undefined,
      onClosing: () => undefined,
      onEnd: () => this.runtime.saveView(),
    });
  }

  private release(entry: TapeEntry, live: LiveTurn): void {
    const { player, world } = this.tape;
    if (!player || !world) return;
    switch (entry.k) {
      case 'res':
      case 'err':
        return player.release(entry);
      case 'ev':
      case 'reply':
      case 'fail':
        return world.piece(entry);
      case 'emit':
        return world.emit(entry);
      case 'out':
        return world.finish(entry);
      case 'stop':
        return live.stop();
      case 'forced':
        return live.force();
      default:
        return this.outside(entry);
    }
  }

  /** A turn that was recorded to its end has to end here as well; one that was cut off may hang where it hung. */
  private async untilOver(over: () => boolean, complete: boolean): Promise<void> {
    const limit = performance.now() + (complete ? END_LIMIT_MS : 0);
    do await settle();
    while (!over() && performance.now() < limit);
    if (complete && !over()) this.divergences.push('a turn did not end where it ended in the recording');
  }

  private compare(n: number, recorded: readonly string[], made: readonly string[]): void {
    const at = made.findIndex((part, index) => part !== recorded[index]);
    if (at === -1 && made.length === recorded.length) return;
    const where = at === -1 ? made.length : at;
    this.divergences.push(
      `request ${n} of the turn differs at part ${where + 1}: ${recorded[where] ?? '(none)'} recorded, ${made[where] ?? '(none)'} now`,
    );
  }
}

function firstDifference(recorded: readonly string[], replayed: readonly string[]) {
  const length = Math.max(recorded.length, replayed.length);
  for (let index = 0; index < length; index += 1) {
    if (recorded[index] !== replayed[index]) {
      return { seq: index + 1, recorded: recorded[index] ?? null, replayed: replayed[index] ?? null };
    }
  }
  return null;
}

/**
 * Plays a recorded session again, offline: the same turns run over a store of their own, and everything that came from
 * outside – model replies, tool outcomes, ids, clocks – comes from the recording. No tool runs, nothing is written outside
 * a temporary folder.
 */
export async function replaySession(recording: Recording): Promise<ReplayResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lathe-replay-'));
  const store = openStore({ dataDir });
  const { session, tape } = recording;
  const divergences: string[] = [];
  try {
    const facts = { name: 'replay', device: null, inode: null, isTour: false };
    const project = store.projects.open(session.projectPath, facts);
    const { id, title, mode, model, projectPath } = session;
    store.sessions.create({ id, title, mode, model, projectPath, projectId: project.id });
    for (const entries of stretches(tape)) await new Stretch(entries, id, store, divergences).play();
    const events = eventLines(store, id);
    const difference = firstDifference(recording.events, events);
    return { events, divergences, equal: difference === null, firstDifference: difference };
  } finally {
    store.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
