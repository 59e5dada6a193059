/** Time as a sleep shows in it; tests bring their own. */
export interface SleepClocks {
  /** Milliseconds that stand still while the machine sleeps. */
  monotonic(): number;
  /** Milliseconds that go on. */
  wall(): number;
}

export const systemClocks: SleepClocks = { monotonic: () => performance.now(), wall: () => Date.now() };

export interface SleepLimits {
  /** How often the clocks are compared. */
  tickMs: number;
  /** The clocks part by at least this much in a sleep; less is a clock being put right. */
  jumpMs: number;
  /** After a jump a connection that lives has to show it within this time. */
  graceMs: number;
}

/** Tick and grace together stay below the ten seconds in which a broken connection has to be told (fault-F36). */
export const SLEEP_LIMITS: SleepLimits = { tickMs: 2_000, jumpMs: 20_000, graceMs: 6_000 };

/**
 * Notices that the machine slept while a response streams: the wall clock jumped ahead of the monotonic one, or time passed
 * without this process. A connection is dead after that more often than not, and says nothing; so it gets a short time to
 * show a byte. A mere change of the system time does no harm then.
 */
export class SleepWatch {
  private readonly timer: NodeJS.Timeout;
  private drift: number;
  private tickedAt: number;
  private wokenAt: number | null = null;

  /**
   * @param lastByteAt when the last byte came, on the monotonic clock; null before the first one
   * @param onDead called once, when nothing came within the grace
   */
  constructor(
    private readonly lastByteAt: () => number | null,
    private readonly onDead: () => void,
    private readonly limits: SleepLimits = SLEEP_LIMITS,
    private readonly clocks: SleepClocks = systemClocks,
  ) {
    this.tickedAt = clocks.monotonic();
    this.drift = clocks.wall() - this.tickedAt;
    this.timer = setInterval(() => this.tick(), limits.tickMs);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** One look at the clocks. */
  tick(): void {
    const now = this.clocks.monotonic();
    const drift = this.clocks.wall() - now;
    const { jumpMs, graceMs } = this.limits;
    // Before the first byte a gap alone may be a model on this machine that takes all of it.
    const gap = this.lastByteAt() !== null && now - this.tickedAt >= jumpMs;
    const slept = drift - this.drift >= jumpMs || gap;
    this.drift = drift;
    this.tickedAt = now;
    if (slept) this.wokenAt = now;
    if (this.wokenAt === null) return;
    const byteAt = this.lastByteAt();
    if (byteAt !== null && byteAt > this.wokenAt) this.wokenAt = null;
    else if (now - this.wokenAt >= graceMs) {
      this.stop();
      this.onDead();
    }
  }
}
