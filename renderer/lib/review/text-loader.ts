import type { Client } from '../../../shared/contract/contract';
import { toErrorShape } from '../../../shared/error';
import type { WorkspacePath } from '../../../shared/model/ids';
import type { ChangedPaths } from './change-feed';
import type { Store } from '../store';
import type { FileTexts, ReviewState } from './review-state';

/** Files that are read at once. */
const AT_ONCE = 4;

export interface TextLoader {
  /** These come first; where only what is wanted is read, these are from now on. */
  want(paths: readonly string[]): void;
  /** What is known of these (null: of all) has to be read again. */
  outdated(paths: ChangedPaths): void;
  /** Resolves when the newest text of a file is there, or the file is not listed any more. */
  settled(path: string): Promise<void>;
  forget(): void;
}

/** Reads the hunks of listed files, a few at a time: of all, those on screen first, or of those that were ever wanted. */
export function createTextLoader(
  client: Pick<Client, 'changes'>,
  state: Store<ReviewState>,
  which: 'all' | 'wanted' = 'all',
): TextLoader {
  let wanted: readonly string[] = [];
  const stale = new Set<string>();
  const running = new Map<string, Promise<void>>();
  let era = 0;

  const put = (path: string, texts: FileTexts): void =>
    state.update((now) => ({ ...now, texts: new Map(now.texts).set(path, texts) }));

  const read = async (path: WorkspacePath): Promise<void> => {
    const mine = era;
    const { filter } = state.get();
    const listed = (): boolean => mine === era && state.get().files.some((file) => file.path === path);
    try {
      const texts = await client.changes.pendingFile({ ...filter, path });
      if (listed()) put(path, { kind: 'ready', texts });
    } catch (error) {
      if (listed()) put(path, { kind: 'failed', error: toErrorShape(error) });
    } finally {
      if (mine === era) {
        running.delete(path);
        pump();
      }
    }
  };

  const isRead = (path: string): boolean => which === 'all' || wanted.includes(path);
  const due = ({ texts, files }: ReviewState): WorkspacePath[] => {
    const open = files
      .map(({ path }) => path)
      .filter((path) => !running.has(path) && (stale.has(path) || !texts.has(path)))
      .filter(isRead);
    const first = new Set(wanted);
    return [...open.filter((path) => first.has(path)), ...open.filter((path) => !first.has(path))];
  };
  const start = (path: WorkspacePath): void => {
    stale.delete(path);
    running.set(path, read(path));
  };
  const pump = (): void => {
    for (const path of due(state.get()).slice(0, Math.max(0, AT_ONCE - running.size))) start(path);
  };

  return {
    want: (paths) => {
      if (which === 'all') {
        wanted = paths;
        return;
      }
      wanted = [...new Set([...wanted, ...paths])];
      pump();
    },
    outdated: (paths) => {
      for (const { path } of state.get().files) if (paths === null || paths.has(path)) stale.add(path);
      pump();
    },
    settled: async (path) => {
      const mine = era;
      while (mine === era) {
        const file = state.get().files.find((listed) => listed.path === path);
        if (!file) return;
        if (!running.has(path) && stale.has(path) && isRead(path)) start(file.path);
        const reading = running.get(path);
        if (!reading) return;
        await reading;
      }
    },
    forget: () => {
      era += 1;
      stale.clear();
      running.clear();
    },
  };
}
