import { lazy } from 'react';

// Each pane is a file of its own that loads after the frame has been painted.
export const ChatPane = lazy(async () => ({
  default: (await import('../features/chat/chat-pane')).ChatPane,
}));
export const ExplorerPane = lazy(async () => ({
  default: (await import('../features/explorer/explorer-pane')).ExplorerPane,
}));
export const EditorPane = lazy(async () => ({
  default: (await import('../features/editor/editor-pane')).EditorPane,
}));
export const TerminalPane = lazy(async () => ({
  default: (await import('../features/terminal/terminal-pane')).TerminalPane,
}));
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
export const SettingsPage = lazy(async () => ({
  default: (await import('../features/settings/settings-page')).SettingsPage,
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
