import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { toErrorShape } from '../../../shared/error';
import { useClient } from '../../lib/client-context';
import { panelSlot } from '../../lib/dock-slot';
import { useStore } from '../../lib/store';
import { pushToast } from '../../lib/toast-store';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { IconButton } from '../../ui/icon-button';
import { TerminalList } from './terminal-list';
import { followTerminals, openTerminal, selectTerminal, terminalsStore } from './terminal-store';
import { TerminalView } from './terminal-view';
import './terminal.css';

const report = (error: unknown): void => {
  const { message, hint } = toErrorShape(error);
  pushToast({ tone: 'error', title: message, ...(hint === undefined ? {} : { text: hint }) });
};

/** Terminals of the open project: real shells in the host. The first one opens by itself. */
export function TerminalPane() {
  const client = useClient();
  const slot = useStore(panelSlot);
  const { list, activeId, loaded } = useStore(terminalsStore);
  const opened = useRef(false);
  useEffect(() => followTerminals(client), [client]);
  useEffect(() => {
    if (!loaded || opened.current) return;
    opened.current = true;
    if (list.length === 0) openTerminal(client).catch(report);
  }, [client, loaded, list.length]);
  const open = (): void => void openTerminal(client).catch(report);
  const close = (id: string): void => {
    const info = list.find((each) => each.id === id);
    if (info) client.terminal.close({ id: info.id }).catch(report);
  };
  const active = list.find(({ id }) => id === activeId);
  return (
    <div className="terminal-pane">
      {active ? (
        <TerminalView key={active.id} info={active} />
      ) : (
        <div className="terminal-view">
          {loaded && opened.current && list.length === 0 && (
            <EmptyState
              icon="terminal"
              title="No terminal"
              actions={<Button onClick={open}>New terminal</Button>}
            >
              Run commands of your own beside the agent’s.
            </EmptyState>
          )}
        </div>
      )}
      <TerminalList list={list} activeId={activeId} onSelect={selectTerminal} onClose={close} />
      {slot && createPortal(<IconButton icon="add" label="New terminal" onClick={open} />, slot)}
    </div>
  );
}
