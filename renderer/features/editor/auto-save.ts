import type { Settings } from '../../../shared/contract/settings';
import { settingsStore } from '../../lib/settings-store';
import { editorState, textViewOf } from './editor-state';
import { maySaveByItself } from './sync';

const setting = <K extends keyof Settings>(key: K): Settings[K] => settingsStore.get().values[key];

export type AutoSave = ReturnType<typeof createAutoSave>;

/** Saves by itself as the settings say; a file with an open question or a failed save waits for the user. */
export function createAutoSave(save: (path: string) => Promise<unknown>) {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const attempt = (path: string): void => {
    timers.delete(path);
    const view = textViewOf(path);
    if (view && !view.readOnly && maySaveByItself(view.sync)) void save(path);
  };
  const saveAll = (): void => {
    if (setting('files.autoSave') !== 'onFocusChange') return;
    for (const path of editorState.get().dirtyPaths) attempt(path);
  };
  return {
    note: (path: string): void => {
      clearTimeout(timers.get(path));
      if (setting('files.autoSave') !== 'afterDelay') return;
      timers.set(
        path,
        setTimeout(() => attempt(path), setting('files.autoSaveDelay')),
      );
    },
    /** The focus went elsewhere: to another file, pane or window. */
    leave: saveAll,
    stop: (): void => {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
