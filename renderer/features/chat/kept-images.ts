import { z } from 'zod';
import { ImageFacts } from '../../../shared/image/image-facts';
import type { ReadableStore } from '../../lib/store';
import type { Attachment } from './attachment';
import type { ImageBox } from './chat-model';

const DATABASE = 'lathe-drafts';
const TABLE = 'images';
/** Long enough to fold a row of pastes into one write. */
const SAVE_AFTER_MS = 300;

const Kept = z.record(
  z.string(),
  z.array(z.object({ ...ImageFacts.shape, id: z.string(), name: z.string(), base64: z.string() })),
);

type Boxes = Readonly<Record<string, ImageBox>>;

const answerOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the browser’s storage refused'));
  });

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(TABLE);
  return answerOf(request);
}

async function load(project: string): Promise<Record<string, Attachment[]>> {
  const database = await open();
  try {
    const value: unknown = await answerOf(database.transaction(TABLE).objectStore(TABLE).get(project));
    return Kept.safeParse(value).data ?? {};
  } finally {
    database.close();
  }
}

async function save(project: string, boxes: Boxes): Promise<void> {
  const full = Object.entries(boxes).flatMap(([key, { list }]) => (list.length > 0 ? [[key, list]] : []));
  const database = await open();
  try {
    const table = database.transaction(TABLE, 'readwrite').objectStore(TABLE);
    if (full.length === 0) await answerOf(table.delete(project));
    else await answerOf(table.put(Object.fromEntries(full), project));
  } finally {
    database.close();
  }
}

interface KeptBoxes {
  images: ReadableStore<Boxes>;
  imagesOf(sessionId: string | null): ImageBox;
  setImages(sessionId: string | null, box: ImageBox): void;
}

/**
 * Keeps the pictures in message boxes in the window's own storage, so that a reload leaves them there beside the text: they
 * are too large for what the host keeps of drafts. Returns how to stop.
 *
 * @param onError told once when the storage does not do its part; the pictures are then those of this window only
 */
export function keepImages(model: KeptBoxes, project: string, onError: (error: unknown) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failed = false;
  const fail = (error: unknown): void => {
    if (!failed) onError(error);
    failed = true;
  };
  const write = (): void => {
    timer = undefined;
    save(project, model.images.get()).catch(fail);
  };
  const leave = model.images.subscribe(() => {
    timer ??= setTimeout(write, SAVE_AFTER_MS);
  });
  load(project).then((boxes) => {
    for (const [key, list] of Object.entries(boxes)) {
      const id = key === 'new' ? null : key;
      if (model.imagesOf(id).list.length === 0) model.setImages(id, { list, problems: [] });
    }
  }, fail);
  return () => {
    leave();
    if (timer === undefined) return;
    clearTimeout(timer);
    write();
  };
}
