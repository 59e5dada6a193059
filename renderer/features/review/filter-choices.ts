import type { ReviewFilter } from '../../../shared/contract/changes';
import type { ReviewFile, TurnRef } from '../../../shared/model/change';
import { SessionId, TurnId } from '../../../shared/model/ids';
import { turnWords } from '../../lib/review/review-words';
import type { Choice } from '../../ui/select';

/** A filter as the value of a select. */
export const filterValue = ({ sessionId, turnId }: ReviewFilter): string =>
  sessionId === null ? 'all' : [sessionId, turnId ?? ''].join('\n');

export function filterOf(value: string): ReviewFilter {
  if (value === 'all') return { sessionId: null, turnId: null };
  const [session = '', turn = ''] = value.split('\n');
  return { sessionId: SessionId.parse(session), turnId: turn === '' ? null : TurnId.parse(turn) };
}

function turnsOf(files: readonly ReviewFile[]): TurnRef[] {
  const byId = new Map(files.flatMap(({ turns }) => turns).map((turn) => [turn.turnId, turn]));
  return [...byId.values()].toSorted((left, right) => right.at - left.at);
}

/** `Turn 3: …` of several sessions would be the same words for different turns. */
const withSession = (turn: TurnRef, several: boolean): string =>
  several ? `${turn.sessionTitle} · ${turnWords(turn)}` : turnWords(turn);

/**
 * What the list can be narrowed to: all, the session in the chat, other sessions, and each turn, the newest first. The
 * chosen one stays in the list when nothing of it is pending any more.
 */
export function filterChoices(
  files: readonly ReviewFile[],
  activeSession: string | null,
  chosen: ReviewFilter,
): Choice[] {
  const turns = turnsOf(files);
  const titles = new Map<string, string>(
    turns.map(({ sessionId, sessionTitle }) => [sessionId, sessionTitle]),
  );
  const choices: Choice[] = [{ value: 'all', label: 'All changes' }];
  const session = (id: string, label: string): void => void choices.push({ value: `${id}\n`, label });
  if (activeSession !== null) session(activeSession, 'This session');
  if (titles.size > 1 || activeSession === null)
    for (const [id, title] of titles) if (id !== activeSession) session(id, `Session: ${title}`);
  for (const turn of turns)
    choices.push({ value: filterValue(turn), label: withSession(turn, titles.size > 1) });
  const value = filterValue(chosen);
  if (!choices.some((choice) => choice.value === value))
    choices.push({ value, label: chosen.turnId === null ? 'Another session' : 'A reviewed turn' });
  return choices;
}
