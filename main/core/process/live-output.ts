export type OutputListener = (stream: 'stdout' | 'stderr', text: string) => void;

const FLUSH_MS = 40;
/** Per flush and stream: what a person can't read anyway is left out. */
const MAX_FLUSH_CHARS = 8 * 1024;
/** Per command: beyond it the panes show the result only. */
const MAX_LIVE_CHARS = 256 * 1024;

export interface LiveOutput {
  push(stream: 'stdout' | 'stderr', text: string): void;
  /** Hands over what waits. */
  flush(): void;
}

/** Batches output for the panes, so that a command that prints without end can't drown them. */
export function createLiveOutput(listener: OutputListener): LiveOutput {
  const waiting = { stdout: '', stderr: '' };
  let timer: NodeJS.Timeout | null = null;
  let sent = 0;

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    for (const stream of ['stdout', 'stderr'] as const) {
      const text = waiting[stream];
      waiting[stream] = '';
      if (text === '' || sent >= MAX_LIVE_CHARS) continue;
      sent += text.length;
      listener(stream, sent < MAX_LIVE_CHARS ? text : `${text}\n[… more output follows …]\n`);
    }
  }

  return {
    push(stream, text) {
      if (text === '' || sent >= MAX_LIVE_CHARS) return;
      const whole = waiting[stream] + text;
      waiting[stream] = whole.length > MAX_FLUSH_CHARS ? `[…]${whole.slice(-MAX_FLUSH_CHARS)}` : whole;
      timer ??= setTimeout(flush, FLUSH_MS);
    },
    flush,
  };
}
