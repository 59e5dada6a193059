import type { ChangeSetId, UndoneFile } from '../../../../shared/model/change';
import type { SessionId, TurnId } from '../../../../shared/model/ids';
import type { UndoFacts } from '../../../../shared/model/turn-event';
import type { SessionRuntime } from '../../session/session-runtime';
import { turnOf } from '../trace/turn-refs';
import { agentSteps, rejectedLabel } from './reject-plan';
import type { Choice } from './review-choice';

/** Files and lines that are named to the model; the rest is counted. */
const MAX_NAMED_FILES = 20;
const MAX_QUOTED_LINES = 12;
const MAX_QUOTED_CHARS = 160;
/** Files that an event lists. */
const MAX_LISTED = 100;

/** What a rejection means for one session: its choices, and the newest of its own turns among them. */
export interface ToldSession {
  sessionId: SessionId;
  /** Null when only its subagents made the changes. */
  turnId: TurnId | null;
  choices: Choice[];
}

/**
 * Whose changes are rejected, by session; those of subagents count as those of the session that the user sees.
 *
 * @param rootOf the user's own session that a session belongs to; null when it is gone
 */
export function sessionsOf(
  choices: readonly Choice[],
  rootOf: (id: SessionId) => SessionId | null,
): ToldSession[] {
  const told = new Map<SessionId, ToldSession>();
  const steps = choices.flatMap((choice) => agentSteps(choice).map(({ set }) => ({ choice, set })));
  for (const { choice, set } of steps.sort((a, b) => a.set.seq - b.set.seq)) {
    const turn = turnOf(set.author);
    const sessionId = turn && rootOf(turn.sessionId);
    if (turn === null || sessionId === null) continue;
    const known = told.get(sessionId) ?? { sessionId, turnId: null, choices: [] };
    if (!known.choices.includes(choice)) known.choices.push(choice);
    if (turn.sessionId === sessionId) known.turnId = turn.turnId;
    told.set(sessionId, known);
  }
  return [...told.values()];
}

const quoted = (text: string): string =>
  text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS).toWellFormed()}…` : text;

/** The lines that were refused, so that the model knows which of its changes that was. */
function refusedLines({ file, hunks, isAll }: Choice): string {
  if (file.lines === null || (isAll && (file.base === null || file.present === null))) return '';
  const { history, base, current } = file.lines;
  const text = (id: number): string => quoted(history.keyOf(id).split('\n')[0] ?? '');
  const lines = hunks.flatMap(({ change: [oldStart, oldEnd, newStart, newEnd] }) => [
    ...base.slice(oldStart, oldEnd).map((id) => `-${text(id)}`),
    ...Array.from(current.subarray(newStart, newEnd), (id) => `+${text(id)}`),
  ]);
  const more = lines.length > MAX_QUOTED_LINES ? `\n(${lines.length - MAX_QUOTED_LINES} more lines)` : '';
  return lines.length === 0 ? '' : `\n${lines.slice(0, MAX_QUOTED_LINES).join('\n')}${more}`;
}

/** What the model is told, so that it does not build on what is gone, nor make the same change again. */
export function rejectionNote(choices: readonly Choice[]): string {
  const named = choices.slice(0, MAX_NAMED_FILES).map((choice) => {
    const { file, isAll } = choice;
    const what =
      isAll && file.base === null
        ? 'removed again'
        : isAll && file.present === null
          ? 'put back'
          : 'as before in these lines';
    return `${file.path}: ${what}${refusedLines(choice)}`;
  });
  const others = choices.length > named.length ? [`and ${choices.length - named.length} more files`] : [];
  return [
    `<context>The user reviewed your changes and rejected ${rejectedLabel(choices)}. What was rejected is gone from the files; read them again before you edit them, and do not make the same change again unless the user asks for it.`,
    ...named,
    ...others,
  ]
    .join('\n')
    .concat('</context>');
}

/** What the transcript of a session shows of it. */
export function rejectionFacts(
  { turnId, choices }: Pick<ToldSession, 'turnId' | 'choices'>,
  setId: ChangeSetId | null,
  files: readonly UndoneFile[],
): UndoFacts {
  const paths = new Set(choices.flatMap(({ file }) => [file.path, file.movedFrom]));
  const own = files.filter(({ path }) => paths.has(path));
  return {
    ...{ setId, cause: 'reject', targetTurnId: turnId, targetCallId: null },
    label: rejectedLabel(choices),
    files: own.slice(0, MAX_LISTED),
    more: Math.max(0, own.length - MAX_LISTED),
    conflicts: [],
  };
}

/** Puts the rejection into a session's log and history; the caller holds the session between its turns. */
export function tellRejected(
  runtime: SessionRuntime,
  told: ToldSession,
  under: TurnId,
  undo: UndoFacts,
): void {
  const note = runtime.history.append({ role: 'user', content: rejectionNote(told.choices) });
  runtime.log.append(under, [{ type: 'files.undone', undo }], [note]);
}
