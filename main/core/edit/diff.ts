import type { DiffHunk, DiffLine, FileDiff } from '../../../shared/model/diff';
import { Sha256 } from '../../../shared/model/ids';
import { changesBetween, splitLines, type Change, type Lines } from './line-changes';

export const DIFF_CONTEXT_LINES = 3;
/** Lines of all hunks together; what a window can show and an event may carry. The counts stay true beyond it. */
const MAX_DIFF_LINES = 2000;
/** A longer line is cut to a window round its first difference (minified files, case-E23). */
const MAX_LINE_CHARS = 1000;

export interface DiffInput {
  path: string;
  movedFrom?: string;
  /** LF-normalised text; null when the file did not exist. */
  before: string | null;
  /** LF-normalised text; null when the change deletes the file. */
  after: string | null;
  beforeHash: string | null;
  afterHash: string | null;
}

/** Hunks with {@link DIFF_CONTEXT_LINES} lines of context, counts and unified text of one file's change. */
export function diffFile(input: DiffInput): FileDiff {
  const before = splitLines(input.before ?? '');
  const after = splitLines(input.after ?? '');
  const changes = changesBetween(before.keys, after.keys);
  const builder = new HunkBuilder(before, after);
  for (const group of groupChanges(changes)) {
    if (builder.full) break;
    builder.add(group);
  }
  return {
    path: input.path,
    ...(input.movedFrom === undefined ? {} : { movedFrom: input.movedFrom }),
    change: kindOf(input),
    additions: changes.reduce((sum, [, , start, end]) => sum + end - start, 0),
    deletions: changes.reduce((sum, [start, end]) => sum + end - start, 0),
    hunks: builder.hunks,
    unified: unifiedText(input, builder),
    truncated: builder.truncated,
    beforeHash: input.beforeHash === null ? null : Sha256.parse(input.beforeHash),
    afterHash: input.afterHash === null ? null : Sha256.parse(input.afterHash),
  };
}

function kindOf(input: DiffInput): FileDiff['change'] {
  if (input.after === null) return 'delete';
  if (input.before === null) return 'create';
  return input.movedFrom === undefined ? 'modify' : 'move';
}

/** Changes whose contexts touch go into one hunk. */
function groupChanges(changes: Change[]): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    const previousEnd = last?.at(-1)?.[1];
    if (
      last !== undefined &&
      previousEnd !== undefined &&
      change[0] - previousEnd <= 2 * DIFF_CONTEXT_LINES
    ) {
      last.push(change);
    } else {
      groups.push([change]);
    }
  }
  return groups;
}

/** Collects hunks until the limit of lines is reached. */
class HunkBuilder {
  readonly hunks: DiffHunk[] = [];
  readonly unified: string[] = [];
  /** Something of the change is not shown: lines beyond the limit or parts of very long ones. */
  truncated = false;
  /** The limit of lines is reached. */
  full = false;
  private count = 0;
  private current: DiffLine[] = [];
  private text: string[] = [];

  constructor(
    private readonly before: Lines,
    private readonly after: Lines,
  ) {}

  add(group: Change[]): void {
    const [firstOld, , firstNew] = group[0] as Change;
    const lead = Math.min(DIFF_CONTEXT_LINES, firstOld, firstNew);
    let oldAt = firstOld - lead;
    let newAt = firstNew - lead;
    const start = { old: oldAt, new: newAt };
    for (const [oldStart, oldEnd, newStart, newEnd] of group) {
      while (oldAt < oldStart) this.push('context', oldAt++, newAt++);
      while (oldAt < oldEnd) this.push('delete', oldAt++, newStart);
      while (newAt < newEnd) this.push('add', oldEnd, newAt++);
    }
    const tail = Math.min(oldAt + DIFF_CONTEXT_LINES, this.before.lines.length);
    while (oldAt < tail) this.push('context', oldAt++, newAt++);
    this.finish(start);
  }

  private push(kind: DiffLine['kind'], oldAt: number, newAt: number): void {
    if (this.count >= MAX_DIFF_LINES) {
      this.full = true;
      this.truncated = true;
      return;
    }
    this.count += 1;
    const full = (kind === 'add' ? this.after.lines[newAt] : this.before.lines[oldAt]) ?? '';
    const text = full.length > MAX_LINE_CHARS ? this.clip(kind, full, oldAt, newAt) : full;
    this.current.push({
      kind,
      text,
      ...(kind === 'add' ? {} : { oldLine: oldAt + 1 }),
      ...(kind === 'delete' ? {} : { newLine: newAt + 1 }),
    });
    this.text.push((kind === 'context' ? ' ' : kind === 'add' ? '+' : '-') + text);
    if (this.lacksNewline(kind, oldAt, newAt)) this.text.push('\\ No newline at end of file');
  }

  private lacksNewline(kind: DiffLine['kind'], oldAt: number, newAt: number): boolean {
    const side = kind === 'add' ? this.after : this.before;
    return !side.finalNewline && (kind === 'add' ? newAt : oldAt) === side.lines.length - 1;
  }

  /** A long line is shown round the first place where it differs from the line it replaces. */
  private clip(kind: DiffLine['kind'], full: string, oldAt: number, newAt: number): string {
    this.truncated ||= kind !== 'context';
    const other = (kind === 'add' ? this.before.lines[oldAt - 1] : this.after.lines[newAt]) ?? '';
    let differs = 0;
    while (kind !== 'context' && differs < full.length && full[differs] === other[differs]) differs += 1;
    const from = Math.max(0, Math.min(differs, full.length - 1) - MAX_LINE_CHARS / 4);
    const piece = full.slice(from, from + MAX_LINE_CHARS);
    return `${from > 0 ? '…' : ''}${piece}${from + MAX_LINE_CHARS < full.length ? '…' : ''}`;
  }

  private finish(start: { old: number; new: number }): void {
    const oldLines = this.current.filter((line) => line.kind !== 'add').length;
    const newLines = this.current.filter((line) => line.kind !== 'delete').length;
    // The unified format counts from 1, and names the line before an empty range.
    const oldStart = oldLines === 0 ? start.old : start.old + 1;
    const newStart = newLines === 0 ? start.new : start.new + 1;
    this.hunks.push({ oldStart, oldLines, newStart, newLines, lines: this.current });
    this.unified.push(`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...this.text);
    this.current = [];
    this.text = [];
  }
}

function unifiedText(input: DiffInput, builder: HunkBuilder): string {
  const from = input.before === null ? '/dev/null' : `a/${input.movedFrom ?? input.path}`;
  const to = input.after === null ? '/dev/null' : `b/${input.path}`;
  const end = builder.full ? ['(the rest of the change is not shown)'] : [];
  return [`--- ${from}`, `+++ ${to}`, ...builder.unified, ...end, ''].join('\n');
}
