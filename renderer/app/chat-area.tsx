import { openFile } from './open-file';
import { overlayStore } from './overlay-store';
import { Pane } from './pane';
import { ChatPane } from './panes';

export function ChatArea() {
  return (
    <section id="chat" className="chat-area" aria-label="Chat" data-region="chat">
      <Pane name="Chat">
        <ChatPane
          onOpenFile={(path, line) => openFile(path, line === undefined ? {} : { line })}
          onOpenProviderSetup={() => overlayStore.set({ kind: 'providers', providerId: null })}
        />
      </Pane>
    </section>
  );
}
