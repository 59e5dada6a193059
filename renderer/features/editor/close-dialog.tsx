import { useRef } from 'react';
import { useStore } from '../../lib/store';
import { baseName } from '../../lib/files/workspace-path';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { editorState, type CloseQuestion } from './editor-state';

/** Asks before unsaved text is closed. */
export function CloseDialog() {
  const question = useStore(editorState, (state) => state.question);
  return question ? <Question key={question.paths.join('\n')} question={question} /> : null;
}

function Question({ question }: { question: CloseQuestion }) {
  const { paths, answer } = question;
  const [first = ''] = paths;
  const save = useRef<HTMLButtonElement>(null);
  const title =
    paths.length === 1 ? `Save changes to ${baseName(first)}?` : `Save changes to ${paths.length} files?`;
  return (
    <Dialog
      title={title}
      icon="save"
      tone="plain"
      width={460}
      initialFocus={save}
      onClose={() => answer('cancel')}
      footer={
        <>
          <Button onClick={() => answer('discard')}>Don’t save</Button>
          <span className="ui-grow" />
          <Button variant="quiet" onClick={() => answer('cancel')}>
            Cancel
          </Button>
          <Button ref={save} variant="primary" onClick={() => answer('save')}>
            {paths.length === 1 ? 'Save' : 'Save all'}
          </Button>
        </>
      }
    >
      {paths.length > 1 && (
        <ul className="editor-unsaved">
          {paths.map((path) => (
            <li key={path} className="ui-clip">
              {path}
            </li>
          ))}
        </ul>
      )}
      <p className="ui-soft">Your changes are lost if you don’t save them.</p>
    </Dialog>
  );
}
