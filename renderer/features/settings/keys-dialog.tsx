import { Dialog } from '../../ui/dialog';
import { KeysList, type Shortcut } from './keys-list';
import './settings.css';

export function KeysDialog({ shortcuts, onClose }: { shortcuts: readonly Shortcut[]; onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" icon="keyboard" width={560} onClose={onClose}>
      <KeysList shortcuts={shortcuts} />
    </Dialog>
  );
}
