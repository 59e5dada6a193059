/** Longest wait a server may ask for; more is told to the user instead of waited out (faults.md §1.5). */
export const MAX_SERVER_WAIT_MS = 5 * 60_000;

export type HeaderReader = (name: string) => string | undefined;

/**
 * How long the server asks to wait, in milliseconds; null when it says nothing usable (fault-F27).
 *
 * Read in this order: `retry-after-ms`, `retry-after` (seconds or HTTP date), and with status 429
 * `x-ratelimit-reset-requests` / `-tokens` in the form `1m2s`. Negative values and garbage count as nothing said.
 *
 * @param nowEpochMs wall clock, for HTTP dates
 */
export function serverWaitMs(header: HeaderReader, status: number | null, nowEpochMs: number): number | null {
  const inMs = positive(header('retry-after-ms'));
  if (inMs !== null) return inMs;
  const after = header('retry-after');
  if (after !== undefined) {
    const seconds = positive(after);
    if (seconds !== null) return Math.round(seconds * 1000);
    const date = /[a-z]{3}/i.test(after) ? Date.parse(after) : Number.NaN;
    if (!Number.isNaN(date)) return Math.max(0, date - nowEpochMs);
  }
  if (status !== 429) return null;
  const resets = ['x-ratelimit-reset-requests', 'x-ratelimit-reset-tokens']
    .map((name) => durationMs(header(name) ?? ''))
    .filter((value) => value !== null);
  return resets.length === 0 ? null : Math.max(...resets);
}

function positive(text: string | undefined): number | null {
  if (text === undefined || !/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return null;
  return Number(text);
}

const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `1m2s`, `250ms`, `17s`, `1h30m` in milliseconds; null for anything else. */
export function durationMs(text: string): number | null {
  const trimmed = text.trim();
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(trimmed)) return null;
  let total = 0;
  for (const [, amount, unit] of trimmed.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)) {
    total += Number(amount) * (UNIT_MS[unit ?? ''] ?? 0);
  }
  return Math.round(total);
}
