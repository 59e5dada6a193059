import { AppError, toErrorShape } from '../../../shared/error';
import type { TurnId } from '../../../shared/model/ids';
import type { Receipt } from '../../../shared/model/receipt';
import type { TurnEventPayload } from '../../../shared/model/turn-event';
import { saidBetween, type Interjection } from '../turn/interjections';
import { runTurn } from '../turn/loop';
import { TurnEvidence } from '../turn/receipt/evidence';
import { receiptOf } from '../turn/receipt/receipt';
import type { LoopDeps, NewMessage, Turn, TurnEnd, TurnRecord } from '../turn/turn-types';
import { closeCall, openCalls, resultMessage } from './recovery';
import type { SessionRecorder } from './session-recorder';
import type { SessionRuntime } from './session-runtime';

/** After Stop the loop may take this long to end by itself; then the turn is closed without it (limit: 200 ms in all). */
const STOP_GRACE_MS = 60;
/** How often a write is tried again while the disk is full. */
const DISK_FULL_RETRY_MS = 2_000;

export interface LiveTurnHooks {
  /** The turn waits since nothing can be stored; called once per pause. */
  onDiskFull(error: AppError): void;
  /** The session takes the next message from here on: called right before the end is published. */
  onClosing(): void;
  /** The end is stored and published. */
  onEnd(end: TurnEnd): void;
}

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });

/** Drives one turn: pulls records from the loop, stores each before the next is asked for, and closes the turn. */
export class LiveTurn {
  readonly done: Promise<TurnEnd>;
  private readonly abort = new AbortController();
  private readonly interjections: Interjection[] = [];
  private readonly evidence = new TurnEvidence();
  private forceStop: (() => void) | null = null;

  constructor(
    readonly turn: Turn,
    private readonly runtime: SessionRuntime,
    deps: Omit<LoopDeps, 'signal' | 'takeInterjections' | 'hasInterjections'>,
    private readonly hooks: LiveTurnHooks,
  ) {
    const full: LoopDeps = {
      ...deps,
      mode: () => deps.mode(),
      signal: this.abort.signal,
      takeInterjections: () => this.interjections.splice(0),
      hasInterjections: () => this.interjections.length > 0,
    };
    this.recorder?.started(turn);
    this.done = this.drive(this.recorder?.wrap(full) ?? full);
  }

  private get recorder(): SessionRecorder | undefined {
    return this.runtime.recorder;
  }

  get turnId(): TurnId {
    return this.turn.turnId as TurnId;
  }

  interject(said: Interjection): void {
    this.interjections.push(said);
  }

  stop(): void {
    this.recorder?.stopped();
    this.abort.abort(new DOMException('The user stopped the turn.', 'AbortError'));
  }

  /** Closes a stopped turn whose loop hangs; does nothing while the loop is not being waited for. */
  force(): void {
    this.recorder?.forced();
    this.forceStop?.();
  }

  private async drive(deps: LoopDeps): Promise<TurnEnd> {
    const startedAt = deps.now();
    // The user's own doing comes by in the log only.
    const stopListening = this.runtime.log.listen((events) => {
      for (const event of events) {
        if (event.type === 'diff.reverted' && event.turnId === this.turnId) this.evidence.note(event);
      }
    });
    // The caller gets its turn id before the first event of the loop.
    await Promise.resolve();
    const end = await this.run(deps).catch(async (error: unknown) => {
      await this.storeWaiting();
      return this.failed(error);
    });
    await this.storeWaiting();
    try {
      await this.close(end, deps, startedAt);
    } finally {
      stopListening();
    }
    this.recorder?.ended();
    this.hooks.onEnd(end);
    return end;
  }

  private async run(deps: LoopDeps): Promise<TurnEnd> {
    const loop = runTurn(this.turn, deps, this.evidence);
    let timer: NodeJS.Timeout | undefined;
    this.abort.signal.addEventListener('abort', () => {
      if (this.recorder?.timers !== false) timer = setTimeout(() => this.force(), STOP_GRACE_MS);
    });
    try {
      for (;;) {
        const next = await this.nextRecord(loop);
        if (next.done) return next.value;
        await this.store(next.value);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** The loop's next record; rejects when the turn was stopped and the loop hangs in something that ignores its signal. */
  private nextRecord(
    loop: AsyncGenerator<TurnRecord, TurnEnd>,
  ): Promise<IteratorResult<TurnRecord, TurnEnd>> {
    return new Promise((resolve, reject) => {
      this.forceStop = () => {
        void loop.return({ reason: 'stopped', steps: 0, text: '' }).catch(() => undefined);
        reject(this.abort.signal.reason as Error);
      };
      loop.next().then(resolve, reject);
    });
  }

  private failed(error: unknown): TurnEnd {
    const steps = this.runtime.view.live?.step ?? 0;
    if (this.abort.signal.aborted) return { reason: 'stopped', steps, text: '' };
    return { reason: 'error', steps, text: '', error: toErrorShape(error) };
  }

  /** Stores one record; on a full disk the turn waits here until there is room or the user stops it (fault-F114). */
  private async store(record: TurnRecord): Promise<void> {
    try {
      this.derive(() =>
        this.runtime.log.append(this.turnId, record.payloads, record.messages, record.deferrable),
      );
    } catch (error) {
      await this.storeLater(error);
    }
    for (const payload of record.payloads) this.evidence.note(payload);
  }

  /** What the turn did, from its events; the words of the answer are only checked against them. */
  private receipt({ text }: TurnEnd): { receipt?: Receipt } {
    const receipt = receiptOf(this.evidence, text, this.runtime.view.todos);
    return receipt === null ? {} : { receipt };
  }

  private derive(work: () => void): void {
    if (this.recorder) this.recorder.derive(work);
    else work();
  }

  /** The end is told by what the view holds: steps and calls of the last moment have to be in it. */
  private async storeWaiting(): Promise<void> {
    try {
      this.runtime.log.flush();
    } catch (error) {
      // What goes on failing is met again, and told, by the record of the end.
      await this.storeLater(error).catch(() => undefined);
    }
  }

  private async storeLater(error: unknown): Promise<void> {
    if (!(error instanceof AppError) || error.code !== 'disk_full') throw error;
    this.hooks.onDiskFull(error);
    while (!this.abort.signal.aborted) {
      await wait(DISK_FULL_RETRY_MS, this.abort.signal);
      try {
        this.runtime.log.flush();
        return;
      } catch (again) {
        if (!(again instanceof AppError) || again.code !== 'disk_full') throw again;
      }
    }
    throw error;
  }

  /** Ends what is still open, keeps what the user said in the last moment, and writes the turn's end. */
  private async close(end: TurnEnd, deps: LoopDeps, startedAt: number): Promise<void> {
    const calls = openCalls(this.runtime.view, this.turnId);
    const messages: NewMessage[] = calls.map((call) => deps.history.append(resultMessage(call)));
    const payloads: TurnEventPayload[] = calls.map(closeCall);
    for (const said of deps.takeInterjections()) {
      const { message, event } = saidBetween(said);
      const kept = deps.history.append(message);
      messages.push(kept);
      payloads.push(event(kept.id));
    }
    payloads.push({
      type: 'turn.finished',
      reason: end.reason,
      steps: end.steps,
      text: end.text,
      durationMs: deps.now() - startedAt,
      ...(end.error === undefined ? {} : { error: end.error }),
      ...(end.why === undefined ? {} : { why: end.why }),
      ...this.receipt(end),
    });
    this.hooks.onClosing();
    await this.store({ payloads, messages });
  }
}
