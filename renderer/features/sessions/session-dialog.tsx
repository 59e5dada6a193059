import { Dialog } from '../../ui/dialog';
import { SessionList } from './session-list';

/** The list of sessions over the window. */
export function SessionDialog({ onOpen, onClose }: { onOpen: (id: string) => void; onClose: () => void }) {
  return (
    <Dialog title="Sessions" width={520} className="session-dialog" onClose={onClose}>
      <SessionList
        onOpen={(id) => {
          onClose();
          onOpen(id);
        }}
      />
    </Dialog>
  );
}
