import type { DragEvent, MouseEvent } from 'react';
import { baseName } from '../../lib/files/workspace-path';
import { fileIcon } from '../../lib/files/file-icon';
import { pendingStore } from '../../lib/review/pending-store';
import { useStore } from '../../lib/store';
import { classNames } from '../../ui/class-names';
import { Icon } from '../../ui/icon';
import type { Editor } from './editor';
import { editorState } from './editor-state';
import type { TabMenuPlace } from './tab-menu';
import { documentOf, type EditorTab } from './tabs';

const DRAG_TYPE = 'application/x-lathe-tab';

export interface TabViewProps {
  editor: Editor;
  tab: EditorTab;
  active: boolean;
  /** The part of the folder that tells it from another tab of the same name. */
  hint: string | undefined;
  dropBefore: boolean;
  onDropBefore: (id: string | null) => void;
  onMenu: (place: TabMenuPlace) => void;
}

const nameOf = (tab: EditorTab): string => (tab.kind === 'diff' ? tab.title : baseName(tab.path));

function useMarks(tab: EditorTab) {
  const path = documentOf(tab) ?? tab.id;
  const dirty = useStore(editorState, (state) => state.dirtyPaths.includes(path));
  const state = useStore(editorState, ({ files }) => {
    const view = files.get(path);
    if (view?.kind === 'failed') return 'failed';
    if (view?.kind !== 'text') return 'plain';
    if (view.sync.disk === 'changed') return 'conflict';
    if (view.sync.disk === 'deleted') return 'deleted';
    return view.readOnly ? 'locked' : 'plain';
  });
  const pending = useStore(pendingStore, ({ files }) => files.some((file) => file.path === tab.path));
  return { dirty, state, pending };
}

const STATE_WORDS: Readonly<Record<string, string>> = {
  failed: 'could not be opened',
  conflict: 'changed on disk',
  deleted: 'deleted on disk',
  locked: 'read-only',
};

export function TabView(props: TabViewProps) {
  const { editor, tab, active, hint, dropBefore, onDropBefore, onMenu } = props;
  const { dirty, state, pending } = useMarks(tab);
  const name = nameOf(tab);
  const preview = tab.kind === 'file' && tab.preview;
  const notes = [dirty ? 'unsaved' : '', STATE_WORDS[state] ?? '', preview ? 'preview' : ''].filter(Boolean);
  const onContextMenu = (event: MouseEvent): void => {
    event.preventDefault();
    onMenu({ id: tab.id, x: event.clientX, y: event.clientY });
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    onDropBefore(null);
    editor.moveTab(event.dataTransfer.getData(DRAG_TYPE), tab.id);
  };
  return (
    <div
      role="tab"
      aria-keyshortcuts="Delete"
      aria-selected={active}
      aria-label={[name, ...notes].join(', ')}
      tabIndex={active ? 0 : -1}
      title={[tab.path, ...notes, ...(pending ? ['changes to review'] : [])].join(', ')}
      draggable
      data-tab={tab.id}
      className={classNames(
        'editor-tab',
        preview && 'editor-tab-preview',
        dirty && 'editor-tab-dirty',
        dropBefore && 'editor-tab-drop',
        `editor-tab-${state}`,
      )}
      onMouseDown={(event) => event.button === 1 && event.preventDefault()}
      onClick={() => editor.activate(tab.id)}
      onDoubleClick={() => editor.pin(tab.id)}
      onAuxClick={(event) => event.button === 1 && void editor.close([tab.id])}
      onContextMenu={onContextMenu}
      onDragStart={(event) => event.dataTransfer.setData(DRAG_TYPE, tab.id)}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(DRAG_TYPE)) return;
        event.preventDefault();
        onDropBefore(tab.id);
      }}
      onDragLeave={() => onDropBefore(null)}
      onDrop={onDrop}
    >
      <Icon name={tab.kind === 'diff' ? 'diff' : fileIcon(tab.path)} />
      <span className="editor-tab-name ui-clip">{name}</span>
      {hint !== undefined && <span className="editor-tab-hint ui-clip">{hint}</span>}
      {pending && <Icon name="lathe" size={12} className="ui-agent" />}
      {state === 'locked' && <Icon name="lock" size={12} />}
      {(state === 'conflict' || state === 'deleted') && <Icon name="warning" size={14} className="ui-warn" />}
      <TabClose dirty={dirty} onClose={() => void editor.close([tab.id])} />
    </div>
  );
}

/**
 * The dot of unsaved text and the cross share one place: the cross comes when the pointer is there. It is for the pointer
 * only; a tab may hold nothing that takes the focus, and keys have Delete.
 */
function TabClose({ dirty, onClose }: { dirty: boolean; onClose: () => void }) {
  return (
    <span
      className="editor-tab-close"
      aria-hidden="true"
      title="Close"
      onClick={(event) => {
        event.stopPropagation();
        onClose();
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      {dirty && <span className="ui-dot" />}
      <Icon name="close" size={12} />
    </span>
  );
}
