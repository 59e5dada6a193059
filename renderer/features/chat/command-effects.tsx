import { memo, useId, useState } from 'react';
import type { CallView } from '../../../shared/model/session-view';
import { sessionUndo } from '../../lib/changes/session-undo';
import { VisibleText } from '../../lib/text/visible-text';
import { useStore } from '../../lib/store';
import { Icon } from '../../ui/icon';
import { useSession } from './chat-context';
import { changeLetter, effectWords, notCoveredWords } from './effect-words';
import { EditCard } from './edit-card';
import { CallUndo, RedoButton } from './undo-actions';

/** What a command did to files: how many in one line, which ones and how on demand, and what was not followed. */
export const CommandEffects = memo(function CommandEffects({ call }: { call: CallView }) {
  const [open, setOpen] = useState(false);
  const bodyId = useId();
  const { changed } = call;
  if (!changed) return null;
  const count = changed.files.length + changed.more;
  if (count === 0 && changed.notCovered.length === 0) return null;
  return (
    <section className="ch-effects" role="group" aria-label="Files changed by the command">
      {count > 0 && (
        <div className="ch-effects-head">
          <button
            type="button"
            className="ch-effects-toggle"
            aria-expanded={open}
            aria-controls={open ? bodyId : undefined}
            onClick={() => setOpen(!open)}
          >
            <Icon name={open ? 'chevron-down' : 'chevron-right'} size={14} className="ui-muted" />
            <span>{effectWords(changed)}</span>
            <code className="ui-clip ui-muted">
              <VisibleText text={commandOf(call)} />
            </code>
          </button>
          <EffectsUndo call={call} />
        </div>
      )}
      {changed.notCovered.length > 0 && (
        <div className="ch-receipt-line">
          <Icon name="warning" size={14} className="ui-warn" />
          <span>
            <VisibleText text={notCoveredWords(changed.notCovered)} />
          </span>
        </div>
      )}
      {open && (
        <div id={bodyId} className="ch-effects-body">
          <EffectList call={call} />
        </div>
      )}
    </section>
  );
});

function commandOf({ args }: CallView): string {
  const { command } = (typeof args === 'object' && args !== null ? args : {}) as { command?: unknown };
  return typeof command === 'string' ? (command.split('\n', 1)[0] ?? '') : '';
}

function EffectsUndo({ call }: { call: CallView }) {
  const session = useSession();
  const setId = useStore(
    session.state,
    (state) => sessionUndo(state).calls.get(call.callId)?.undo.setId ?? null,
  );
  if (setId !== null) return <RedoButton setId={setId} />;
  return <CallUndo callId={call.callId} what="what the command changed" label="Undo" />;
}

/** Files with a diff as cards, the others by name. */
function EffectList({ call }: { call: CallView }) {
  const shown = new Set<string>(call.diffs.map(({ diff }) => diff.path));
  const others = (call.changed?.files ?? []).filter(({ path }) => !shown.has(path));
  const more = call.changed?.more ?? 0;
  return (
    <>
      {others.length + more > 0 && (
        <ul className="ch-receipt-list" aria-label="Changed files">
          {others.map(({ path, change }) => (
            <li key={path}>
              <span
                className="ch-effect-letter"
                data-change={change}
                title={change}
                aria-label={change}
                role="img"
              >
                {changeLetter(change)}
              </span>
              <span className="ch-receipt-name ui-clip" title={path}>
                <VisibleText text={path} />
              </span>
            </li>
          ))}
          {more > 0 && <li className="ui-muted">{`and ${more} more`}</li>}
        </ul>
      )}
      {call.diffs.map(({ diff, reverted }, i) => (
        <EditCard key={`${diff.path}-${i}`} callId={call.callId} diff={diff} reverted={reverted} byCommand />
      ))}
    </>
  );
}
