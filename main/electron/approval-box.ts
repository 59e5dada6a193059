import type { MessageBoxOptions } from 'electron';
import type { ApprovalAnswer, PendingApproval } from '../../shared/model/approval';
import { hiddenCharacters } from '../core/approval/hidden-characters';

/** Longer text would be cut or wrapped out of sight by some system's message box. */
const MAX_CHARS = 160;

export type BoxAnswer = ApprovalAnswer | 'review';

const isPlain = (text: string): boolean =>
  text.length <= MAX_CHARS && !/[\0-\x1f\x7f-\x9f]/.test(text) && hiddenCharacters(text).length === 0;

/** What a message box asks about: the exact thing, and where. Null when only the window can show it. */
function plainSubject({ subject }: PendingApproval): { text: string; facts: string[] } | null {
  if (subject.kind === 'command' && !subject.opaque) {
    return { text: subject.command, facts: [`Folder: ${subject.cwd}`] };
  }
  return null;
}

/**
 * Whether a message box can ask this in full: a short command of plain words without warnings. Diffs, long or hidden text
 * and dangerous commands need the window's dialog.
 */
export function fitsMessageBox(approval: PendingApproval): boolean {
  const subject = plainSubject(approval);
  if (!subject || approval.danger || approval.warnings.length > 0) return false;
  return [subject.text, ...subject.facts, approval.title, approval.asker, approval.reason].every(isPlain);
}

interface Button {
  label: string;
  answer: BoxAnswer;
}

function buttonsFor({ proposedRule }: PendingApproval): Button[] {
  const grants: Button[] = [
    { label: 'Allow for session', answer: 'allow_session' },
    { label: 'Always allow', answer: 'allow_always' },
  ];
  return [
    { label: 'Deny', answer: 'deny' },
    { label: 'Allow once', answer: 'allow_once' },
    ...(proposedRule ? grants : []),
    { label: 'Review…', answer: 'review' },
  ];
}

/**
 * The message box that asks for one approval: "Deny" is what Enter and Esc mean, wider grants are there only when they may
 * be given, and the last button leaves it to the window.
 *
 * @param approval one that {@link fitsMessageBox}
 */
export function approvalBox(approval: PendingApproval): {
  options: MessageBoxOptions;
  answerOf: (response: number) => BoxAnswer;
} {
  const buttons = buttonsFor(approval);
  const subject = plainSubject(approval);
  const { proposedRule } = approval;
  const facts = [
    ...(subject?.facts ?? []),
    `Asked by: ${approval.asker}`,
    `Asked because: ${approval.reason}`,
    ...(proposedRule ? [`A longer grant allows: ${proposedRule.action} ${proposedRule.resource}`] : []),
  ];
  const options: MessageBoxOptions = {
    type: 'question',
    title: 'Approval',
    message: approval.title,
    detail: `${subject?.text ?? ''}\n\n${facts.join('\n')}`,
    buttons: buttons.map((button) => button.label),
    defaultId: 0,
    cancelId: 0,
  };
  return { options, answerOf: (response) => buttons[response]?.answer ?? 'deny' };
}
