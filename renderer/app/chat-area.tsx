import { useCallback } from 'react';
import { useClient } from '../lib/client-context';
import type { EditRef } from '../lib/diff/edit-ref';
import { openDiff } from './open-diff';
import { openFile } from './open-file';
import { overlayStore, pageStore } from './overlay-store';
import { ProjectPane } from './pane';
import { ChatPane } from './panes';
import { registry } from './registry';

// Made once: the chat draws again when one of these changes.
const openAt = (path: string, line?: number): void => openFile(path, line === undefined ? {} : { line });
const showContext = (): void => pageStore.set('context');
const runCommand = (id: string): void => void registry.run(id);
const setUpProvider = (): void => overlayStore.set({ kind: 'providers', providerId: null });

export function ChatArea() {
  const client = useClient();
  const showDiff = useCallback((edit: EditRef) => openDiff(client, edit), [client]);
  return (
    <section id="chat" className="chat-area" aria-label="Chat" data-region="chat">
      <ProjectPane name="Chat">
        <ChatPane
          onOpenFile={openAt}
          onOpenProviderSetup={setUpProvider}
          onCommand={runCommand}
          onShowDiff={showDiff}
          onShowContext={showContext}
        />
      </ProjectPane>
    </section>
  );
}
