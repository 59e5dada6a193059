import { z } from 'zod';
import { AppError } from '../../../shared/error';
import type { StateStore } from '../store/types';

const SCOPE = 'lease';
/** A lease whose holder has not beaten for this long counts as abandoned, even when its process id was given to another. */
const STALE_MS = 30_000;
const BEAT_MS = 10_000;

const Lease = z.object({ pid: z.int(), beatAt: z.number() });

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** One writer per session over all processes that share the store: a row with the holder's process id and a heartbeat. */
export class WriterLease {
  private readonly beats = new Map<string, NodeJS.Timeout>();

  constructor(
    private readonly state: StateStore,
    /** Told when a heartbeat or the release can't be written: the lease then goes stale by itself. */
    private readonly onError: (error: unknown) => void = () => undefined,
  ) {}

  /** Process id of another live holder, or null. */
  heldByOther(sessionId: string): number | null {
    const lease = Lease.safeParse(this.state.get(SCOPE, sessionId));
    if (!lease.success || lease.data.pid === process.pid) return null;
    const fresh = Date.now() - lease.data.beatAt < STALE_MS;
    return fresh && alive(lease.data.pid) ? lease.data.pid : null;
  }

  /** @throws AppError `busy` when another live process writes this session */
  refuseOther(sessionId: string): void {
    const other = this.heldByOther(sessionId);
    if (other === null) return;
    throw new AppError('busy', `This session is running in another Lathe process (${other}).`, {
      hint: 'Wait until its turn ends, or stop it there.',
    });
  }

  /** @throws AppError as `refuseOther`; `busy` also when this process holds it already; `disk_full` */
  take(sessionId: string): void {
    this.refuseOther(sessionId);
    if (this.beats.has(sessionId)) {
      throw new AppError('busy', 'This session is being changed right now.', {
        hint: 'Try again in a moment.',
      });
    }
    this.beat(sessionId);
    const timer = setInterval(() => this.quietly(() => this.beat(sessionId)), BEAT_MS);
    timer.unref();
    this.beats.set(sessionId, timer);
  }

  release(sessionId: string): void {
    clearInterval(this.beats.get(sessionId));
    this.beats.delete(sessionId);
    this.quietly(() => this.state.set(SCOPE, sessionId, null));
  }

  /** A full disk must neither end the process nor keep a turn from ending. */
  private quietly(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.onError(error);
    }
  }

  private beat(sessionId: string): void {
    this.state.set(SCOPE, sessionId, { pid: process.pid, beatAt: Date.now() });
  }
}
