const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A finished span: `12 ms`, `1.8 s`, `47 s`, `2:05`, `1:02:03`. */
export function formatSpan(ms: number): string {
  if (ms < SECOND) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10 * SECOND) return `${(ms / SECOND).toFixed(1)} s`;
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  return formatClock(ms);
}

/** A running clock: `0:47`, `12:05`, `1:02:03`. */
export function formatClock(ms: number): string {
  const total = Math.max(0, Math.floor(ms / SECOND));
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor(total / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(total % 60)}` : `${minutes}:${two(total % 60)}`;
}

/** Tokens as `950`, `4.2k`, `49k`, `1.2M`; estimated ones get a `~` before. */
export function formatTokens(tokens: number, estimated = false): string {
  return (estimated ? '~' : '') + shortNumber(tokens);
}

function shortNumber(value: number): string {
  if (value < 1000) return String(value);
  if (value < 9950) return `${trimZero(value / 1000)}k`;
  if (value < 999_500) return `${Math.round(value / 1000)}k`;
  return `${trimZero(value / 1_000_000)}M`;
}

const trimZero = (value: number): string => value.toFixed(1).replace(/\.0$/, '');

/** `1 file`, `3 files`. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}

const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);
const daysBetween = (earlier: number, later: number): number =>
  Math.round((startOfDay(later) - startOfDay(earlier)) / DAY);

/** How long ago, short enough for the end of a row: `now`, `12 min`, `3 h`, `Thu`, `14 Mar`, `14 Mar 2024`. */
export function formatAgo(at: number, now: number): string {
  const past = now - at;
  if (past < MINUTE) return 'now';
  if (past < HOUR) return `${Math.floor(past / MINUTE)} min`;
  const days = daysBetween(at, now);
  if (days === 0) return `${Math.floor(past / HOUR)} h`;
  const date = new Date(at);
  if (days < 7) return date.toLocaleDateString('en', { weekday: 'short' });
  const sameYear = date.getFullYear() === new Date(now).getFullYear();
  return date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
  });
}

/** The heading under which something of `at` is listed. */
export function dayGroup(at: number, now: number): 'Today' | 'Yesterday' | 'Last week' | 'Older' {
  const days = daysBetween(at, now);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return days <= 7 ? 'Last week' : 'Older';
}

/** An absolute path with the home folder as `~`; `homeDir` '' leaves it as it is. */
export function formatPath(path: string, homeDir: string): string {
  if (homeDir === '' || !path.startsWith(homeDir)) return path;
  const rest = path.slice(homeDir.length);
  return rest === '' || rest.startsWith('/') || rest.startsWith('\\') ? `~${rest}` : path;
}

/** A path's folder (with its slash, '' for none) and name. */
export function splitPath(path: string): { folder: string; name: string } {
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
  return { folder: path.slice(0, cut), name: path.slice(cut) };
}
