import type { Sha256 } from '../../../shared/model/ids';

/** What unsaved text is compared with: the text that was loaded, saved or merged last. */
export interface TextBase {
  /** Null when it is not known: then nothing is merged into the text. */
  text: string | null;
  hash: Sha256 | null;
  /** Monaco's version of the model in which its text is this one; {@link NO_VERSION} when it never was. */
  version: number;
}

/** Monaco counts from 1. */
export const NO_VERSION = -1;

/** A merge in the undo stack: Monaco's versions right before and right after it, and what the text started from then. */
export interface MergeStep {
  from: number;
  to: number;
  before: TextBase;
  after: TextBase;
}

/** The merges of a text that undo and redo may lead across. */
export interface MergeTrail {
  done: readonly MergeStep[];
  undone: readonly MergeStep[];
}

export const NO_TRAIL: MergeTrail = { done: [], undone: [] };

/**
 * Follows the undo stack. Undoing a merge takes what came from the disk out of the text again, so the text then stands on
 * what it stood on before: saving it must not silently take the disk's change back (case-D11, case-D01).
 *
 * @param version the alternative version that the model has now
 * @returns the base that holds now, null when it is the same as before
 */
export function followTrail(
  trail: MergeTrail,
  version: number,
  how: 'undo' | 'redo' | 'edit',
): { trail: MergeTrail; base: TextBase | null } {
  if (how === 'edit') {
    return { trail: trail.undone.length === 0 ? trail : { ...trail, undone: [] }, base: null };
  }
  const done = [...trail.done];
  const undone = [...trail.undone];
  let base: TextBase | null = null;
  for (let step = done.at(-1); how === 'undo' && step && version <= step.from; step = done.at(-1)) {
    undone.push(step);
    done.pop();
    base = step.before;
  }
  for (let step = undone.at(-1); how === 'redo' && step && version >= step.to; step = undone.at(-1)) {
    done.push(step);
    undone.pop();
    base = step.after;
  }
  return base === null ? { trail, base } : { trail: { done, undone }, base };
}

/** Whether somebody undid the merge of just this content: then it is not merged again behind their back. */
export const wasUndone = ({ undone }: MergeTrail, hash: Sha256): boolean =>
  undone.some(({ after }) => after.hash === hash);
