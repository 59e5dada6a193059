import type { ApprovalAnswer, PendingApproval } from '../../../shared/model/approval';
import { useNow } from '../../lib/clock';
import { editMark, OPEN_DIFF_KEYS, type EditRef } from '../../lib/diff/edit-ref';
import { keyLabel } from '../../lib/keys';
import { VisibleText } from '../../lib/text/visible-text';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { IconButton } from '../../ui/icon-button';
import { DiffFailure } from './approval-dialog';
import { cardSuffices, subjectLine, timeLeft } from './approval-words';
import { useGuard } from './use-guard';
import { useShowDiff, type ShowDiff } from './use-show-diff';

export interface ApprovalCardProps {
  approval: PendingApproval;
  sessionTitle: string;
  more: number;
  onAnswer: (answer: ApprovalAnswer) => void;
  onReview: () => void;
  onShowDiff?: ShowDiff | undefined;
}

/** A permission that was put off: it waits over the composer and is no dialog. */
export function ApprovalCard(props: ApprovalCardProps) {
  const { approval, sessionTitle, more, onAnswer, onReview } = props;
  const diffs = useShowDiff(approval, props.onShowDiff, () => undefined);
  const now = useNow();
  const guard = useGuard();
  const closed = !guard.armed || now >= approval.expiresAt;
  const answer = (value: ApprovalAnswer): void => {
    if (!guard.holds()) onAnswer(value);
  };
  return (
    <div
      {...(diffs.first && editMark(diffs.first))}
      className="ap-card"
      role="group"
      aria-label="Pending approval"
    >
      <div className="ap-card-head">
        <Icon name="shield" size={14} />
        <span className="ui-clip">
          <VisibleText text={approval.title} />
        </span>
        <span className="ap-card-time">{timeLeft(approval.expiresAt, now)}</span>
      </div>
      <pre className="ap-command ap-card-line">
        <VisibleText text={subjectLine(approval.subject)} />
      </pre>
      <div className="ap-card-meta ui-clip">
        <VisibleText text={sessionTitle === '' ? approval.asker : `${approval.asker} · “${sessionTitle}”`} />
        {more > 0 && ` · ${more} more`}
      </div>
      <DiffFailure failure={diffs.failure} />
      <div className="ap-card-buttons">
        {cardSuffices(approval) && (
          <Button
            variant="primary"
            disabled={closed}
            aria-disabled={closed}
            onClick={() => answer('allow_once')}
          >
            Allow once
          </Button>
        )}
        <Button disabled={closed} aria-disabled={closed} onClick={() => answer('deny')}>
          Deny
        </Button>
        <span className="ui-grow" />
        {diffs.show && diffs.first && <OpenDiff edit={diffs.first} onShow={diffs.show} />}
        <Button variant="quiet" keyHint={keyLabel('Mod+Shift+A')} onClick={onReview}>
          Review…
        </Button>
      </div>
    </div>
  );
}

function OpenDiff({ edit, onShow }: { edit: EditRef; onShow: (edit: EditRef) => void }) {
  return (
    <IconButton
      icon="diff"
      label="Open diff"
      keyHint={keyLabel(OPEN_DIFF_KEYS)}
      onClick={() => onShow(edit)}
    />
  );
}
