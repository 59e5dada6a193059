import type { Client } from '../../../shared/contract/contract';
import { openFolder } from '../../features/first-run/open-folder';
import { statusStore } from '../../lib/status-store';
import type { Command } from '../command-registry';
import { overlayStore } from '../overlay-store';
import { hasProject } from './view-commands';

/** Asks before unsaved text would go with the project; backups keep it either way. */
function mayLeave(): boolean {
  const dirty = statusStore.editor.get().dirtyFiles;
  if (dirty === 0) return true;
  const files = dirty === 1 ? '1 file is' : `${dirty} files are`;
  return window.confirm(`${files} not saved. The text is kept and comes back with this project. Go on?`);
}

export function projectCommands(client: Client): Command[] {
  return [
    {
      id: 'project.openFolder',
      title: 'File: Open folder…',
      icon: 'folder-opened',
      keys: ['Mod+O'],
      run: async () => {
        if (!mayLeave()) return;
        const outcome = await openFolder(client);
        if (outcome === 'unsupported') overlayStore.set({ kind: 'folder' });
      },
    },
    {
      id: 'project.open',
      title: 'File: Open a project',
      hidden: true,
      run: async (path) => {
        if (typeof path === 'string' && mayLeave()) await client.project.open({ path });
      },
    },
    {
      id: 'project.openTour',
      title: 'Help: Take the offline tour',
      icon: 'play',
      run: async () => {
        if (mayLeave()) await client.project.openTour(null);
      },
    },
    {
      id: 'project.close',
      title: 'File: Close project',
      icon: 'close',
      when: hasProject,
      run: async () => {
        if (mayLeave()) await client.project.close(null);
      },
    },
  ];
}
