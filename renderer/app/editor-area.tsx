import { projectStore } from '../lib/project-store';
import { statusStore } from '../lib/status-store';
import { useStore } from '../lib/store';
import { Icon } from '../ui/icon';
import { IconButton } from '../ui/icon-button';
import { FolderGone } from './folder-gone';
import { overlayStore, pageStore } from './overlay-store';
import { Pane, ProjectPane } from './pane';
import { EditorPane } from './panes';
import { Settings } from './settings-host';

/** The editor, or the settings in its place; the editor stays as it is below them. */
export function EditorArea() {
  const page = useStore(pageStore);
  const gone = useStore(projectStore, (project) => project?.exists === false);
  const dirty = useStore(statusStore.editor, (editor) => editor.dirtyFiles > 0);
  const replaced = page === 'settings' || (gone && !dirty);
  return (
    <section className="editor-area" aria-label="Editor" data-region="editor">
      {page === 'settings' && <SettingsTab />}
      {gone && page !== 'settings' && <FolderGone compact={dirty} />}
      <div className="editor-body" hidden={replaced}>
        <ProjectPane name="Editor">
          <EditorPane />
        </ProjectPane>
      </div>
    </section>
  );
}

function SettingsTab() {
  const close = (): void => pageStore.set('editor');
  return (
    <>
      <div className="page-tabs">
        <div className="page-tab">
          <Icon name="settings-gear" />
          Settings
          <IconButton icon="close" label="Close settings" small onClick={close} />
        </div>
      </div>
      <Pane name="Settings">
        <Settings
          onClose={close}
          onProviderSetup={(providerId) => overlayStore.set({ kind: 'providers', providerId })}
        />
      </Pane>
    </>
  );
}
