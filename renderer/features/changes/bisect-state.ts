import type { BisectProgress } from '../../../shared/contract/changes';

/** One place of the log at which the command was run. */
export interface BisectPoint {
  run: number;
  label: string;
  /** Null while it runs. */
  passed: boolean | null;
}

type Result = Extract<BisectProgress, { kind: 'found' | 'nothing' }>;

export interface BisectState {
  phase: 'idle' | 'running' | 'stopped' | 'done';
  /** Files to be copied before the first run; null when that is over. */
  copying: number | null;
  points: readonly BisectPoint[];
  /** The most runs that are to be expected. */
  most: number;
  /** End of the newest run's output. */
  output: string;
  result: Result | null;
}

export const NO_BISECT: BisectState = {
  phase: 'idle',
  copying: null,
  points: [],
  most: 0,
  output: '',
  result: null,
};

/** A run that goes on tells more of itself: it takes the place of what it told before. */
function withPoint(points: readonly BisectPoint[], point: BisectPoint): BisectPoint[] {
  const rest = points.filter(({ run }) => run !== point.run);
  return [...rest, point].sort((left, right) => left.run - right.run);
}

/** What is known after one more message. */
export function nextBisect(state: BisectState, message: BisectProgress): BisectState {
  switch (message.kind) {
    case 'copying':
      return { ...state, copying: message.files };
    case 'run': {
      const { run, label, passed, most, output } = message;
      return {
        ...state,
        copying: null,
        points: withPoint(state.points, { run, label, passed }),
        most,
        output,
      };
    }
    case 'found':
    case 'nothing':
      return { ...state, phase: 'done', copying: null, result: message };
  }
}

/** Where it is, as a sentence. */
export function bisectWords({ phase, copying, points, most, result }: BisectState): string {
  if (phase === 'idle') return '';
  const runs = result?.runs ?? points.length;
  const count = `${runs} run${runs === 1 ? '' : 's'}`;
  if (phase === 'stopped') return `Stopped after ${count}.`;
  if (phase === 'done')
    return result?.kind === 'found' ? `Found after ${count}.` : `Nothing found after ${count}.`;
  if (copying !== null) return `Copying ${copying.toLocaleString('en')} files…`;
  return points.length === 0 ? 'Starting…' : `Run ${points.length} of ${most} at most`;
}
