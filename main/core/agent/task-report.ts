import type { SessionSummary } from '../../../shared/model/session';
import type { SessionView } from '../../../shared/model/session-view';
import type { TurnEnd } from '../turn/turn-types';
import type { TaskReport } from './task-port';

/** Characters of a subagent's answer that its parent sees. */
export const TASK_RESULT_CHARS = 8_000;

/** What the subagent wrote last. */
function lastText(view: SessionView): string {
  const step = view.items.findLast((item) => item.kind === 'step' && item.text.trim() !== '');
  return step?.kind === 'step' ? step.text.trim() : '';
}

const facts = ({ id, spentTokens, costMicros }: SessionSummary, agent: string) => ({
  taskId: id,
  agent,
  tokens: spentTokens,
  costMicros,
});

/** The report of a subagent whose turn ended in this process. */
export function endReport(child: SessionSummary, agent: string, view: SessionView, end: TurnEnd): TaskReport {
  const failure = end.error ? [end.error.message, end.error.hint ?? ''].filter(Boolean).join(' ') : '';
  const written = end.text.trim() === '' ? lastText(view) : end.text.trim();
  return {
    ...facts(child, agent),
    state: 'ended',
    reason: end.reason,
    text: end.reason === 'error' ? [failure, written].filter(Boolean).join('\n\n') : written,
    steps: end.steps,
    maxSteps: end.steps,
  };
}

/** The report of a subagent by what is stored of it: running elsewhere, ended before a restart, or never started. */
export function storedReport(child: SessionSummary, agent: string, view: SessionView): TaskReport {
  const live = view.live;
  const base = { ...facts(child, agent), text: '', steps: live?.step ?? 0, maxSteps: live?.maxSteps ?? 0 };
  if (live) return { ...base, state: 'running' };
  if (!view.lastEnd) return { ...base, state: 'not_started' };
  const reason = child.activity === 'interrupted' ? 'interrupted' : view.lastEnd.reason;
  const end = view.items.findLast((item) => item.kind === 'end');
  const steps = end?.kind === 'end' ? end.steps : 0;
  return { ...base, state: 'ended', reason, text: lastText(view), steps, maxSteps: steps };
}

const ENDINGS: Readonly<Record<NonNullable<TaskReport['reason']>, string>> = {
  done: 'finished',
  step_limit: 'reached its limit of steps; what it found so far:',
  stopped: 'was stopped by the user before it finished',
  repeated_calls: 'was stopped since it went round in circles',
  budget: 'was stopped: the budget is used up',
  error: 'failed',
  interrupted:
    'was interrupted when Lathe was closed; what it did is unknown. Its session can be continued by the user',
};

const money = (micros: number): string => (micros === 0 ? '' : `, $${(micros / 1_000_000).toFixed(4)}`);

/** The report as the parent's model reads it. */
export function reportText(report: TaskReport): string {
  const { agent, state, reason, text, steps, maxSteps, tokens, costMicros } = report;
  const name = `The subagent ${agent}`;
  if (state === 'queued') return `${name} waits for a free place; other subagents are running.`;
  if (state === 'running') return `${name} is still running: step ${steps} of at most ${maxSteps}.`;
  if (state === 'not_started') return `${name} never started.`;
  const shown =
    text.length > TASK_RESULT_CHARS
      ? `${text.slice(0, TASK_RESULT_CHARS).toWellFormed()}\n[cut: ${text.length} characters in all]`
      : text;
  const spent = `${steps} ${steps === 1 ? 'step' : 'steps'}, ${tokens.toLocaleString('en')} tokens${money(costMicros)}`;
  return `${name} ${ENDINGS[reason ?? 'done']} (${spent}).\n\n${shown || '(no answer)'}`;
}

/** A subagent that the user stopped is no failure: the parent is told and goes on. */
export const hasFailed = ({ state, reason }: TaskReport): boolean =>
  state === 'not_started' || reason === 'error' || reason === 'interrupted';
