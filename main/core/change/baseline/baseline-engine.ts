import { ContentKeeper } from './content-keeper';
import { ProjectTree, type Help, type Swept, type TreeCaps } from './project-tree';
import type { FolderNode, LeafEntry } from './tree-entry';
import { TreeRecord } from './tree-record';

export interface EngineOptions {
  /** Real path of the project. */
  root: string;
  /** Where the known state is kept. */
  recordFile: string;
  /** Folder of the blob store. */
  blobDir: string;
  caps: TreeCaps;
}

export interface Baseline {
  /** How far the log had come when the known state was written; null when nothing was known. */
  seq: number | null;
  coverage: { path: string; sizeBytes: number | null }[];
}

/** The baseline of one project; plain data in and out, so that it can work in a thread of its own. */
export interface BaselineEngine {
  /** Reads what is known of the project, or all of the project when nothing is. Done once; later calls answer from memory. */
  ready(): Promise<Baseline>;
  sweep(): Promise<Swept>;
  /** Everything that was found is in the log, which has come to `seq`. */
  commit(seq: number): Promise<void>;
  coverage(): Promise<Baseline['coverage']>;
  /** Looks into small ignored folders that a command names, and says what is not covered then. */
  open(paths: readonly string[]): Promise<Baseline['coverage']>;
  /** No command runs any more: what was opened is looked at from outside again. */
  shut(): Promise<void>;
}

/** Names of what is not covered; nobody reads more. */
const MAX_NAMED = 200;

export function createEngine(options: EngineOptions, help: Help | null = null): BaselineEngine {
  const keeper = new ContentKeeper(options.blobDir);
  const tree = new ProjectTree(options.root, keeper, options.caps, help);
  const record = new TreeRecord(options.recordFile, options.root);
  let begun: Promise<number | null> | null = null;
  const begin = async (): Promise<number | null> => {
    record.inUse();
    const seq = record.load(tree.root, (entry) => tree.counted(entry));
    if (seq === null) await tree.sweep();
    else recheckContents(tree.root, keeper);
    return seq;
  };
  const ready = (): Promise<number | null> => (begun ??= begin());
  return {
    ready: async () => ({ seq: await ready(), coverage: tree.coverage().slice(0, MAX_NAMED) }),
    sweep: async () => {
      await ready();
      record.inUse();
      return await tree.sweep();
    },
    commit: async (seq) => {
      await ready();
      record.write(tree.dirty, seq, tree.root, tree.size);
      tree.dirty.clear();
    },
    open: async (paths) => {
      await ready();
      await tree.open(paths);
      return tree.coverage().slice(0, MAX_NAMED);
    },
    shut: async () => {
      await ready();
      tree.shut();
    },
    coverage: async () => {
      await ready();
      return tree.coverage().slice(0, MAX_NAMED);
    },
  };
}

/** Contents that were collected meanwhile are kept again by the next look, as long as the files still have them. */
function recheckContents(node: FolderNode, keeper: ContentKeeper): void {
  for (const entry of node.entries.values()) {
    if (entry.kind === 'folder') recheckContents(entry, keeper);
    else if (entry.kind !== 'closed' && isLost(entry, keeper)) entry.isRacy = true;
  }
}

const isLost = (entry: LeafEntry, keeper: ContentKeeper): boolean =>
  entry.hash !== null && !keeper.isThere(entry.hash, entry.sizeBytes);

/** What the thread is asked, and what it says. */
export interface EngineCall {
  id: number;
  method: keyof BaselineEngine;
  seq: number;
  paths: readonly string[];
}
export type EngineAnswer = { id: number; value: unknown } | { id: number; error: string };
