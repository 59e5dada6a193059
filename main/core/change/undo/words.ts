import type { UndoneFile } from '../../../../shared/model/change';
import type { UndoFacts } from '../../../../shared/model/turn-event';

const MAX_NAMED = 20;

/** Files that an event lists; the log has all of them. */
const MAX_LISTED = 200;

/** The files as an event tells them. */
export const listed = (files: readonly UndoneFile[]): Pick<UndoFacts, 'files' | 'more'> => ({
  files: files.slice(0, MAX_LISTED),
  more: Math.max(0, files.length - MAX_LISTED),
});

const SETTLED: Readonly<Record<UndoneFile['outcome'], string>> = {
  restored: 'as before',
  merged: 'as before except for later changes, which stay',
  unchanged: 'not changed by this',
  conflict: 'left alone, since the same lines were changed later',
  not_kept: 'left alone, since the former content is not kept',
};

/** How an entry of the log is called. */
export function entryLabel(cause: UndoFacts['cause'], label: string): string {
  switch (cause) {
    case 'undo':
      return `Undid ${label}`;
    case 'redo':
      return `Redid ${label}`;
    case 'restore':
      return `Took back ${label}`;
    case 'resolve':
      return `Resolved a conflict of ${label}`;
    case 'reject':
      return `Rejected ${label}`;
  }
}

/** What the model is told, so that it does not build on edits that are gone. */
export function noteFor({ cause, label, files, more }: UndoFacts): string {
  const what = cause === 'redo' ? `The user took the undo of ${label} back` : `The user took back ${label}`;
  const named = files.slice(0, MAX_NAMED).map(({ path, outcome }) => `${path}: ${SETTLED[outcome]}`);
  const others = files.length - named.length + more;
  const list = others > 0 ? [...named, `and ${others} more files`] : named;
  const isBack =
    cause === 'redo' ? 'Its changes are in the files again' : 'Those changes are gone from the files';
  const told = list.length === 0 ? '' : `\n${list.join('\n')}`;
  return `<context>${what}. ${isBack}; read files again before you edit them.${told}</context>`;
}
