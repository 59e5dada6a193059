import { toastError } from '../lib/toast-store';
import { loadEditor } from './editor-bridge';
import { closeSideDrawer } from './layout-store';
import { pageStore } from './overlay-store';
import { noteFile } from './palette/recents';

export interface OpenPlace {
  /** 1-based. */
  line?: number;
  column?: number;
  preview?: boolean;
}

/** Shows a workspace file in the editor's place. */
export function openFile(path: string, place: OpenPlace = {}): void {
  const open = async (): Promise<void> => void (await (await loadEditor()).openFile(path, place));
  pageStore.set('editor');
  noteFile(path);
  if (place.preview !== true) closeSideDrawer();
  open().catch((error: unknown) => toastError(error, `${path} could not be opened`));
}
