import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { pastePreview } from './paste-text';

interface PasteDialogProps {
  text: string;
  onAnswer: (yes: boolean) => void;
}

export function PasteDialog({ text, onAnswer }: PasteDialogProps) {
  const lines = text.trimEnd().split('\n').length;
  return (
    <Dialog
      title={`Paste ${lines} lines?`}
      subtitle="The shell runs each line as soon as it is pasted."
      icon="warning"
      onClose={() => onAnswer(false)}
      footer={
        <>
          <Button onClick={() => onAnswer(false)}>Cancel</Button>
          <Button variant="primary" onClick={() => onAnswer(true)}>
            Paste
          </Button>
        </>
      }
    >
      <pre className="terminal-paste">{pastePreview(text)}</pre>
    </Dialog>
  );
}
