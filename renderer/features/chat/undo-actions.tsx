import { useState } from 'react';
import type { UndoTarget } from '../../../shared/contract/changes';
import type { ChangeSetId } from '../../../shared/model/change';
import type { CallId, TurnId } from '../../../shared/model/ids';
import { sessionUndo } from '../../lib/changes/session-undo';
import { redo, undo } from '../../lib/changes/undo-flow';
import { useClient } from '../../lib/client-context';
import { useStore } from '../../lib/store';
import { Button } from '../../ui/button';
import { useSession } from './chat-context';

/** True from the press until the host has answered; more presses do nothing meanwhile. */
function useBusy(): [boolean, (work: Promise<void>) => void] {
  const [busy, setBusy] = useState(false);
  const run = (work: Promise<void>): void => {
    setBusy(true);
    void work.finally(() => setBusy(false));
  };
  return [busy, run];
}

const RUNNING = { disabled: true, title: 'Stop the running turn first' };

interface UndoButtonProps {
  target: UndoTarget;
  what: string;
  label: string;
  /** What is done instead while the turn runs, where something can be. */
  whileRunning?: (() => Promise<void>) | undefined;
}

function UndoButton({ target, what, label, whileRunning }: UndoButtonProps) {
  const client = useClient();
  const session = useSession();
  const running = useStore(session.state, ({ view }) => view.live !== null);
  const [busy, run] = useBusy();
  return (
    <Button
      variant="quiet"
      size="small"
      icon="discard"
      busy={busy}
      onClick={() => run(running && whileRunning ? whileRunning() : undo(client, target, what))}
      {...(running && !whileRunning ? RUNNING : {})}
    >
      {label}
    </Button>
  );
}

export function RedoButton({ setId }: { setId: ChangeSetId }) {
  const client = useClient();
  const session = useSession();
  const running = useStore(session.state, ({ view }) => view.live !== null);
  const [busy, run] = useBusy();
  return (
    <Button
      variant="quiet"
      size="small"
      icon="redo"
      busy={busy}
      onClick={() => run(redo(client, setId))}
      {...(running ? RUNNING : {})}
    >
      Redo
    </Button>
  );
}

/** At the end of a turn that changed files: takes them back, or does it again. */
export function TurnUndo({ turnId }: { turnId: TurnId }) {
  const session = useSession();
  const changed = useStore(session.state, (state) => sessionUndo(state).changedTurns.has(turnId));
  const setId = useStore(session.state, (state) => sessionUndo(state).turns.get(turnId)?.undo.setId ?? null);
  if (!changed) return null;
  if (setId !== null) {
    return (
      <>
        <span className="ui-muted">Undone</span>
        <RedoButton setId={setId} />
      </>
    );
  }
  const target = { kind: 'turn', sessionId: session.id, turnId } as const;
  return <UndoButton target={target} what="the turn" label="Undo turn" />;
}

interface CallPart {
  callId: CallId;
  path?: string;
}

/** Takes back what one call did to files; with a path, to one of them. */
export function CallUndo({ callId, path, ...rest }: Omit<UndoButtonProps, 'target'> & CallPart) {
  const session = useSession();
  const file = path === undefined ? {} : { path };
  const target: UndoTarget = { kind: 'call', sessionId: session.id, callId, ...file };
  return <UndoButton target={target} {...rest} />;
}
