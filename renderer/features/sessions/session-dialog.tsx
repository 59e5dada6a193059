import { Dialog } from '../../ui/dialog';
import { SessionList, type SessionListProps } from './session-list';

/** The list of sessions over the window. */
export function SessionDialog({ onOpen, onClose, ...rest }: SessionListProps & { onClose: () => void }) {
  return (
    <Dialog title="Sessions" width={520} className="session-dialog" onClose={onClose}>
      <SessionList
        {...rest}
        onOpen={(id, place) => {
          onClose();
          onOpen(id, place);
        }}
      />
    </Dialog>
  );
}
