import { tell } from './control';
import { guarded } from './guarded';

/** Tells the test what would have been done: https://www.electronjs.org/docs/latest/api/shell */
export const shell = guarded('shell', {
  async openExternal(url: string): Promise<void> {
    tell({ event: 'shell', what: 'openExternal', argument: url });
  },
  showItemInFolder(fullPath: string): void {
    tell({ event: 'shell', what: 'showItemInFolder', argument: fullPath });
  },
  async trashItem(fullPath: string): Promise<void> {
    tell({ event: 'shell', what: 'trashItem', argument: fullPath });
    throw new Error('The Electron double has no trash.');
  },
});
