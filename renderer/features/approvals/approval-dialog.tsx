import { useEffect, useRef, type KeyboardEvent, type RefObject } from 'react';
import type { ErrorShape } from '../../../shared/error';
import type { ApprovalAnswer, PendingApproval } from '../../../shared/model/approval';
import { useNow } from '../../lib/clock';
import { OPEN_DIFF_KEYS } from '../../lib/diff/edit-ref';
import { formatPath } from '../../lib/format';
import { currentKeyPlatform, matchesChord, parseChord } from '../../lib/keys';
import { appInfoStore } from '../../lib/project-store';
import { useStore } from '../../lib/store';
import { VisibleText } from '../../lib/text/visible-text';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Icon } from '../../ui/icon';
import { buttonsOn, guardKey, type ButtonsOn } from './approval-guard';
import { effectWords, grantWords, timeLeft, warningsOf } from './approval-words';
import { SubjectView } from './subject-view';
import { useGuard, useReadToEnd } from './use-guard';
import { useShowDiff, type ShowDiff } from './use-show-diff';

export interface ApprovalDialogProps {
  approval: PendingApproval;
  /** Title of the session that asks; '' while it is not known. */
  sessionTitle: string;
  /** How many more wait behind this one. */
  more: number;
  onAnswer: (answer: ApprovalAnswer) => void;
  onDefer: () => void;
  onShowDiff?: ShowDiff | undefined;
}

/** Asks for one permission: the question, who asks, what to know first, the exact thing, and four answers. */
export function ApprovalDialog(props: ApprovalDialogProps) {
  const { approval, sessionTitle, more, onAnswer, onDefer } = props;
  const { danger, subject, expiresAt, proposedRule } = approval;
  const guard = useGuard();
  const start = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const deny = useRef<HTMLButtonElement>(null);
  const allow = useRef<HTMLButtonElement>(null);
  const read = useReadToEnd(end);
  const now = useNow();
  const on = buttonsOn({
    armed: guard.armed,
    read,
    danger,
    grantable: proposedRule !== null,
    closed: now >= expiresAt,
  });
  useFocusWhenArmed(start, guard.armed, danger || !on.allowOnce ? deny : allow);
  const answer = (value: ApprovalAnswer): void => {
    if (!guard.holds()) onAnswer(value);
  };
  const diffs = useShowDiff(approval, props.onShowDiff, onDefer);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (diffs.show && diffs.first && matchesChord(event.nativeEvent, DIFF_CHORD)) {
      event.preventDefault();
      diffs.show(diffs.first);
      return;
    }
    const meaning = guardKey(event, guard.armed && !guard.holds(), danger);
    if (meaning === null) return;
    if (meaning === 'rearm') {
      start.current?.focus();
      guard.rearm();
    } else event.preventDefault();
    if (meaning === 'deny') answer('deny');
  };
  return (
    <Dialog
      label="Approval"
      title={<VisibleText text={approval.title} />}
      subtitle={<VisibleText text={askerWords(approval.asker, sessionTitle)} />}
      meta={<span role="timer">{timeLeft(expiresAt, now)}</span>}
      icon={danger ? 'warning' : SIGNS[subject.kind]}
      tone={danger ? 'bad' : 'agent'}
      width={640}
      className="ap-dialog"
      initialFocus={start}
      onClose={onDefer}
      footer={
        <div className="ap-foot" onKeyDownCapture={onKeyDown}>
          <Answers on={on} danger={danger} deny={deny} allow={allow} onAnswer={answer} />
          <FootNote read={read} more={more} />
        </div>
      }
    >
      <div
        ref={start}
        className="ap-body"
        tabIndex={0}
        role="group"
        aria-label="What is asked"
        onKeyDownCapture={onKeyDown}
      >
        {warningsOf(approval).map((warning) => (
          <div key={warning} className="ap-warning">
            <Icon name="warning" size={14} />
            <span>
              <VisibleText text={warning} />
            </span>
          </div>
        ))}
        <SubjectView subject={subject} editOf={diffs.editOf} onShowDiff={diffs.show} />
        <DiffFailure failure={diffs.failure} />
        <div ref={end} className="ap-end" />
        <Facts approval={approval} />
      </div>
    </Dialog>
  );
}

const DIFF_CHORD = parseChord(OPEN_DIFF_KEYS, currentKeyPlatform());

/** Why a write could not be put side by side; what is asked stands above it all the same. */
export function DiffFailure({ failure }: { failure: ErrorShape | null }) {
  return (
    failure && (
      <p className="ap-text ui-soft" role="alert">
        <VisibleText text={[failure.message, failure.hint].filter(Boolean).join(' ')} />
      </p>
    )
  );
}

const SIGNS = { command: 'terminal', write: 'edit', access: 'eye', other: 'tools' } as const;

const askerWords = (asker: string, sessionTitle: string): string =>
  sessionTitle === '' ? asker : `${asker} · “${sessionTitle}”`;

/** The focus goes to the answer that fits once it takes a press, unless the user went elsewhere meanwhile. */
function useFocusWhenArmed(
  start: RefObject<HTMLElement | null>,
  armed: boolean,
  target: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    const active = document.activeElement;
    const waiting = active === start.current || active === document.body || active === null;
    if (armed && waiting) target.current?.focus({ preventScroll: true });
  }, [start, armed, target]);
}

function Facts({ approval }: { approval: PendingApproval }) {
  const homeDir = useStore(appInfoStore, (info) => info?.homeDir ?? '');
  const { subject } = approval;
  const grant = grantWords(approval);
  return (
    <dl className="ap-facts">
      <dt>Effect</dt>
      <dd>{effectWords(subject)}</dd>
      {subject.kind === 'command' && (
        <>
          <dt>Runs in</dt>
          <dd className="ap-mono">
            <VisibleText text={formatPath(subject.cwd, homeDir)} />
          </dd>
        </>
      )}
      <dt>Asked because</dt>
      <dd>
        <VisibleText text={approval.reason} />
      </dd>
      <dt>Always allow</dt>
      <dd>
        {grant.text}
        {grant.rule !== null && (
          <>
            {' '}
            <span className="ap-mono">
              <VisibleText text={grant.rule} />
            </span>
            {' to your rules'}
          </>
        )}
      </dd>
    </dl>
  );
}

interface AnswersProps {
  on: ButtonsOn;
  danger: boolean;
  deny: RefObject<HTMLButtonElement | null>;
  allow: RefObject<HTMLButtonElement | null>;
  onAnswer: (answer: ApprovalAnswer) => void;
}

const off = (enabled: boolean) => ({ disabled: !enabled, 'aria-disabled': !enabled });

/** The wider the grant, the further the click. */
function Answers({ on, danger, deny, allow, onAnswer }: AnswersProps) {
  return (
    <>
      <Button ref={deny} {...off(on.deny)} keyHint={danger ? 'Enter' : 'D'} onClick={() => onAnswer('deny')}>
        Deny
      </Button>
      <span className="ui-grow" />
      <Button {...off(on.grants)} onClick={() => onAnswer('allow_always')}>
        Always allow
      </Button>
      <Button {...off(on.grants)} onClick={() => onAnswer('allow_session')}>
        Allow for session
      </Button>
      <Button
        ref={allow}
        variant={danger ? 'danger' : 'primary'}
        {...off(on.allowOnce)}
        {...(danger ? {} : { keyHint: 'Enter' })}
        onClick={() => onAnswer('allow_once')}
      >
        Allow once
      </Button>
    </>
  );
}

function FootNote({ read, more }: { read: boolean; more: number }) {
  if (read && more === 0) return null;
  return (
    <p className="ap-note">
      {!read && 'Scroll to the end of the text to allow it. '}
      {more > 0 && `${more} more ${more === 1 ? 'waits' : 'wait'}.`}
    </p>
  );
}
