import type { ApprovalSubject, CommandPart, RuleEffect } from '../../../shared/model/approval';
import { DiffCard } from '../../lib/diff/diff-card';
import type { EditRef } from '../../lib/diff/edit-ref';
import { VisibleText } from '../../lib/text/visible-text';
import { Icon } from '../../ui/icon';

export interface SubjectViewProps {
  subject: ApprovalSubject;
  /** Which edit the diff of a file is. */
  editOf: (path: string) => EditRef;
  onShowDiff?: ((edit: EditRef) => void) | undefined;
}

/** The exact thing that is asked about, whole and as plain text: nothing in it is read as markup (sec-G08). */
export function SubjectView({ subject, ...diffs }: SubjectViewProps) {
  switch (subject.kind) {
    case 'command':
      return (
        <>
          <CommandLine text={subject.command} />
          {(subject.parts.length > 1 || subject.parts.some((part) => part.verdict === 'deny')) && (
            <Parts parts={subject.parts} />
          )}
          {subject.notCovered !== undefined && subject.notCovered.length > 0 && (
            <p className="ap-note">
              Can’t be undone there: <VisibleText text={subject.notCovered.join(', ')} />
            </p>
          )}
        </>
      );
    case 'write':
      return subject.diffs.length > 0 ? (
        <>
          {subject.diffs.map((diff, i) => (
            <DiffCard
              key={i}
              diff={diff}
              columns={2}
              startOpen
              whole
              edit={diffs.editOf(diff.path)}
              {...(diffs.onShowDiff && { onShowDiff: diffs.onShowDiff })}
            />
          ))}
        </>
      ) : (
        <CommandLine text={subject.paths.join('\n')} />
      );
    case 'access':
      return (
        <>
          <CommandLine text={subject.path} />
          <p className="ap-text">
            <VisibleText text={subject.reason} />
          </p>
        </>
      );
    case 'other':
      return (
        <>
          <p className="ap-text">
            <VisibleText text={subject.summary} />
          </p>
          <CommandLine text={subject.arguments} />
        </>
      );
  }
}

export function CommandLine({ text }: { text: string }) {
  return (
    <pre className="ap-command">
      <VisibleText text={text} />
    </pre>
  );
}

const VERDICTS: Readonly<Record<RuleEffect, readonly [icon: string, tone: string]>> = {
  allow: ['check', 'ui-ok'],
  ask: ['question', 'ui-warn'],
  deny: ['error', 'ui-err'],
};

function Parts({ parts }: { parts: readonly CommandPart[] }) {
  return (
    <ul className="ap-parts" aria-label="Parts of the command">
      {parts.map((part, i) => {
        const [icon, tone] = VERDICTS[part.verdict];
        return (
          <li key={i}>
            <Icon name={icon} size={14} className={tone} />
            <span className="ap-part-text">
              <VisibleText text={part.text} />
            </span>
            <span className={`ap-part-verdict ${tone}`}>
              <VisibleText text={part.reason} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
