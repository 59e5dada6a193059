import { useMemo } from 'react';
import { useClient } from '../lib/client-context';
import { statusStore } from '../lib/status-store';
import { useStore } from '../lib/store';
import { toastError } from '../lib/toast-store';
import { IconButton } from '../ui/icon-button';
import { roveFocus } from '../ui/rove';
import type { SideView } from './layout';
import { layoutStore, showView } from './layout-store';
import { loadEditor } from './editor-bridge';
import { openFile } from './open-file';
import { ProjectPane } from './pane';
import { ExplorerPane, SessionList } from './panes';
import { sessionListActions } from './session-list-actions';
import { shortcutHint } from './shortcut-hint';

const VIEWS: readonly { view: SideView; icon: string; label: string }[] = [
  { view: 'explorer', icon: 'files', label: 'Explorer' },
  { view: 'sessions', icon: 'comment-discussion', label: 'Sessions' },
];

export function SideBar() {
  const view = useStore(layoutStore, (layout) => layout.view);
  const label = VIEWS.find((entry) => entry.view === view)?.label;
  return (
    <section id="side-bar" className="side-bar" aria-label={label} data-region="explorer">
      <ViewHead active={view} />
      <div className="side-view" hidden={view !== 'explorer'}>
        <ProjectPane name="Explorer">
          <Explorer />
        </ProjectPane>
      </div>
      {view === 'sessions' && (
        <div className="side-view">
          <ProjectPane name="Sessions">
            <Sessions />
          </ProjectPane>
        </div>
      )}
    </section>
  );
}

// One function for good: a new one each time would draw the whole tree again.
const onMoved = (from: string, to: string): void => {
  loadEditor().then((editor) => editor.noteMoved(from, to), toastError);
};
const onRemoved = (path: string): void => {
  loadEditor().then((editor) => editor.noteRemoved(path), toastError);
};

function Explorer() {
  const activePath = useStore(statusStore.editor, (editor) => editor.path);
  return <ExplorerPane onOpen={openFile} activePath={activePath} onMoved={onMoved} onRemoved={onRemoved} />;
}

function Sessions() {
  const client = useClient();
  const actions = useMemo(() => sessionListActions(client), [client]);
  return <SessionList {...actions} />;
}

function ViewHead({ active }: { active: SideView }) {
  const pick = (index: number): void => {
    const entry = VIEWS[index];
    if (entry) showView(entry.view);
  };
  return (
    <div
      className="side-head"
      role="tablist"
      aria-label="Side bar views"
      onKeyDown={(event) => roveFocus(event, pick)}
    >
      {VIEWS.map(({ view, icon, label }) => (
        <IconButton
          key={view}
          icon={icon}
          label={label}
          keyHint={shortcutHint(`view.${view}`)}
          role="tab"
          aria-selected={view === active}
          tabIndex={view === active ? 0 : -1}
          onClick={() => showView(view)}
        />
      ))}
    </div>
  );
}
