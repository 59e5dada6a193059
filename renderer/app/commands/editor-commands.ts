import { statusStore } from '../../lib/status-store';
import type { Command } from '../command-registry';
import { loadEditor } from '../editor-bridge';

const hasFile = (): boolean => statusStore.editor.get().path !== null;

export const editorCommands: readonly Command[] = [
  {
    id: 'file.save',
    title: 'File: Save',
    icon: 'save',
    keys: ['Mod+S'],
    when: hasFile,
    run: async () => void (await (await loadEditor()).saveActive()),
  },
  {
    id: 'file.saveAll',
    title: 'File: Save all',
    icon: 'save-all',
    keys: ['Mod+Alt+S'],
    when: hasFile,
    run: async () => void (await (await loadEditor()).saveAll()),
  },
  {
    id: 'file.close',
    title: 'File: Close',
    icon: 'close',
    // A browser keeps Ctrl+W for its own tabs; Alt+W works everywhere.
    keys: ['Mod+W', 'Alt+W'],
    when: hasFile,
    run: async () => void (await (await loadEditor()).closeActive()),
  },
];
