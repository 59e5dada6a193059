import type { Receipt, ReceiptClaim, ReceiptCommand } from '../../../shared/model/receipt';
import { formatCount, splitPath } from '../../lib/format';

/** One part of the folded receipt; code in backticks. */
export interface ReceiptPart {
  text: string;
  tone: 'plain' | 'ok' | 'warn' | 'err';
}

export const unsupported = ({ claims }: Receipt): ReceiptClaim[] =>
  claims.filter(({ supported }) => !supported);

/** "exit 0", "no exit code", "runs on". */
export function exitWords({ exitCode, outcome }: ReceiptCommand): string {
  if (outcome === 'background') return 'runs in the background';
  return exitCode === null ? 'no exit code' : `exit ${exitCode}`;
}

export const exitTone = ({ outcome }: ReceiptCommand): ReceiptPart['tone'] =>
  outcome === 'ended' ? 'ok' : outcome === 'failed' ? 'err' : 'plain';

function filesPart({ files }: Receipt): ReceiptPart | null {
  const [first] = files;
  if (!first) return null;
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  const what = files.length === 1 ? `\`${splitPath(first.path).name}\`` : formatCount(files.length, 'file');
  return { text: `${what} changed +${additions} −${deletions}`, tone: 'plain' };
}

function commandsPart({ files, commandsAfterLastEdit: after, commandsBefore }: Receipt): ReceiptPart | null {
  const [first] = after;
  if (after.length === 1 && first) {
    return { text: `\`${shortened(first.command)}\` ${exitWords(first)}`, tone: exitTone(first) };
  }
  const failed = after.filter(({ outcome }) => outcome === 'failed').length;
  if (after.length > 1) {
    const end = failed === 0 ? '' : `, ${failed} failed`;
    return { text: `${formatCount(after.length, 'command')} run${end}`, tone: failed === 0 ? 'ok' : 'err' };
  }
  if (files.length > 0) return { text: 'nothing run after the last edit', tone: 'warn' };
  return commandsBefore.length === 0
    ? null
    : { text: `${formatCount(commandsBefore.length, 'command')} run`, tone: 'plain' };
}

const COMMAND_CHARS = 32;

function shortened(command: string): string {
  const line = command.replaceAll(/\s+/g, ' ').replaceAll('`', "'").trim();
  return line.length <= COMMAND_CHARS ? line : `${line.slice(0, COMMAND_CHARS - 1).toWellFormed()}…`;
}

/** What the folded receipt says; statements without evidence have lines of their own. */
export function receiptParts(receipt: Receipt): ReceiptPart[] {
  const { denied, openTodos } = receipt;
  const parts = [
    filesPart(receipt),
    commandsPart(receipt),
    denied.length === 0 ? null : { text: `${denied.length} denied`, tone: 'warn' as const },
    openTodos.length === 0
      ? null
      : { text: `${formatCount(openTodos.length, 'to-do')} open`, tone: 'warn' as const },
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts : [{ text: 'nothing was changed and nothing run', tone: 'plain' }];
}

/** Names the files that make a receipt stale: at most two by name. */
export function staleWords(paths: readonly string[]): string {
  const names = paths.slice(0, 2).map((path) => splitPath(path).name);
  const more = paths.length > names.length ? ` and ${paths.length - names.length} more` : '';
  return `Stale: ${names.join(', ')}${more} changed since.`;
}
