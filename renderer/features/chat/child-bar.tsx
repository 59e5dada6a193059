import { useStore } from '../../lib/store';
import { windowStore } from '../../lib/window-store';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { useChat } from './chat-context';
import './task.css';

/** Over a subagent's session: whose it is, and the way back. */
export function ChildBar({ sessionId }: { sessionId: string }) {
  const { model } = useChat();
  const parentId = useStore(model.summaries, (all) => all.get(sessionId)?.parentId ?? null);
  const parent = useStore(model.summaries, (all) => (parentId === null ? undefined : all.get(parentId)));
  if (parentId === null) return null;
  return (
    <div className="ta-bar">
      <Icon name="type-hierarchy-sub" size={14} />
      <span className="ui-clip">Subagent of “{parent?.title ?? 'a session'}”</span>
      <Button
        className="ta-back"
        size="small"
        variant="quiet"
        icon="arrow-left"
        onClick={() => windowStore.activeSession.set(parentId)}
      >
        Back
      </Button>
    </div>
  );
}
