import type { LineOrigin } from '../../../../shared/model/change';
import type { LineEdit } from '../line-edits';

type Writer = LineOrigin['set'];
/** `undefined`: lines that are not saved yet, which nobody knows of. */
type LineWriter = Writer | undefined;

/** A run of lines of the text on screen with who wrote them. */
export interface OriginRun {
  startLine: number;
  lines: number;
  set: NonNullable<Writer>;
}

function perLine(origins: readonly LineOrigin[]): LineWriter[] {
  const lines: LineWriter[] = [];
  for (const { startLine, lines: count, set } of origins)
    for (let line = startLine; line < startLine + count; line += 1) lines[line - 1] = set;
  return lines;
}

/**
 * Who wrote the lines of a text that was edited since: `edits` lead from the text on the disk, which `origins` is about, to
 * the one on screen. Lines that nobody is known for are left out.
 */
export function originRuns(origins: readonly LineOrigin[], edits: readonly LineEdit[] = []): OriginRun[] {
  const lines = perLine(origins);
  for (const { start, end, lines: fresh } of [...edits].reverse())
    lines.splice(start - 1, end - start, ...fresh.map(() => undefined));
  const runs: OriginRun[] = [];
  for (const [at, set] of lines.entries()) {
    if (!set) continue;
    const last = runs.at(-1);
    if (last && last.set.id === set.id && last.startLine + last.lines === at + 1) last.lines += 1;
    else runs.push({ startLine: at + 1, lines: 1, set });
  }
  return runs;
}

export const runAt = (runs: readonly OriginRun[], line: number): OriginRun | null =>
  runs.find(({ startLine, lines }) => line >= startLine && line < startLine + lines) ?? null;
