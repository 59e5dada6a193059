import { useId, useState } from 'react';
import type { ChangeSet, PathChange } from '../../../shared/model/change';
import { redo, undo } from '../../lib/changes/undo-flow';
import { useClient } from '../../lib/client-context';
import { formatAgo } from '../../lib/format';
import { baseName } from '../../lib/files/workspace-path';
import { VisibleText } from '../../lib/text/visible-text';
import { toastError } from '../../lib/toast-store';
import { windowStore } from '../../lib/window-store';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import type { ChangesHost } from './changes-host';
import { authorSign, canCompare, entryAction, LETTER_WORDS, pathLetter, pathsWords } from './log-words';

interface LogEntryProps {
  entry: ChangeSet;
  open: boolean;
  onToggle(): void;
  host: ChangesHost;
}

/** One entry: who, what, when; opens to its paths. */
export function LogEntry({ entry, open, onToggle, host }: LogEntryProps) {
  const bodyId = useId();
  const { icon, words, tone } = authorSign(entry.author);
  return (
    <div role="listitem" className="lg-entry" data-undone={entry.undoneBy !== null}>
      <div className="lg-entry-head">
        <button
          type="button"
          className="lg-entry-toggle"
          aria-expanded={open}
          aria-controls={open ? bodyId : undefined}
          onClick={onToggle}
        >
          <Icon name={open ? 'chevron-down' : 'chevron-right'} size={14} className="ui-muted" />
          <Icon name={icon} className={tone} label={words} />
          <span className="lg-label ui-clip">
            <VisibleText text={entry.label.replaceAll('`', '')} />
          </span>
          <span className="lg-paths ui-clip ui-muted">
            <VisibleText text={pathsWords(entry)} />
          </span>
          {entry.undoneBy !== null && <span className="lg-mark">undone</span>}
          <time
            className="lg-time"
            dateTime={new Date(entry.at).toISOString()}
            title={new Date(entry.at).toLocaleString()}
          >
            {formatAgo(entry.at, Date.now())}
          </time>
        </button>
        <EntryAction entry={entry} />
      </div>
      {open && (
        <div id={bodyId} className="lg-body">
          <EntryFacts entry={entry} who={words} />
          <ul className="lg-changes" aria-label="Paths">
            {entry.changes.map((change) => (
              <PathRow key={change.path} entry={entry} change={change} host={host} />
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function EntryAction({ entry }: { entry: ChangeSet }) {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const action = entryAction(entry);
  if (!action) return null;
  const run = async (): Promise<void> => {
    setBusy(true);
    if (action === 'redo') await redo(client, entry.undoneBy ?? entry.id);
    else await undo(client, { kind: 'set', setId: entry.id }, 'the change');
    setBusy(false);
  };
  return (
    <Button
      variant="quiet"
      size="small"
      busy={busy}
      aria-label={`${action === 'undo' ? 'Undo' : 'Redo'}: ${entry.label.replaceAll('`', '')}`}
      onClick={() => void run()}
    >
      {action === 'undo' ? 'Undo' : 'Redo'}
    </Button>
  );
}

function EntryFacts({ entry: { author, label, notCovered }, who }: { entry: ChangeSet; who: string }) {
  const turn = author.kind === 'agent' || author.kind === 'command' ? author : null;
  const show = (): void => {
    if (!turn) return;
    windowStore.activeSession.set(turn.sessionId);
    windowStore.turn.set({ sessionId: turn.sessionId, turnId: turn.turnId });
  };
  return (
    <>
      <div className="lg-facts">
        <span className="ui-soft">{who}</span>
        {author.kind === 'command' && !label.includes(author.command) && (
          <code className="ui-clip">
            <VisibleText text={author.command} />
          </code>
        )}
        {turn && (
          <Button variant="quiet" size="small" onClick={show}>
            Show in chat
          </Button>
        )}
      </div>
      {notCovered.length > 0 && (
        <p className="lg-facts">
          <Icon name="warning" size={14} className="ui-warn" />
          <span>
            {'Not covered, so undo does not reach it: '}
            <VisibleText text={notCovered.join(', ')} />
          </span>
        </p>
      )}
    </>
  );
}

function PathRow({ entry, change, host }: { entry: ChangeSet; change: PathChange; host: ChangesHost }) {
  const client = useClient();
  const letter = pathLetter(change);
  const compare = async (): Promise<void> => {
    const { before, after } = await client.changes.texts({ setId: entry.id, path: change.path });
    host.onCompare({
      title: `${baseName(change.path)}: change ${entry.seq}`,
      path: change.path,
      original: before ?? '',
      modified: after ?? '',
      sides: ['Before', 'After'],
    });
  };
  return (
    <li>
      <span className="lg-letter" data-letter={letter} role="img" aria-label={LETTER_WORDS[letter]}>
        {letter}
      </span>
      <span className="lg-path-name ui-clip" title={change.path}>
        {change.movedFrom !== null && (
          <span className="ui-muted">
            <VisibleText text={`${change.movedFrom} → `} />
          </span>
        )}
        <VisibleText text={change.path} />
      </span>
      {canCompare(change) && (
        <Button
          variant="quiet"
          size="small"
          aria-label={`Show diff of ${change.path}`}
          onClick={() => {
            compare().catch((error: unknown) => toastError(error, `${change.path} could not be compared`));
          }}
        >
          Show diff
        </Button>
      )}
      {change.after !== null && (
        <Button
          variant="quiet"
          size="small"
          aria-label={`Open ${change.path}`}
          onClick={() => host.onOpenFile(change.path)}
        >
          Open
        </Button>
      )}
    </li>
  );
}
