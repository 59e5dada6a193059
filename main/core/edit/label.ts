import type { FileDiff } from '../../../shared/model/diff';

/** Size of a change as the feed shows it, for example `+3 −1` (the minus is U+2212). */
export function changeLabel(diff: Pick<FileDiff, 'additions' | 'deletions'>): string {
  return `+${diff.additions} −${diff.deletions}`;
}

/** The last part of a path: enough for one line of the feed. */
export function fileName(path: string): string {
  return path.slice(path.replace(/\/+$/, '').lastIndexOf('/') + 1) || path;
}
