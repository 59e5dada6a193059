import { useClient } from '../lib/client-context';
import { UndoDialogHost } from '../lib/changes/undo-dialog';
import { projectStore } from '../lib/project-store';
import { pendingStore } from '../lib/review/pending-store';
import { statusStore } from '../lib/status-store';
import { useStore } from '../lib/store';
import { toastError } from '../lib/toast-store';
import { exportInto, importFrom } from './commands/archive-commands';
import { reviewAll } from './commands/review-commands';
import { sessionListActions } from './session-list-actions';
import { openDiff } from './open-diff';
import { openFile } from './open-file';
import { closeOverlay, overlayStore, type Overlay } from './overlay-store';
import { Palette } from './palette/palette';
import { Pane } from './pane';
import {
  ApprovalHost,
  FolderDialog,
  ImportForeign,
  KeysDialog,
  LogDialog,
  ProviderSetup,
  RejectAllDialog,
  SessionDialog,
} from './panes';
import { registry } from './registry';
import { listShortcuts } from './settings-host';

/** What lies over the window: the palette, dialogs and, above all, approvals. */
export function Overlays() {
  const overlay = useStore(overlayStore);
  const hasProject = useStore(projectStore, (project) => project !== null && project !== undefined);
  return (
    <>
      {overlay && (
        <Pane name="This dialog">
          <OpenOverlay overlay={overlay} />
        </Pane>
      )}
      {hasProject && (
        <Pane name="This dialog">
          <UndoDialogHost />
        </Pane>
      )}
      {hasProject && (
        <Pane name="Approvals">
          <Approvals />
        </Pane>
      )}
    </>
  );
}

function Approvals() {
  const client = useClient();
  return <ApprovalHost onShowDiff={(edit) => openDiff(client, edit)} />;
}

function OpenOverlay({ overlay }: { overlay: Overlay }) {
  switch (overlay.kind) {
    case 'palette':
      return <OpenPalette initial={overlay.query} />;
    case 'providers':
      return <ProviderSetup providerId={overlay.providerId} onClose={closeOverlay} />;
    case 'folder':
      return <OpenFolderDialog />;
    case 'sessions':
      return <OpenSessions />;
    case 'exportSession':
      return <ExportFolder sessionId={overlay.sessionId} />;
    case 'importSession':
      return <ImportFolder />;
    case 'importForeign':
      return <ImportForeign onClose={closeOverlay} />;
    case 'log':
      return <LogDialog onClose={closeOverlay} />;
    case 'rejectAll':
      return <RejectAll />;
    case 'keys':
      return <KeysDialog shortcuts={listShortcuts()} onClose={closeOverlay} />;
  }
}

function OpenSessions() {
  const client = useClient();
  return <SessionDialog {...sessionListActions(client)} onClose={closeOverlay} />;
}

function RejectAll() {
  const client = useClient();
  const files = useStore(pendingStore, (state) => state.files);
  const reject = (): void => {
    reviewAll(client, 'reject').catch((error: unknown) => toastError(error, 'The changes were not rejected'));
  };
  return <RejectAllDialog files={files} onReject={reject} onClose={closeOverlay} />;
}

/** Where the host has no folder dialog of its own. */
function ExportFolder({ sessionId }: { sessionId: string }) {
  const client = useClient();
  const pick = async (path: string): Promise<void> => {
    closeOverlay();
    await exportInto(client, sessionId, path);
  };
  return (
    <FolderDialog
      title="Export the session"
      subtitle="A new folder is made for it in the one you choose."
      action="Export here"
      onPick={(path) => {
        pick(path).catch((error: unknown) => toastError(error, 'The session could not be exported'));
      }}
      onClose={closeOverlay}
    />
  );
}

function ImportFolder() {
  const client = useClient();
  const pick = async (path: string): Promise<void> => {
    closeOverlay();
    await importFrom(client, path);
  };
  return (
    <FolderDialog
      title="Import a session"
      subtitle="A folder that an export wrote, or any with a chat_history.jsonl."
      action="Import this folder"
      onPick={(path) => {
        pick(path).catch((error: unknown) => toastError(error, 'The session could not be imported'));
      }}
      onClose={closeOverlay}
    />
  );
}

function OpenPalette({ initial }: { initial: string }) {
  const hasProject = useStore(projectStore, (project) => project !== null && project !== undefined);
  const activePath = useStore(statusStore.editor, (editor) => editor.path);
  return (
    <Palette
      key={initial}
      registry={registry}
      initial={initial}
      hasProject={hasProject}
      activePath={activePath}
      onOpenFile={(path, { line, column }) =>
        openFile(path, {
          ...(line === undefined ? {} : { line }),
          ...(column === undefined ? {} : { column }),
        })
      }
      onClose={closeOverlay}
    />
  );
}

function OpenFolderDialog() {
  const client = useClient();
  const open = async (path: string): Promise<void> => {
    await client.project.open({ path });
    closeOverlay();
  };
  return (
    <FolderDialog
      onPick={(path) => {
        open(path).catch((error: unknown) => toastError(error, 'The folder could not be opened'));
      }}
      onClose={closeOverlay}
    />
  );
}
