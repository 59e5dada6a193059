import { memo } from 'react';
import type { ItemView } from '../../../shared/model/session-view';
import { Icon } from '../../ui/icon';
import { LabelText } from './label-text';
import { undoWords } from './undo-words';

/** Changes that were taken back, or done again, at this point of the session. */
export const UndoRow = memo(function UndoRow({ item }: { item: Extract<ItemView, { kind: 'undo' }> }) {
  const isConflict = item.undo.conflicts.length > 0;
  return (
    <div className="ch-notice">
      <Icon
        name={item.undo.cause === 'redo' ? 'redo' : 'discard'}
        size={14}
        className={isConflict ? 'ui-warn' : 'ui-accent'}
      />
      <LabelText text={undoWords(item.undo)} />
    </div>
  );
});
