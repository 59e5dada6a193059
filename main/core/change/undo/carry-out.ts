import { mkdirSync, renameSync, rmdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { AppError } from '../../../../shared/error';
import { TEMP_FILE_PREFIX } from '../../workspace/atomic-write';
import type { WorkspaceFiles } from '../../workspace/types';
import { writeFileSet, type FileChange } from '../file-set';
import type { FileSetJournal } from '../file-set-journal';
import { same } from './held';
import { isEmptyFolder, lookAt, placeOf } from './look';
import type { Transition } from './plan';

type Change = Pick<Transition, 'path' | 'from' | 'to'>;

export interface CarryOutPort {
  files: WorkspaceFiles;
  journal: FileSetJournal;
  /** Whether an empty folder stays, since it was there before the files in it. */
  keepsFolder(path: string): boolean;
}

/**
 * Makes all transitions or none: links that go, then the files as one set, then links and folders that come. A failure in
 * the last part is taken back by the opposite.
 *
 * @throws AppError `stale` when something is no more as it was planned for, and those of `writeFileSet`
 */
export async function carryOut(changes: readonly Change[], port: CarryOutPort): Promise<void> {
  const done: Change[] = [];
  try {
    for (const change of changes.filter(isRemovedFirst)) {
      await removeSpecial(change, port.files);
      done.push({ ...change, to: null });
    }
    const files = changes.flatMap(fileChange);
    if (files.length > 0) await writeFileSet(port.files, files, port.journal);
    done.push(...changes.filter((change) => fileChange(change).length > 0));
    for (const change of changes.filter(isMadeLast)) {
      await makeSpecial(change, port.files);
      done.push(change);
    }
  } catch (error) {
    await takeBack(done, port);
    throw error;
  }
  await removeEmptyFolders(changes, port);
}

/** A link or folder in whose place a file comes, and a link that goes. */
const isRemovedFirst = ({ from, to }: Change): boolean =>
  (from?.kind === 'link' && to?.kind !== 'link') || (from?.kind === 'folder' && to?.kind === 'file');

const isMadeLast = (change: Change): boolean =>
  !isRemovedFirst(change) &&
  (change.to?.kind === 'link' ||
    change.to?.kind === 'folder' ||
    (change.from?.kind === 'folder' && change.to === null));

function fileChange({ path: name, from, to }: Change): FileChange[] {
  const expectedHash = from?.kind === 'file' ? from.hash : null;
  if (to?.kind === 'file')
    return [{ path: name, bytes: to.bytes, expectedHash, mode: to.mode, evenReadOnly: true }];
  return expectedHash === null ? [] : [{ path: name, bytes: null, expectedHash, evenReadOnly: true }];
}

/** The opposite of what was done, the last first; what can't be put back is left for the message of the first failure. */
async function takeBack(done: readonly Change[], port: CarryOutPort): Promise<void> {
  const back = done.map(({ path: name, from, to }) => ({ path: name, from: to, to: from })).reverse();
  const files = back.flatMap(fileChange);
  for (const change of back)
    if (fileChange(change).length === 0) await quietly(() => makeSpecial(change, port.files));
  if (files.length > 0) await quietly(() => writeFileSet(port.files, files, port.journal));
}

async function quietly(work: () => Promise<void>): Promise<void> {
  await work().catch(() => undefined);
}

const stale = (name: string): AppError =>
  new AppError('stale', `\`${name}\` was changed on disk in the meantime.`, { hint: 'Try again.' });

async function placeNow({ path: name, from }: Change, files: WorkspaceFiles): Promise<string> {
  const [place, now] = [await placeOf(files, name), await lookAt(files, name)];
  if ('refusal' in place || 'refusal' in now || !same(now.held, from)) throw stale(name);
  return place.absolute;
}

async function removeSpecial(change: Change, files: WorkspaceFiles): Promise<void> {
  const absolute = await placeNow(change, files);
  if (change.from?.kind === 'link') unlinkSync(absolute);
  else rmdirSync(absolute);
}

async function makeSpecial(change: Change, files: WorkspaceFiles): Promise<void> {
  const { from, to } = change;
  const plain = from?.kind === 'file' ? { ...change, from: null } : change;
  const absolute = await placeNow(plain, files);
  if (to?.kind === 'folder') {
    mkdirSync(absolute, { recursive: true, mode: to.mode });
  } else if (to?.kind === 'link') {
    mkdirSync(path.dirname(absolute), { recursive: true });
    // The new link stands beside the old one and replaces it in one step.
    const temporary = path.join(
      path.dirname(absolute),
      `${TEMP_FILE_PREFIX}${randomBytes(6).toString('hex')}`,
    );
    symlinkSync(to.bytes, temporary);
    renameSync(temporary, absolute);
  } else if (from?.kind === 'folder' && isEmptyFolder(absolute)) {
    rmdirSync(absolute);
  } else if (from?.kind === 'link') {
    unlinkSync(absolute);
  }
}

/** Folders that hold nothing any more, unless they were there before what is gone now. */
async function removeEmptyFolders(changes: readonly Change[], port: CarryOutPort): Promise<void> {
  const made = new Set(changes.flatMap(({ path: name, to }) => (to?.kind === 'folder' ? [name] : [])));
  const parents = changes.filter(({ to }) => to === null).map(({ path: name }) => path.posix.dirname(name));
  for (const parent of new Set(parents)) {
    for (let folder = parent; folder !== '.'; folder = path.posix.dirname(folder)) {
      const place = await placeOf(port.files, folder);
      if (made.has(folder) || 'refusal' in place || !isEmptyFolder(place.absolute)) break;
      if (port.keepsFolder(folder)) break;
      try {
        rmdirSync(place.absolute);
      } catch {
        break;
      }
    }
  }
}
