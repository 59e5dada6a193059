import type { TurnRef } from '../../../shared/model/change';
import { windowStore } from '../window-store';
import './review-parts.css';
import { turnWords } from './review-words';

/** The turns that wrote a hunk; of many only the newest one is named. A press shows it in the chat. */
export function TurnChips({ turns, tabIndex }: { turns: readonly TurnRef[]; tabIndex: number }) {
  const last = turns.at(-1);
  if (!last) return null;
  const { sessionId, turnId } = last;
  const title = turns.map((turn) => `${turnWords(turn, 200)} (${turn.sessionTitle})`).join('\n');
  return (
    <button
      type="button"
      className="rv-chip"
      title={title}
      tabIndex={tabIndex}
      onClick={() => windowStore.turn.set({ sessionId, turnId })}
    >
      <span className="ui-clip">{turnWords(last)}</span>
      {turns.length > 1 && <span className="rv-chip-more">{`+${turns.length - 1}`}</span>}
    </button>
  );
}
