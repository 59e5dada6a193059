import { projectStore } from '../lib/project-store';
import { statusStore } from '../lib/status-store';
import { useStore } from '../lib/store';
import { toastError } from '../lib/toast-store';
import { Icon } from '../ui/icon';
import { IconButton } from '../ui/icon-button';
import { useClient } from '../lib/client-context';
import { ChangeTabs } from './change-tabs';
import { FolderGone } from './folder-gone';
import { openFile } from './open-file';
import { openSideBySide } from './open-side-by-side';
import { overlayStore, pageStore, reviewAsked } from './overlay-store';
import { Pane, ProjectPane } from './pane';
import { ContextPage, EditorPane, ReviewPage } from './panes';
import { registry } from './registry';
import { Settings } from './settings-host';

/** The editor, or a page in its place; the editor stays as it is below it. */
export function EditorArea() {
  const page = useStore(pageStore);
  const gone = useStore(projectStore, (project) => project?.exists === false);
  const dirty = useStore(statusStore.editor, (editor) => editor.dirtyFiles > 0);
  const replaced = page !== 'editor' || (gone && !dirty);
  return (
    <section className="editor-area" aria-label="Editor" data-region="editor">
      {page === 'settings' && <SettingsTab />}
      {page === 'context' && <ContextTab />}
      {page === 'review' && <ReviewTab />}
      {(page === 'changes' || page === 'conflict' || page === 'bisect') && <ChangeTabs page={page} />}
      {gone && page === 'editor' && <FolderGone compact={dirty} />}
      <div className="editor-body" hidden={replaced}>
        <ProjectPane name="Editor">
          <EditorPane onCommand={runCommand} />
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

const runCommand = (id: string): void => void registry.run(id);
const openAt = (path: string, line?: number): void => openFile(path, line === undefined ? {} : { line });

function ReviewTab() {
  const client = useClient();
  const askedAt = useStore(reviewAsked);
  return (
    <>
      <div className="page-tabs">
        <div className="page-tab">
          <Icon name="checklist" />
          Review
          <IconButton icon="close" label="Close review" small onClick={() => pageStore.set('editor')} />
        </div>
      </div>
      <Pane name="Review">
        <ReviewPage
          askedAt={askedAt}
          onOpenFile={openAt}
          onSideBySide={({ path }) => {
            openSideBySide(client, path).catch((error: unknown) =>
              toastError(error, `${path} could not be compared`),
            );
          }}
          onLeave={() => runCommand('view.chat')}
        />
      </Pane>
    </>
  );
}

const openRules = (path: string): void => openFile(path, {});

function ContextTab() {
  return (
    <>
      <div className="page-tabs">
        <div className="page-tab">
          <Icon name="layers" />
          Context
          <IconButton icon="close" label="Close context" small onClick={() => pageStore.set('editor')} />
        </div>
      </div>
      <Pane name="Context">
        <ContextPage onOpenFile={openRules} />
      </Pane>
    </>
  );
}
