import type { Endpoint } from './errors';
import { ModelError } from './model-error';
import { seconds } from './network-error';
import { SleepWatch, type SleepClocks, type SleepLimits } from './sleep-watch';

/** Limits of one request in milliseconds; 0 = no limit (fault-F40). */
export interface StreamLimits {
  connectMs: number;
  /** From sending the request to the first byte of the body. */
  firstByteMs: number;
  /** Between any two bytes; comments count. */
  idleMs: number;
  /** Between any two events with data; comments do not count (fault-F16). */
  progressMs: number;
}

/** Faults.md §1.5, rule 4. */
export const DEFAULT_LIMITS: StreamLimits = {
  connectMs: 15_000,
  firstByteMs: 120_000,
  idleMs: 90_000,
  progressMs: 600_000,
};

/** Models on this machine may think minutes over a long prompt before the first byte. */
export const LOCAL_LIMITS: StreamLimits = { ...DEFAULT_LIMITS, firstByteMs: 600_000, idleMs: 300_000 };

/**
 * Watches one response. A single timer looks at time stamps instead of being set anew for every chunk.
 *
 * @param onExpire gets the failure once; closing the connection is its job
 */
export class StreamClocks {
  private readonly startedAt = performance.now();
  private byteAt: number | null = null;
  private dataAt = this.startedAt;
  private timer: NodeJS.Timeout | undefined;
  private readonly sleep: SleepWatch;

  constructor(
    private readonly limits: StreamLimits,
    private readonly endpoint: Endpoint,
    private readonly onExpire: (error: ModelError) => void,
    sleep: { limits?: SleepLimits; clocks?: SleepClocks } = {},
  ) {
    const dead = (): void => {
      this.stop();
      onExpire(this.asleep());
    };
    this.sleep = new SleepWatch(() => this.byteAt, dead, sleep.limits, sleep.clocks);
    this.arm();
  }

  /** Bytes arrived, of whatever kind. */
  readonly alive = (): void => {
    const first = this.byteAt === null;
    this.byteAt = performance.now();
    // The idle limit may be shorter than what is left of the first-byte limit.
    if (first) this.arm();
  };

  /** An event with data arrived. */
  readonly progress = (): void => {
    this.dataAt = performance.now();
  };

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.sleep.stop();
  }

  private arm(): void {
    clearTimeout(this.timer);
    const next = Math.min(...this.deadlines().map(({ at }) => at));
    if (!Number.isFinite(next)) return;
    // Timers may fire a fraction early: one more millisecond saves a second round.
    this.timer = setTimeout(() => this.look(), Math.max(1, next - performance.now() + 1));
  }

  private look(): void {
    const now = performance.now();
    const expired = this.deadlines().find(({ at }) => at <= now);
    if (expired === undefined) this.arm();
    else this.onExpire(this.failure(expired.what));
  }

  private deadlines(): { at: number; what: string }[] {
    const { firstByteMs, idleMs, progressMs } = this.limits;
    const waits =
      this.byteAt === null
        ? [
            {
              from: this.startedAt,
              ms: firstByteMs,
              what: `did not begin to answer within ${seconds(firstByteMs)}`,
            },
          ]
        : [
            { from: this.byteAt, ms: idleMs, what: `was silent for ${seconds(idleMs)}` },
            { from: this.dataAt, ms: progressMs, what: `made no progress for ${seconds(progressMs)}` },
          ];
    return waits.filter(({ ms }) => ms > 0).map(({ from, ms, what }) => ({ at: from + ms, what }));
  }

  private asleep(): ModelError {
    const { host, model } = this.endpoint;
    return new ModelError(
      'provider_unreachable',
      `The connection to ${host} did not survive while this computer slept.`,
      { detail: { host, model, reason: 'sleep' }, hint: 'Try again, or continue.', retry: { limit: 5 } },
    );
  }

  private failure(what: string): ModelError {
    const { host, model, local } = this.endpoint;
    return new ModelError('provider_timeout', `${host} ${what}.`, {
      detail: { host, model },
      hint: local
        ? 'The model may be too large for this machine. Try again or choose a smaller one.'
        : 'Try again, or choose another model.',
      retry: { limit: 5 },
    });
  }
}
