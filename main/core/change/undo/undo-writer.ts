import { AppError } from '../../../../shared/error';
import { EntryState, PathChange, type ChangeSet } from '../../../../shared/model/change';
import type { SessionRuntime } from '../../session/session-runtime';
import { carryOut } from './carry-out';
import { finish, type Outcome } from './finish';
import type { Held } from './held';
import type { Transition } from './plan';
import type { UndoPort, UndoProject } from './undo-port';

/** Contents are kept this many at a time. */
const KEPT_AT_ONCE = 16;

/** Hashes of contents that are in the blob store for sure. */
export type KnownKept = ReadonlySet<string>;

export interface WriteJob {
  project: UndoProject;
  transitions: readonly Transition[];
  /** Folders that stay although they become empty. */
  folders: ReadonlySet<string>;
  kept: KnownKept;
  outcome: Omit<Outcome, 'set' | 'projectId'> & { set: Omit<Outcome['set'], 'changes'> };
  runtime: SessionRuntime | null;
}

/**
 * Writes what an undo came to and stores it. What is about to be written is noted down first: a process that dies between
 * the writing and the storing leaves the note, from which the next start stores it.
 *
 * @throws AppError `stale` when a file changed since the plan; those of `carryOut`
 */
export async function writeUndo(port: UndoPort, job: WriteJob): Promise<ChangeSet | null> {
  const { project, transitions, outcome, runtime } = job;
  const changes = await changesOf(port, transitions, job.kept);
  const whole: Outcome = { ...outcome, projectId: project.id, set: { ...outcome.set, changes } };
  if (transitions.length === 0) return finish(port, whole, runtime);
  const intent = await port.intents.begin({ root: project.files.root, ...whole });
  try {
    await carryOut(transitions, {
      files: project.files,
      journal: port.journal,
      keepsFolder: (folder) => job.folders.has(folder) || wasThere(port, project.id, folder),
    });
  } catch (error) {
    // Half done, it is for the next start to find out what of it is there.
    if (!(error instanceof AppError && error.detail?.['undone'] === false)) await port.intents.end(intent);
    throw error;
  }
  const entry = finish(port, whole, runtime);
  await port.intents.end(intent);
  return entry;
}

/** Somebody made this folder for its own sake, as far as the log knows. */
const wasThere = ({ store }: UndoPort, projectId: string, folder: string): boolean =>
  store.changes
    .chain(projectId, folder)
    .some(({ change }) => change.before?.kind === 'folder' || change.after?.kind === 'folder');

async function changesOf(
  port: UndoPort,
  transitions: readonly Transition[],
  kept: KnownKept,
): Promise<PathChange[]> {
  const changes: PathChange[] = [];
  for (let at = 0; at < transitions.length; at += KEPT_AT_ONCE) {
    const some = transitions.slice(at, at + KEPT_AT_ONCE).map(async ({ path, from, to, movedFrom }) => {
      const [before, after] = await Promise.all([stateOf(port, from, kept), stateOf(port, to, kept)]);
      return PathChange.parse({ path, movedFrom, before, after });
    });
    changes.push(...(await Promise.all(some)));
  }
  return changes;
}

/** Both sides are kept before anything is written: the old one for a redo, the new one since a later merge needs it. */
async function stateOf({ blobs }: UndoPort, held: Held | null, kept: KnownKept): Promise<EntryState | null> {
  if (held === null) return null;
  const { kind, bytes, hash, mode } = held;
  const isKept = kind === 'folder' || kept.has(hash) || (await blobs.keep(bytes, hash));
  return EntryState.parse({ kind, hash, mode, sizeBytes: bytes.length, isKept });
}
