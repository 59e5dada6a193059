import { AppError } from '../../../../shared/error';
import type { OpenConflict } from './conflict-list';
import { decided, type Sides } from './conflict-sides';
import type { Now } from './fold';
import { same } from './held';
import type { Transition } from './plan';

/**
 * What writes a decision: the text comes to where the undo would have put the file, as long as nothing else is there.
 *
 * @throws AppError `conflict` when the path can't be touched
 */
export async function resolution(
  { path }: OpenConflict,
  sides: Sides,
  text: string | null,
  look: (path: string) => Promise<Now>,
): Promise<Transition[]> {
  const here = await look(path);
  if ('refusal' in here) throw new AppError('conflict', `\`${path}\` can't be written: ${here.refusal}`);
  const to = text === null ? null : await decided(text, sides);
  const isFree = to !== null && sides.wantedPath !== path && (await isNothingAt(look, sides.wantedPath));
  const all: Transition[] = isFree
    ? [
        { path, from: here.held, to: null, movedFrom: null },
        { path: sides.wantedPath, from: null, to, movedFrom: path },
      ]
    : [{ path, from: here.held, to, movedFrom: null }];
  return all.filter((each) => !same(each.from, each.to));
}

async function isNothingAt(look: (path: string) => Promise<Now>, path: string): Promise<boolean> {
  const now = await look(path);
  return 'held' in now && now.held === null;
}
