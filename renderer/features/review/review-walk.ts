import type { Stop } from '../../lib/review/review-blocks';

export type Step = 'next' | 'previous' | 'nextFile' | 'previousFile' | 'first' | 'last';

const indexOf = (stops: readonly Stop[], current: string | null): number =>
  stops.findIndex(({ key }) => key === current);

function stepFile(stops: readonly Stop[], from: number, by: 1 | -1): number {
  const path = stops[from]?.file.path;
  const beginning = (at: number): number => stops.findIndex(({ file }) => file.path === stops[at]?.file.path);
  const first = beginning(from);
  if (by < 0) return first < from ? first : first === 0 ? 0 : beginning(first - 1);
  const next = stops.findIndex(({ file }, at) => at > from && file.path !== path);
  return next < 0 ? stops.length - 1 : next;
}

/** Where a step leads from the current stop; the ends hold. Null when there is nothing to stop at. */
export function walk(stops: readonly Stop[], current: string | null, step: Step): Stop | null {
  const known = indexOf(stops, current);
  const from = Math.max(0, known);
  const goals: Record<Step, () => number> = {
    next: () => (known < 0 ? 0 : Math.min(stops.length - 1, from + 1)),
    previous: () => Math.max(0, from - 1),
    nextFile: () => stepFile(stops, from, 1),
    previousFile: () => stepFile(stops, from, -1),
    first: () => 0,
    last: () => stops.length - 1,
  };
  return stops[goals[step]()] ?? null;
}

/** Where the focus goes when `gone` are decided: what follows the current one, else what is before it. */
export function afterDecision(
  stops: readonly Stop[],
  current: string | null,
  gone: ReadonlySet<string>,
): Stop | null {
  const from = Math.max(0, indexOf(stops, current));
  const stays = (stop: Stop): boolean => !gone.has(stop.key);
  return stops.slice(from).find(stays) ?? stops.slice(0, from).findLast(stays) ?? null;
}

/** The stop that stands where one was that has gone without a decision here. */
export function nearest(stops: readonly Stop[], previous: readonly Stop[], current: string): Stop | null {
  const known = stops.find(({ key }) => key === current);
  if (known) return known;
  const at = indexOf(previous, current);
  const still = new Set(stops.map(({ key }) => key));
  const next = previous.slice(at + 1).find(({ key }) => still.has(key));
  const before = previous.slice(0, Math.max(0, at)).findLast(({ key }) => still.has(key));
  // A file whose hunks have just come: its first one.
  const place = previous[at];
  const inside = place?.hunk === null ? stops.find(({ file }) => file.path === place.file.path) : undefined;
  const key = (next ?? before)?.key;
  return inside ?? stops.find((stop) => stop.key === key) ?? stops[0] ?? null;
}

/** What a key of the review does; null for keys that belong to somebody else. */
export type KeyAction =
  | { readonly kind: 'step'; readonly step: Step }
  | { readonly kind: 'decide'; readonly verdict: 'accept' | 'reject'; readonly scope: 'hunk' | 'file' }
  | { readonly kind: 'open' | 'undo' | 'leave' };

interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

const step = (to: Step): KeyAction => ({ kind: 'step', step: to });
const decision = (verdict: 'accept' | 'reject', scope: 'hunk' | 'file'): KeyAction => ({
  ...{ kind: 'decide', verdict, scope },
});

const KEYS: Readonly<Record<string, KeyAction>> = {
  j: step('next'),
  ArrowDown: step('next'),
  k: step('previous'),
  ArrowUp: step('previous'),
  n: step('nextFile'),
  p: step('previousFile'),
  Home: step('first'),
  End: step('last'),
  a: decision('accept', 'hunk'),
  r: decision('reject', 'hunk'),
  A: decision('accept', 'file'),
  R: decision('reject', 'file'),
  Enter: { kind: 'open' },
  u: { kind: 'undo' },
  Escape: { kind: 'leave' },
};

export function keyAction({ key, ctrlKey, metaKey, altKey }: Press): KeyAction | null {
  return ctrlKey || metaKey || altKey ? null : (KEYS[key] ?? null);
}

export const LEGEND: readonly { readonly keys: readonly string[]; readonly what: string }[] = [
  { keys: ['J', 'K'], what: 'change' },
  { keys: ['N', 'P'], what: 'file' },
  { keys: ['A'], what: 'accept' },
  { keys: ['R'], what: 'reject' },
  { keys: ['Shift+A', 'Shift+R'], what: 'whole file' },
  { keys: ['U'], what: 'undo' },
  { keys: ['Enter'], what: 'open' },
  { keys: ['Esc'], what: 'chat' },
];
