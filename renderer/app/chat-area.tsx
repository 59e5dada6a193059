import { openFile } from './open-file';
import { overlayStore } from './overlay-store';
import { ProjectPane } from './pane';
import { ChatPane } from './panes';

// Made once: the chat draws again when one of these changes.
const openAt = (path: string, line?: number): void => openFile(path, line === undefined ? {} : { line });
const setUpProvider = (): void => overlayStore.set({ kind: 'providers', providerId: null });

export function ChatArea() {
  return (
    <section id="chat" className="chat-area" aria-label="Chat" data-region="chat">
      <ProjectPane name="Chat">
        <ChatPane onOpenFile={openAt} onOpenProviderSetup={setUpProvider} />
      </ProjectPane>
    </section>
  );
}
