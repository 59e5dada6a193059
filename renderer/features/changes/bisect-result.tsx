import type { BisectProgress } from '../../../shared/contract/changes';
import { undo } from '../../lib/changes/undo-flow';
import { baseName } from '../../lib/files/workspace-path';
import { useClient } from '../../lib/client-context';
import { VisibleText } from '../../lib/text/visible-text';
import { toastError } from '../../lib/toast-store';
import { windowStore } from '../../lib/window-store';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import type { ChangesHost } from './changes-host';
import { authorSign } from './log-words';

type Result = Extract<BisectProgress, { kind: 'found' | 'nothing' }>;
type Found = Extract<Result, { kind: 'found' }>;

/** What the search found, and what can be done about it. */
export function BisectResult({ result, host }: { result: Result; host: ChangesHost }) {
  if (result.kind === 'nothing') {
    return (
      <div className="bs-result" role="group" aria-label="Result">
        <Icon name="info" className="ui-accent" />
        <p>
          <VisibleText text={result.why.replaceAll('`', '')} />
        </p>
      </div>
    );
  }
  const { icon, tone, words } = authorSign(result.set.author);
  const [verdict = '', ...notes] = result.summary.replaceAll('`', '').split('\n');
  return (
    <div className="bs-result bs-found" role="group" aria-label="Result">
      <Icon name={icon} className={tone} label={words} />
      <div className="ui-grow">
        <p className="ui-strong">
          <VisibleText text={verdict} />
        </p>
        {notes.map((note) => (
          <p key={note}>
            <VisibleText text={note} />
          </p>
        ))}
        <p className="ui-soft">
          <VisibleText
            text={[result.set.label.replaceAll('`', ''), result.path].filter(Boolean).join(' · ')}
          />
        </p>
        <FoundActions found={result} host={host} />
      </div>
    </div>
  );
}

function FoundActions({ found: { set, path }, host }: { found: Found; host: ChangesHost }) {
  const client = useClient();
  const { author } = set;
  const file = path ?? set.changes[0]?.path ?? null;
  const compare = async (of: string): Promise<void> => {
    const { before, after } = await client.changes.texts({ setId: set.id, path: of });
    host.onCompare({
      title: `${baseName(of)}: change ${set.seq}`,
      path: of,
      original: before ?? '',
      modified: after ?? '',
      sides: ['Before', 'After'],
    });
  };
  return (
    <div className="bs-actions">
      {(author.kind === 'agent' || author.kind === 'command') && (
        <Button
          onClick={() => {
            windowStore.activeSession.set(author.sessionId);
            windowStore.turn.set({ sessionId: author.sessionId, turnId: author.turnId });
          }}
        >
          Show in chat
        </Button>
      )}
      {file !== null && (
        <Button
          onClick={() => {
            compare(file).catch((error: unknown) => toastError(error, `${file} could not be compared`));
          }}
        >
          Show diff
        </Button>
      )}
      <Button icon="discard" onClick={() => void undo(client, { kind: 'set', setId: set.id }, 'this change')}>
        Undo this change
      </Button>
    </div>
  );
}
