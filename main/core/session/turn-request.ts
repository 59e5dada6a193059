import type { SessionView } from '../../../shared/model/session-view';
import { boundedRequest } from '../turn/classify/request-text';
import type { TurnRequest } from '../turn/turn-types';

/** How requests are judged, as the settings have it at a turn's start. */
export type JudgeSettings = Pick<TurnRequest, 'classify' | 'askModel' | 'todoGate'>;

/** The user's own messages that are in view, oldest first. */
const said = (view: SessionView): string[] =>
  view.items.flatMap((item) => (item.kind === 'user' && !item.interjection ? [item.text] : []));

/**
 * What a turn works on: its message, or for one that goes on the message it goes on from.
 *
 * @param view the session before the turn began
 */
export function turnRequest(
  view: SessionView,
  kind: TurnRequest['kind'],
  text: string,
  settings: JudgeSettings,
): TurnRequest {
  const before = said(view);
  const current = kind === 'message' ? text : (before.pop() ?? '');
  const previous = before.at(-1);
  return {
    text: boundedRequest(current),
    previousText: previous === undefined ? null : boundedRequest(previous),
    kind,
    ...settings,
  };
}
