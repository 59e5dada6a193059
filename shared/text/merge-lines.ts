/** Old lines [baseStart, baseEnd) became new lines [newStart, newEnd), 0-based. */
export type LineChange = readonly [baseStart: number, baseEnd: number, newStart: number, newEnd: number];

/** Finds the changes that lead from one list of lines to another, in order. */
export type CompareLines = (before: string[], after: string[]) => readonly LineChange[];

/** A stretch of a merge: lines that are settled, or both sides of a place where they are not. */
export type MergePiece =
  | { kind: 'settled'; lines: string[] }
  | { kind: 'conflict'; base: string[]; ours: string[]; theirs: string[] };

/** Changes of both sides that meet, with the base lines [start, end) they cover. */
interface Meeting {
  start: number;
  end: number;
  ours: LineChange[];
  theirs: LineChange[];
}

/**
 * Three-way merge of lists of lines. Changes that share a base line, that insert at the same place, or of which one
 * inserts inside what the other replaced, are in conflict unless both sides made the same; changes that only touch are
 * both taken. Swapping the sides swaps the sides of conflicts and changes nothing else.
 */
export function mergeLines(
  base: string[],
  ours: string[],
  theirs: string[],
  compare: CompareLines,
): MergePiece[] {
  const pieces = new Pieces();
  let at = 0;
  for (const meeting of meetings(compare(base, ours), compare(base, theirs))) {
    pieces.settle(base.slice(at, meeting.start));
    pieces.add(meeting, base, ours, theirs);
    at = meeting.end;
  }
  pieces.settle(base.slice(at));
  return pieces.list;
}

class Pieces {
  readonly list: MergePiece[] = [];

  settle(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const last = this.list.at(-1);
    if (last?.kind === 'settled') for (const line of lines) last.lines.push(line);
    else this.list.push({ kind: 'settled', lines: [...lines] });
  }

  add(meeting: Meeting, base: string[], ours: string[], theirs: string[]): void {
    const mine = linesOf(meeting, meeting.ours, base, ours);
    const other = linesOf(meeting, meeting.theirs, base, theirs);
    if (meeting.theirs.length === 0 || sameLines(mine, other)) this.settle(mine);
    else if (meeting.ours.length === 0) this.settle(other);
    else {
      const lines = base.slice(meeting.start, meeting.end);
      this.list.push({ kind: 'conflict', base: lines, ours: mine, theirs: other });
    }
  }
}

/** What one side made of the base lines of a meeting. */
function linesOf(meeting: Meeting, changes: readonly LineChange[], base: string[], side: string[]): string[] {
  let lines: string[] = [];
  let at = meeting.start;
  for (const [start, end, newStart, newEnd] of changes) {
    lines = lines.concat(base.slice(at, start), side.slice(newStart, newEnd));
    at = end;
  }
  return lines.concat(base.slice(at, meeting.end));
}

const sameLines = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, at) => line === b[at]);

/** True when two changes can't both be taken. */
function clash(a: Pick<Meeting, 'start' | 'end'>, b: LineChange): boolean {
  const [start, end] = b;
  if (a.start === a.end) return start === end ? a.start === start : start < a.start && a.start < end;
  if (start === end) return a.start < start && start < a.end;
  return a.start < end && start < a.end;
}

/** Both lists of changes in the order of the base, those that clash put together. */
function meetings(ours: readonly LineChange[], theirs: readonly LineChange[]): Meeting[] {
  const found: Meeting[] = [];
  let [left, right] = [0, 0];
  for (;;) {
    const [mine, other] = [ours[left], theirs[right]];
    const change = mine !== undefined && (other === undefined || isFirst(mine, other)) ? mine : other;
    if (change === undefined) return found;
    const side = change === mine ? 'ours' : 'theirs';
    if (side === 'ours') left += 1;
    else right += 1;
    const last = found.at(-1);
    if (last !== undefined && clash(last, change)) {
      last.end = Math.max(last.end, change[1]);
      last[side].push(change);
    } else {
      found.push({ start: change[0], end: change[1], ours: [], theirs: [], [side]: [change] });
    }
  }
}

/** An insertion comes before what replaces the line it was put in front of. */
function isFirst([start, end]: LineChange, [otherStart, otherEnd]: LineChange): boolean {
  return start !== otherStart ? start < otherStart : end <= otherEnd;
}
