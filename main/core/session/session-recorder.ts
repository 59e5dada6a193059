import type { LoopDeps, Turn } from '../turn/turn-types';
import type { LogTape } from './event-log';

/** Listens to all that comes into a session, or stands in for it when a recording is played. */
export interface SessionRecorder extends LogTape {
  /** An id that a turn asked for. */
  id(id: string): string;
  /** Another process wrote to the session in between. */
  reboot(): void;
  /** The dependencies of a turn, listened to or replaced. */
  wrap(deps: LoopDeps): LoopDeps;
  started(turn: Turn): void;
  /** Runs what the loop itself brought about: on replay it comes out of the loop again, so it is no input. */
  derive<T>(work: () => T): T;
  stopped(): void;
  /** A stopped turn was closed without waiting for its loop. */
  forced(): void;
  ended(): void;
}
