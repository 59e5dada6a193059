import { VisibleText } from '../../../lib/text/visible-text';
import { Button } from '../../../ui/button';
import { Icon } from '../../../ui/icon';
import { IconButton } from '../../../ui/icon-button';
import { formatMoment, originWords } from './origin-words';
import { showTurn, type OriginAnswer } from './use-origins';

/** Who wrote a line, above the code. */
export function OriginBar({ answer, onDismiss }: { answer: OriginAnswer; onDismiss: () => void }) {
  const { run, line } = answer;
  const words = run && originWords(run.set, formatMoment);
  return (
    <div className="editor-bar" role="status" aria-label="Who wrote the line">
      <Icon name="person" className="ui-muted" />
      <span className="editor-bar-text">
        {`Line ${line}: `}
        {words ? (
          <>
            <VisibleText text={words.title} />
            <span className="ui-soft">
              {' – '}
              <VisibleText text={words.by} />
            </span>
          </>
        ) : (
          'not saved yet, or from before Lathe kept a log.'
        )}
      </span>
      <span className="editor-bar-actions">
        {run?.set.turn && (
          <Button size="small" onClick={() => showTurn(run)}>
            Show in chat
          </Button>
        )}
        <IconButton icon="close" label="Dismiss" small onClick={onDismiss} />
      </span>
    </div>
  );
}
