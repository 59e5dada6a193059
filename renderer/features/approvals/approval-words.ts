import type { ApprovalSubject, PendingApproval } from '../../../shared/model/approval';
import { formatClock, formatCount } from '../../lib/format';
import { countHidden, hasHidden } from '../../lib/text/hidden-characters';

/** Text as long as this is read in the dialog, not on the card. */
const CARD_CHARS = 300;

/** What would happen, as one sentence of plain text. */
export function effectWords(subject: ApprovalSubject): string {
  switch (subject.kind) {
    case 'command':
      return 'Runs a command on this computer. Its changes to the project’s files can be undone, other effects can’t.';
    case 'write':
      return `Writes ${formatCount(subject.paths.length, 'file')} inside the project. Can be reverted.`;
    case 'access':
      return 'Reads outside of what the project opens by itself.';
    case 'other':
      return 'Does what its arguments say.';
  }
}

/** The text that is asked about: what may hide something is looked for here. */
export function subjectText(subject: ApprovalSubject): string {
  switch (subject.kind) {
    case 'command':
      return `${subject.command}\n${subject.cwd}`;
    case 'write':
      return [
        ...subject.paths,
        ...subject.diffs.flatMap((diff) => diff.hunks.flatMap((hunk) => hunk.lines.map((line) => line.text))),
      ].join('\n');
    case 'access':
      return subject.path;
    case 'other':
      return `${subject.summary}\n${subject.arguments}`;
  }
}

/** The warnings to show first. The count of hidden characters is our own, so that it is there whoever asks. */
export function warningsOf(approval: PendingApproval): string[] {
  const count = countHidden(subjectText(approval.subject));
  if (count === 0 || approval.warnings.some((warning) => /hidden|invisible/i.test(warning))) {
    return approval.warnings;
  }
  const hidden = `${formatCount(count, 'hidden character')}. ${count === 1 ? 'It changes' : 'They change'} how the text reads on screen. Shown below as ${count === 1 ? 'a code' : 'codes'}.`;
  return [hidden, ...approval.warnings];
}

/** "4:48 left"; after that the answer is no. */
export function timeLeft(expiresAt: number, now: number): string {
  return expiresAt > now ? `${formatClock(expiresAt - now)} left` : 'No time left: denied';
}

/** What "Always allow" would add, or why it is not offered. */
export function grantWords({ proposedRule, danger, subject }: PendingApproval): {
  rule: string | null;
  text: string;
} {
  if (danger) return { rule: null, text: 'Not offered for what can do harm.' };
  if (proposedRule) return { rule: `${proposedRule.action} ${proposedRule.resource}`, text: 'would add' };
  const opaque = subject.kind === 'command' && subject.opaque;
  return {
    rule: null,
    text: opaque ? 'Not offered: the line can’t be split into plain words.' : 'Not offered for this.',
  };
}

/** Whether the card shows all that has to be known: short, harmless, nothing hidden. Otherwise it leads to the dialog. */
export function cardSuffices(approval: PendingApproval): boolean {
  const text = subjectText(approval.subject);
  return !approval.danger && approval.warnings.length === 0 && text.length <= CARD_CHARS && !hasHidden(text);
}

/** One line for the card: the command, the files, the path. */
export function subjectLine(subject: ApprovalSubject): string {
  switch (subject.kind) {
    case 'command':
      return subject.command;
    case 'write':
      return subject.paths.join(', ');
    case 'access':
      return subject.path;
    case 'other':
      return subject.summary;
  }
}
