import { lazy, Suspense } from 'react';
import { useStore } from '../../lib/store';
import { Button } from '../../ui/button';
import { ErrorBox } from '../../ui/error-box';
import { fromErrorShape } from '../../../shared/error';
import type { Editor } from './editor';
import { editorState } from './editor-state';
import { FileNotice } from './file-notice';
import { ImageView } from './image-view';

const CodeView = lazy(async () => ({ default: (await import('./code-view')).CodeView }));

/** What stands where the code does: the code, a picture, or why there is neither. */
export function FileBody({ editor, path }: { editor: Editor; path: string }) {
  const view = useStore(editorState, (state) => state.files.get(path));
  if (!view || view.kind === 'loading') return <Loading />;
  if (view.kind === 'text') {
    return (
      <Suspense fallback={<Loading />}>
        <CodeView editor={editor} path={path} view={view} />
      </Suspense>
    );
  }
  if (view.kind === 'image') return <ImageView key={path} image={view} />;
  if (view.kind !== 'failed') return <FileNotice content={view} />;
  return (
    <div className="editor-body-fill editor-pad">
      <ErrorBox
        title={`${path} could not be opened`}
        error={fromErrorShape(view.error)}
        actions={
          <>
            <Button size="small" onClick={() => void editor.reload(path)}>
              Try again
            </Button>
            <Button size="small" variant="quiet" onClick={() => void editor.close([path])}>
              Close
            </Button>
          </>
        }
      />
    </div>
  );
}

function Loading() {
  return (
    <div className="editor-body-fill editor-loading" aria-busy="true">
      <span />
      <span />
      <span />
    </div>
  );
}
