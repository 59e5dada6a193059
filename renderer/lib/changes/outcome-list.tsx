import type { UndoneFile } from '../../../shared/model/change';
import { Icon } from '../../ui/icon';
import { splitPath } from '../format';
import { VisibleText } from '../text/visible-text';
import './changes.css';
import { byConcern, outcomeSign } from './outcome-words';

interface OutcomeListProps {
  files: readonly UndoneFile[];
  /** Files beyond those listed. */
  more?: number;
  /** It has not been done yet. */
  ahead?: boolean;
  label: string;
}

/** Files with what becomes, or became, of each; those that need a look first. */
export function OutcomeList({ files, more = 0, ahead = false, label }: OutcomeListProps) {
  return (
    <ul className="cg-outcomes" aria-label={label}>
      {byConcern(files).map((file) => (
        <Outcome key={file.path} file={file} ahead={ahead} />
      ))}
      {more > 0 && <li className="ui-muted">{`and ${more} more`}</li>}
    </ul>
  );
}

/** "stays as it is – the same lines were changed since". */
function outcomeWords(words: string, why: string): string {
  const reason = why.trim().replace(/\.$/, '');
  return reason === '' ? words : `${words} – ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
}

function Outcome({ file, ahead }: { file: UndoneFile; ahead: boolean }) {
  const { words, icon, tone } = outcomeSign(file.outcome, ahead);
  const { folder, name } = splitPath(file.path);
  return (
    <li>
      <Icon name={icon} size={14} className={tone} />
      <span className="cg-path ui-clip" title={file.path}>
        <span className="ui-muted">
          <VisibleText text={folder} />
        </span>
        <VisibleText text={name} />
      </span>
      <span className={`cg-outcome ${tone === 'ui-warn' ? 'ui-warn' : 'ui-soft'}`}>
        {outcomeWords(words, file.why)}
      </span>
    </li>
  );
}

/** What no undo reaches, as the host says it. */
export function CannotList({ cannot }: { cannot: readonly string[] }) {
  if (cannot.length === 0) return null;
  return (
    <ul className="cg-cannot" aria-label="What stays">
      {cannot.map((sentence) => (
        <li key={sentence}>
          <Icon name="info" size={14} className="ui-muted" />
          <span>
            <VisibleText text={sentence} />
          </span>
        </li>
      ))}
    </ul>
  );
}
