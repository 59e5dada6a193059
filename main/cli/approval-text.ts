import type { ApprovalAnswer, ApprovalSubject, PendingApproval } from '../../shared/model/approval';
import { plainText } from './plain-text';

const indent = (text: string): string =>
  plainText(text)
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');

/** The whole of what would happen: full command, full diff, nothing cut (sec-C17). */
export function approvalText(approval: PendingApproval): string {
  return [
    '',
    plainText(approval.title),
    ...approval.warnings.map((warning) => `  ! ${plainText(warning)}`),
    subjectText(approval.subject),
    `  ${plainText(approval.reason)}`,
    '',
  ].join('\n');
}

function subjectText(subject: ApprovalSubject): string {
  switch (subject.kind) {
    case 'command':
      return `${indent(subject.command)}\n  in ${plainText(subject.cwd)}`;
    case 'write':
      return subject.diffs.length > 0
        ? subject.diffs.map((diff) => indent(diff.unified)).join('\n')
        : indent(subject.paths.join('\n'));
    case 'access':
      return `${indent(subject.path)}\n  ${plainText(subject.reason)}`;
    case 'other':
      return `${indent(subject.summary)}\n${indent(subject.arguments)}`;
  }
}

export const choicesText = (approval: PendingApproval): string =>
  approval.proposedRule === null
    ? 'Allow once (y) or deny (n)? '
    : 'Allow once (y), for this session (s), always (a), or deny (n)? ';

/** What was typed, or null when it is none of the choices: then it is asked again. */
export function parseChoice(approval: PendingApproval, typed: string): ApprovalAnswer | null {
  const word = typed.trim().toLowerCase();
  if (['y', 'yes', 'o', 'once'].includes(word)) return 'allow_once';
  if (['n', 'no', 'd', 'deny'].includes(word)) return 'deny';
  if (approval.proposedRule === null) return null;
  if (['s', 'session'].includes(word)) return 'allow_session';
  return ['a', 'always'].includes(word) ? 'allow_always' : null;
}
