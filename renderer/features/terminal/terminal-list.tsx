import type { TerminalInfo } from '../../../shared/contract/terminal';
import { Icon } from '../../ui/icon';
import { IconButton } from '../../ui/icon-button';
import { roveFocus } from '../../ui/rove';

interface TerminalListProps {
  list: readonly TerminalInfo[];
  activeId: string | null;
  onSelect: (id: string) => void;
  onClose: (id: string) => void;
}

/** The terminals at the right of the panel; Delete closes the focused one. */
export function TerminalList({ list, activeId, onSelect, onClose }: TerminalListProps) {
  const pick = (index: number): void => {
    const info = list[index];
    if (info) onSelect(info.id);
  };
  return (
    <div className="terminal-side">
      <div
        className="terminal-list"
        role="tablist"
        aria-orientation="vertical"
        aria-label="Terminals"
        onKeyDown={(event) => roveFocus(event, pick)}
      >
        {list.map((info) => (
          <div key={info.id} className="terminal-row" data-active={info.id === activeId}>
            <button
              type="button"
              role="tab"
              className="terminal-tab"
              title={info.running ? info.title : `${info.title}, ended`}
              aria-selected={info.id === activeId}
              tabIndex={info.id === activeId ? 0 : -1}
              onClick={() => onSelect(info.id)}
              onKeyDown={(event) => {
                if (event.key === 'Delete') onClose(info.id);
              }}
            >
              <Icon name="terminal" />
              <span className="terminal-name">{info.title}</span>
              {!info.running && <span className="terminal-note">ended</span>}
            </button>
            <IconButton small icon="close" label={`Close ${info.title}`} onClick={() => onClose(info.id)} />
          </div>
        ))}
      </div>
    </div>
  );
}
