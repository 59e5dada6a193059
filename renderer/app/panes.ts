import { lazy } from 'react';

const loadPane = {
  explorer: () => import('../features/explorer/explorer-pane'),
  editor: () => import('../features/editor/editor-pane'),
  terminal: () => import('../features/terminal/terminal-pane'),
  chat: () => import('../features/chat/chat-pane'),
} as const;

/** Fetches the panes of the workbench while the host still looks up the project; a failure shows where they are used. */
export function preloadPanes(): void {
  for (const load of Object.values(loadPane)) load().catch(() => undefined);
}

// Each pane is a file of its own that loads after the frame has been painted.
export const ChatPane = lazy(async () => ({ default: (await loadPane.chat()).ChatPane }));
export const ExplorerPane = lazy(async () => ({ default: (await loadPane.explorer()).ExplorerPane }));
export const EditorPane = lazy(async () => ({ default: (await loadPane.editor()).EditorPane }));
export const TerminalPane = lazy(async () => ({ default: (await loadPane.terminal()).TerminalPane }));
export const ApprovalHost = lazy(async () => ({
  default: (await import('../features/approvals/approval-host')).ApprovalHost,
}));
export const FirstRun = lazy(async () => ({
  default: (await import('../features/first-run/first-run')).FirstRun,
}));
export const FolderDialog = lazy(async () => ({
  default: (await import('../features/first-run/folder-dialog')).FolderDialog,
}));
export const SessionList = lazy(async () => ({
  default: (await import('../features/sessions/session-list')).SessionList,
}));
export const SessionDialog = lazy(async () => ({
  default: (await import('../features/sessions/session-dialog')).SessionDialog,
}));
export const ImportForeign = lazy(async () => ({
  default: (await import('../features/sessions/import-foreign')).ImportForeign,
}));
export const SettingsPage = lazy(async () => ({
  default: (await import('../features/settings/settings-page')).SettingsPage,
}));
export const ContextPage = lazy(async () => ({
  default: (await import('../features/context/context-page')).ContextPage,
}));
export const ReviewPage = lazy(async () => ({
  default: (await import('../features/review/review-page')).ReviewPage,
}));
export const RejectAllDialog = lazy(async () => ({
  default: (await import('../features/review/reject-all-dialog')).RejectAllDialog,
}));
export const ChangeLogPage = lazy(async () => ({
  default: (await import('../features/changes/change-log-page')).ChangeLogPage,
}));
export const BisectPage = lazy(async () => ({
  default: (await import('../features/changes/bisect-page')).BisectPage,
}));
export const ConflictPage = lazy(async () => ({
  default: (await import('../features/editor/conflict/conflict-page')).ConflictPage,
}));
export const LogDialog = lazy(async () => ({
  default: (await import('../features/settings/log-dialog')).LogDialog,
}));
export const KeysDialog = lazy(async () => ({
  default: (await import('../features/settings/keys-dialog')).KeysDialog,
}));
export const ProviderSetup = lazy(async () => ({
  default: (await import('../features/providers/provider-setup')).ProviderSetup,
}));
