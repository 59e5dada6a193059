import { memo, useId, useState } from 'react';
import type { CallView } from '../../../shared/model/session-view';
import { useClient } from '../../lib/client-context';
import { useStore } from '../../lib/store';
import { toastError } from '../../lib/toast-store';
import { windowStore } from '../../lib/window-store';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { CallDetail } from './call-detail';
import { StateSign } from './call-chip';
import { useChat } from './chat-context';
import { isTaskLive, taskFacts, taskState } from './task-words';
import './task.css';

/** A subagent: what it works on, where it stands, and the way into its session. */
export const TaskCard = memo(function TaskCard({ call }: { call: CallView }) {
  const client = useClient();
  const { model } = useChat();
  const [open, setOpen] = useState(false);
  const bodyId = useId();
  const id = call.child?.sessionId ?? null;
  const child = useStore(model.summaries, (all) => (id === null ? undefined : all.get(id)));
  if (!call.child || id === null) return null;
  const { agent, title, background } = call.child;
  const facts = taskFacts(child);
  return (
    <div className="ch-chip-single ta-card" role="group" aria-label={`Subagent ${agent}: ${title}`}>
      <div className="ta-head">
        <button
          type="button"
          className="ch-chip ta-main"
          aria-expanded={open}
          aria-controls={open ? bodyId : undefined}
          onClick={() => setOpen(!open)}
        >
          <StateSign state={taskState(call, child)} />
          <span className="ta-agent">{agent}</span>
          <span className="ui-clip">{child?.title ?? title}</span>
          {background && <span className="ta-mark">in the background</span>}
          <Icon name={open ? 'chevron-down' : 'chevron-right'} size={14} className="ui-muted" />
        </button>
        {isTaskLive(child) && (
          <Button
            size="small"
            variant="quiet"
            aria-label={`Stop subagent ${title}`}
            onClick={() => void client.turn.stop({ sessionId: id }).catch(toastError)}
          >
            Stop
          </Button>
        )}
        {child && (
          <Button
            size="small"
            aria-label={`Open subagent ${title}`}
            onClick={() => windowStore.activeSession.set(id)}
          >
            Open
          </Button>
        )}
      </div>
      {facts !== '' && <div className="ta-facts">{facts}</div>}
      {open && (
        <div id={bodyId}>
          <CallDetail call={call} />
        </div>
      )}
    </div>
  );
});
