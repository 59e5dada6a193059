import { basename } from 'node:path';
import { PathChange, type EntryState } from '../../../../shared/model/change';
import type { ExplorerFiles } from '../../workspace/explorer-files';
import type { WorkspaceFiles } from '../../workspace/types';
import { keepBeforeImages } from '../before-images';
import { MAX_KEPT_BYTES } from '../blobs/blob-store';
import type { Blobs, NewChangeSet } from '../types';
import { captureTree, entryState, type CapturedTree } from './capture-tree';
import type { WriteFacts } from './write-facts';

export interface UserChangeOptions {
  files: WorkspaceFiles;
  blobs: Blobs;
  /** Learns what is written, until its entry is there. */
  facts: WriteFacts;
  /** Stores an entry of this project and tells the windows. */
  record(set: NewChangeSet): unknown;
  /** An entry could not be made; what the user did is done all the same. */
  onError(error: unknown): void;
}

const USUAL_MODE = 0o644;

const change = (path: string, before: EntryState | null, after: EntryState | null, movedFrom?: string) =>
  PathChange.parse({ path, before, after, ...(movedFrom === undefined ? {} : { movedFrom }) });

/** The project's files as the user writes them in the editor: every write is an entry of the log. */
export function userFiles(options: UserChangeOptions): WorkspaceFiles {
  const { facts } = options;
  const kept = keepBeforeImages(options.files, options.blobs, facts);
  const stateOf = (path: string, hash: string | null, fallback: number): EntryState | null => {
    if (hash === null) return null;
    const { sizeBytes = 0, mode = null } = facts.of(path, hash) ?? {};
    const state = entryState('file', Buffer.alloc(0), mode ?? fallback, sizeBytes <= MAX_KEPT_BYTES);
    return { ...state, hash: hash as EntryState['hash'], sizeBytes };
  };
  return {
    ...kept,
    writeBytes: async (path, bytes, conditions) => {
      const written = await kept.writeBytes(path, bytes, conditions);
      await quietly(options, async () => {
        const { realRelative } = await options.files.resolve(path);
        const formerHash = conditions?.expectedHash ?? null;
        const before = stateOf(path, formerHash, USUAL_MODE);
        const after = stateOf(path, written.hash, before?.mode ?? USUAL_MODE);
        const label = `${formerHash === null ? 'Created' : 'Saved'} \`${basename(realRelative)}\``;
        options.record({
          author: { kind: 'user' },
          label,
          changes: [change(realRelative, before, after)],
        });
      });
      return written;
    },
  };
}

/** The explorer's operations with an entry for each: creating folders, moving, removing. Files it creates are written. */
export function recordExplorer(explorer: ExplorerFiles, options: UserChangeOptions): ExplorerFiles {
  const { files } = options;
  const capture = async (path: string): Promise<{ path: string; tree: CapturedTree } | null> => {
    try {
      const name = await ownPath(files, path);
      return { path: name, tree: await captureTree(files.root, name, options.blobs) };
    } catch {
      // What is wrong with the path is told by the operation itself.
      return null;
    }
  };
  const record = (label: string, changes: PathChange[], notCovered: string[]): Promise<void> =>
    quietly(options, () => {
      if (changes.length > 0 || notCovered.length > 0)
        options.record({ author: { kind: 'user' }, label, changes, notCovered: notCovered.slice(0, 20) });
    });
  return {
    ...explorer,
    create: async (path, kind) => {
      await explorer.create(path, kind);
      if (kind === 'file') return;
      const made = await capture(path);
      const changes = [...(made?.tree.entries ?? [])].map(([name, state]) => change(name, null, state));
      await record(`Created folder \`${basename(path)}\``, changes, []);
    },
    move: async (from, to) => {
      const source = await capture(from);
      await explorer.move(from, to);
      if (source === null) return;
      const target = await ownPath(files, to).catch(() => to);
      const changes = [...source.tree.entries].flatMap(([name, state]) => {
        const moved = target + name.slice(source.path.length);
        return moved === name ? [] : [change(name, state, null), change(moved, null, state, name)];
      });
      await record(`Moved \`${basename(from)}\` to \`${target}\``, changes, source.tree.notCovered);
    },
    remove: async (path) => {
      const source = await capture(path);
      const answer = await explorer.remove(path);
      const changes = [...(source?.tree.entries ?? [])].map(([name, state]) => change(name, state, null));
      await record(`Deleted \`${basename(path)}\``, changes, source?.tree.notCovered ?? []);
      return answer;
    },
  };
}

/** The entry's own path: links on the way are resolved, the entry itself is not followed. */
async function ownPath(files: WorkspaceFiles, path: string): Promise<string> {
  const clean = path.replace(/\/+$/, '');
  const at = clean.lastIndexOf('/');
  const parent = await files.resolve(at === -1 ? '.' : clean.slice(0, at));
  const name = clean.slice(at + 1);
  return parent.realRelative === '' ? name : `${parent.realRelative}/${name}`;
}

/** What the user did is done: the log failing (a full disk) must not look like it had not been. */
async function quietly({ onError }: UserChangeOptions, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    onError(error);
  }
}
