import { lazy, Suspense, useEffect, useMemo } from 'react';
import { useClient } from '../../lib/client-context';
import { useStore } from '../../lib/store';
import { dialogIsOpen } from '../../ui/dialog-stack';
import { Breadcrumb } from './breadcrumb';
import { CloseDialog } from './close-dialog';
import type { Editor } from './editor';
import { editorState } from './editor-state';
import { editorFor } from './editor-store';
import './editor.css';
import { EmptyEditor } from './empty-editor';
import { FileBars } from './file-bars';
import { FileBody } from './file-body';
import { loadMonaco } from './monaco/load';
import { ReviewBar } from './review-bar';
import { useFrontReview } from './review-texts';
import { TabBar } from './tab-bar';
import { activeTab, type DiffTab, type FileTab } from './tabs';

const DiffView = lazy(async () => ({ default: (await import('./diff-view')).DiffView }));

/** Monaco comes when the window is idle, so that the first file does not wait for it. */
function useEarlyMonaco(): void {
  useEffect(() => {
    const handle = requestIdleCallback(() => void loadMonaco().catch(() => undefined), { timeout: 4000 });
    return () => cancelIdleCallback(handle);
  }, []);
}

/** Ctrl+Tab where the host lets it through, Ctrl+PageUp and Ctrl+PageDown. */
function useTabKeys(editor: Editor): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!event.ctrlKey || event.altKey || event.metaKey || dialogIsOpen()) return;
      const back = (event.key === 'Tab' && event.shiftKey) || event.key === 'PageUp';
      const on = (event.key === 'Tab' && !event.shiftKey) || event.key === 'PageDown';
      if (!back && !on) return;
      event.preventDefault();
      event.stopPropagation();
      editor.cycle(back ? -1 : 1);
    };
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, [editor]);
}

export interface EditorHost {
  /** Runs a command of the window by its id. */
  onCommand(id: string): void;
}

export function EditorPane({ onCommand }: EditorHost) {
  const client = useClient();
  const editor = useMemo(() => editorFor(client), [client]);
  useEffect(() => editor.start(), [editor]);
  useEarlyMonaco();
  useTabKeys(editor);
  const tab = useStore(editorState, (state) => activeTab(state.tabs));
  const count = useStore(editorState, (state) => state.tabs.tabs.length);
  const restored = useStore(editorState, (state) => state.restored);
  return (
    <div className="editor">
      {count > 0 && <TabBar editor={editor} />}
      {tab?.kind === 'file' && <File key="file" editor={editor} tab={tab} onCommand={onCommand} />}
      {tab?.kind === 'diff' && <Diff editor={editor} tab={tab} />}
      {count === 0 && restored && <EmptyEditor />}
      <CloseDialog />
    </div>
  );
}

function File({ editor, tab, onCommand }: EditorHost & { editor: Editor; tab: FileTab }) {
  useFrontReview(tab.path);
  return (
    <div className="editor-file" role="tabpanel" aria-label={tab.path}>
      <Breadcrumb path={tab.path} />
      <FileBars editor={editor} path={tab.path} />
      <ReviewBar path={tab.path} onCommand={onCommand} />
      <FileBody editor={editor} path={tab.path} />
    </div>
  );
}

function Diff({ editor, tab }: { editor: Editor; tab: DiffTab }) {
  const view = useStore(editorState, (state) => (tab.live ? state.files.get(tab.path) : undefined));
  if (tab.live && view?.kind !== 'text') return <FileBody editor={editor} path={tab.path} />;
  const uri = view?.kind === 'text' ? view.uri : '';
  return (
    <div className="editor-file" role="tabpanel" aria-label={tab.title}>
      <Breadcrumb path={tab.path} />
      {(tab.conflict || tab.live) && <FileBars editor={editor} path={tab.path} compared={tab.conflict} />}
      <div className="editor-sides" aria-hidden="true">
        <span>{tab.sides[0]}</span>
        <span>{tab.sides[1]}</span>
      </div>
      <Suspense fallback={<div className="editor-body-fill" />}>
        <DiffView key={`${tab.id}\0${uri}`} tab={tab} uri={uri} onLeave={editor.leave} />
      </Suspense>
    </div>
  );
}
