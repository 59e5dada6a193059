import { CallId, SessionId } from '../../../shared/model/ids';
import type { SessionView } from '../../../shared/model/session-view';

/** One call's change of one file. */
export interface EditRef {
  readonly sessionId: SessionId;
  readonly callId: CallId;
  readonly path: string;
}

/** The shortcut that puts an edit side by side, wherever it is shown. */
export const OPEN_DIFF_KEYS = 'Mod+Shift+D';

/** What is looked at first: a write that waits for approval, else the newest edit. */
export function newestEdit(view: SessionView): Omit<EditRef, 'sessionId'> | null {
  for (const { callId, subject } of view.approvals) {
    const diff = subject.kind === 'write' ? subject.diffs[0] : undefined;
    if (diff) return { callId, path: diff.path };
  }
  for (const item of view.items.toReversed()) {
    const call = item.kind === 'step' ? item.calls.findLast(({ diffs }) => diffs.length > 0) : undefined;
    const entry = call?.diffs.at(-1);
    if (call && entry) return { callId: call.callId, path: entry.diff.path };
  }
  return null;
}

/** Marks a card as showing an edit, for {@link editAt}. */
export const editMark = ({ sessionId, callId, path }: EditRef) => ({
  'data-session': sessionId,
  'data-call': callId,
  'data-path': path,
});

/** The edit whose card holds `element`. */
export function editAt(element: Element | null): EditRef | null {
  const { session, call, path } = element?.closest<HTMLElement>('[data-session][data-call]')?.dataset ?? {};
  if (session === undefined || call === undefined || path === undefined) return null;
  return { sessionId: SessionId.parse(session), callId: CallId.parse(call), path };
}
