import type { DecidedBy } from '../../../../shared/model/approval';
import type { FileDiff } from '../../../../shared/model/diff';
import type { CallId } from '../../../../shared/model/ids';
import type { ReceiptCommand, ReceiptFile } from '../../../../shared/model/receipt';
import type { TurnEventPayload } from '../../../../shared/model/turn-event';
import { checkKinds, exitTells, mayWrite } from './command-kind';

/** A command that ran, and how many edits lay before its start. */
export interface RanCommand extends ReceiptCommand {
  editsBefore: number;
}

export interface DeniedCall {
  callId: CallId;
  tool: string;
  label: string;
  by: DecidedBy;
}

/** What of a call's request is kept until its end; its other arguments may be whole files. */
interface OpenCall {
  label: string;
  command: string | null;
  background: boolean;
  editsBefore: number;
}

type Edit = Pick<FileDiff, 'path' | 'movedFrom' | 'additions' | 'deletions' | 'beforeHash' | 'afterHash'>;

type Requested = Extract<TurnEventPayload, { type: 'call.requested' }>;
type CallState = Extract<TurnEventPayload, { type: 'call.state' }>;

const fieldOf = (args: unknown, name: string): unknown =>
  typeof args === 'object' && args !== null ? (args as Record<string, unknown>)[name] : undefined;

const textOf = (args: unknown, name: string): string | null => {
  const value = fieldOf(args, name);
  return typeof value === 'string' ? value : null;
};

const editOf = ({ path, movedFrom, additions, deletions, beforeHash, afterHash }: FileDiff): Edit => ({
  ...{ path, additions, deletions, beforeHash, afterHash },
  ...(movedFrom === undefined ? {} : { movedFrom }),
});

/**
 * What happened in one turn, folded from its events alone. The model writes none of these events, so nothing it says gets
 * in here.
 */
export class TurnEvidence {
  readonly commands: RanCommand[] = [];
  readonly denied: DeniedCall[] = [];
  /** How often each tool ran and how often it failed. */
  readonly tools = new Map<string, { ran: number; failed: number }>();
  private readonly open = new Map<string, OpenCall>();
  private readonly diffs: { callId: string; diff: Edit }[] = [];
  private edits = 0;

  note(payload: TurnEventPayload): void {
    switch (payload.type) {
      case 'call.requested':
        this.requested(payload);
        break;
      case 'call.state':
        this.changed(payload);
        break;
      case 'diff':
        // What a command changed was no edit of the agent's that a check would have to come after.
        if ((this.open.get(payload.callId)?.command ?? null) === null) this.edits += 1;
        this.diffs.push({ callId: payload.callId, diff: editOf(payload.diff) });
        break;
      case 'diff.reverted':
        this.reverted(payload.callId, payload.path);
        break;
      default:
    }
  }

  /** Files that are different now, with the sum of their edits, in order of the first one. */
  get files(): ReceiptFile[] {
    const byPath = new Map<string, ReceiptFile & { beforeHash: string | null }>();
    for (const { diff } of this.diffs) {
      const known = byPath.get(diff.movedFrom ?? diff.path) ?? byPath.get(diff.path);
      if (known) byPath.delete(known.path);
      byPath.set(diff.path, joined(known, diff));
    }
    return [...byPath.values()].filter(isChange).map(({ beforeHash: _before, ...file }) => file);
  }

  /** Edits so far; the count a command is placed by. */
  get editCount(): number {
    return this.edits;
  }

  /** True when something was changed, or a command ran that may have changed something. */
  get mayHaveChanged(): boolean {
    return (
      this.files.length > 0 ||
      this.commands.some((each) => each.outcome !== 'failed' && mayWrite(each.command))
    );
  }

  /** True when a call that would have changed or run something was not allowed. */
  get wasDenied(): boolean {
    return this.denied.length > 0;
  }

  private requested({ callId, args, label }: Requested): void {
    const background = fieldOf(args, 'background') === true;
    const command = textOf(args, 'command');
    this.open.set(callId, { label, command, background, editsBefore: this.edits });
  }

  private changed(event: CallState): void {
    const call = this.open.get(event.callId);
    if (event.state === 'running' && call) call.editsBefore = this.edits;
    if (event.state === 'success' || event.state === 'error') this.ended(event, call);
    if (event.state === 'denied' && event.by !== undefined && event.by !== 'guard') {
      const label = event.label ?? call?.label ?? event.tool;
      this.denied.push({ callId: event.callId, tool: event.tool, label, by: event.by });
    }
  }

  private ended(event: CallState, call: OpenCall | undefined): void {
    const count = this.tools.get(event.tool) ?? { ran: 0, failed: 0 };
    count.ran += 1;
    if (event.state === 'error') count.failed += 1;
    this.tools.set(event.tool, count);
    if (call === undefined) return;
    this.open.delete(event.callId);
    // Without a result it never came to run.
    if (event.tool !== 'run_command' || call.command === null || event.result === undefined) return;
    this.commands.push(ranCommand(event, call.command, call.background, call.editsBefore));
  }

  private reverted(callId: string, path: string): void {
    const at = this.diffs.findIndex((entry) => entry.callId === callId && entry.diff.path === path);
    if (at >= 0) this.diffs.splice(at, 1);
  }
}

function ranCommand(event: CallState, command: string, background: boolean, editsBefore: number): RanCommand {
  const exitCode = event.result?.exitCode ?? null;
  return {
    callId: event.callId,
    command,
    exitCode,
    outcome: background ? 'background' : exitCode === 0 ? 'ended' : 'failed',
    checks: checkKinds(command),
    exitTells: exitTells(command),
    editsBefore,
  };
}

type Summed = ReceiptFile & { beforeHash: string | null };

function joined(known: Summed | undefined, diff: Edit): Summed {
  const beforeHash = known ? known.beforeHash : diff.beforeHash;
  const movedFrom = known?.movedFrom ?? diff.movedFrom;
  const change =
    diff.afterHash === null
      ? 'delete'
      : beforeHash === null
        ? 'create'
        : movedFrom === undefined
          ? 'modify'
          : 'move';
  return {
    path: diff.path,
    ...(movedFrom === undefined || movedFrom === diff.path ? {} : { movedFrom }),
    change,
    additions: (known?.additions ?? 0) + diff.additions,
    deletions: (known?.deletions ?? 0) + diff.deletions,
    afterHash: diff.afterHash,
    beforeHash,
  };
}

const isChange = ({ beforeHash, afterHash, movedFrom }: Summed): boolean =>
  movedFrom !== undefined || beforeHash !== afterHash;
