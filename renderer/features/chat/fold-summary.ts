import type { CallView } from '../../../shared/model/session-view';
import type { CallState } from '../../../shared/model/turn-event';

/** One phrase for a number of calls of one tool; `label` is what the single call says of itself. */
type Phrase = (count: number) => string;

const PHRASES: Readonly<Record<string, Phrase>> = {
  read_file: (n) => `read ${n} files`,
  list_dir: (n) => `listed ${n} folders`,
  glob: (n) => `looked for files ${times(n)}`,
  grep: (n) => `searched ${times(n)}`,
  edit_file: (n) => `edited ${times(n)}`,
  write_file: (n) => `wrote ${n} files`,
  apply_patch: (n) => `patched ${times(n)}`,
  run_command: (n) => `ran ${n} commands`,
  git_log: (n) => `read the history ${times(n)}`,
  ask_user: (n) => `asked you ${times(n)}`,
  todo: () => 'updated the to-do list',
};

const times = (n: number): string => (n === 2 ? 'twice' : `${n} times`);

const FINAL: ReadonlySet<CallState> = new Set(['success', 'error', 'denied', 'cancelled']);

export const isFinal = (call: CallView): boolean => FINAL.has(call.state);

/** What a finished step did, as one line with code in backticks: "Read 3 files, searched `sleep(`". */
export function foldSummary(calls: readonly CallView[]): string {
  const byTool = Map.groupBy(calls, (call) => call.tool);
  return upperFirst([...byTool].map(([tool, list]) => toolPhrase(tool, list)).join(', '));
}

/** What went wrong in a step: "1 failed, 1 denied"; '' when nothing did. It is never cut off with the summary. */
export function foldTroubles(calls: readonly CallView[]): string {
  return [
    countOf(calls, 'error', 'failed'),
    countOf(calls, 'denied', 'denied'),
    countOf(calls, 'cancelled', 'cancelled'),
  ]
    .filter((text) => text !== null)
    .join(', ');
}

function toolPhrase(tool: string, list: readonly CallView[]): string {
  const phrase = PHRASES[tool];
  if (list.length > 1 && phrase) return phrase(list.length);
  return list.map((call) => lowerFirst(call.label)).join(', ');
}

function countOf(calls: readonly CallView[], state: CallState, word: string): string | null {
  const count = calls.filter((call) => call.state === state).length;
  return count === 0 ? null : `${count} ${word}`;
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Leaves names alone: only a plain word at the start loses its capital. */
const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]+( |$)/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/** From the first call's start to the last one's end, in milliseconds; null while one of them still runs. */
export function foldDuration(calls: readonly CallView[]): number | null {
  if (
    calls.some(
      (call) => call.durationMs === undefined && call.state !== 'denied' && call.state !== 'cancelled',
    )
  ) {
    return null;
  }
  const from = Math.min(...calls.map((call) => call.startedAt));
  const to = Math.max(...calls.map((call) => call.startedAt + (call.durationMs ?? 0)));
  return to - from;
}

/** The worst of what happened decides the row's sign. */
export function foldState(calls: readonly CallView[]): CallState {
  const order: readonly CallState[] = [
    'error',
    'denied',
    'awaiting_approval',
    'running',
    'validating',
    'cancelled',
  ];
  return order.find((state) => calls.some((call) => call.state === state)) ?? 'success';
}

/** Who refused, in words. */
export function deniedWords(call: CallView): string {
  switch (call.by) {
    case 'user':
      return 'Denied by you';
    case 'timeout':
      return 'Denied, no answer in time';
    case 'mode':
      return 'Not allowed in this mode';
    case 'rule':
    case 'grant':
    case 'policy':
      return 'Denied by a rule';
    case 'stop':
      return 'Stopped before it ran';
    case 'guard':
      return 'Not run: it led nowhere';
    case 'flag':
      return 'Denied by a start option';
    case undefined:
      return 'Denied';
  }
}
