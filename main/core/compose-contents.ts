import { join } from 'node:path';
import { BlobKeeper } from './change/blobs/blob-keeper';
import { BlobStore } from './change/blobs/blob-store';
import { createFileSetJournal, type FileSetJournal } from './change/file-set-journal';
import type { Basics } from './compose-basics';

/** Where former contents of files lie, and what keeps writes of several files whole. */
export interface Contents {
  images: BlobStore;
  keeper: BlobKeeper;
  journal: FileSetJournal;
  /** Folder of the journal. */
  unfinished: string;
}

/** Former contents of files under their limit, and the journal of sets of writes. */
export function createContents(dataDir: string, { store, settings, log }: Basics): Contents {
  const images = new BlobStore(join(dataDir, 'before'));
  const keeper = new BlobKeeper({
    ...{ blobs: images, store: store.changes, baselines: join(dataDir, 'baselines') },
    limitBytes: () => settings.get('chat.changes.keepMegabytes') * 1024 * 1024,
    onError: (error) => log.warn('former contents could not be tidied', { error: String(error) }),
  });
  const unfinished = join(dataDir, 'unfinished');
  return { images, keeper, journal: createFileSetJournal(unfinished), unfinished };
}
