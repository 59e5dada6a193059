import type { Command } from '../command-registry';
import { focusNextPane, focusPane, focusPaneSoon, hasFocus, type PaneRegion } from '../focus-pane';
import { closeDrawers, isPaneShown, showPane, showView, togglePane } from '../layout-store';
import type { PaneName } from '../layout';
import { overlayStore, pageStore } from '../overlay-store';
import { projectStore } from '../../lib/project-store';

export const hasProject = (): boolean => projectStore.get() !== null && projectStore.get() !== undefined;

/** Shows a pane and goes there; when it has the focus already, puts it away. */
function visit(pane: PaneName, region: PaneRegion): void {
  if (isPaneShown(pane) && hasFocus(region)) {
    showPane(pane, false);
    focusPane('editor');
    return;
  }
  showPane(pane, true);
  focusPaneSoon(region);
}

const toggles: readonly Command[] = [
  {
    id: 'view.toggleSideBar',
    title: 'View: Toggle side bar',
    icon: 'layout-sidebar-left',
    keys: ['Mod+B'],
    when: hasProject,
    run: () => togglePane('side'),
  },
  {
    id: 'view.togglePanel',
    title: 'View: Toggle panel',
    icon: 'layout-panel',
    keys: ['Mod+J'],
    when: hasProject,
    run: () => togglePane('panel'),
  },
  {
    id: 'view.toggleChat',
    title: 'View: Toggle chat',
    icon: 'layout-sidebar-right',
    keys: ['Mod+Alt+B'],
    when: hasProject,
    run: () => togglePane('chat'),
  },
  {
    id: 'view.terminal',
    title: 'View: Terminal',
    icon: 'terminal',
    keys: ['Ctrl+`'],
    when: hasProject,
    run: () => visit('panel', 'terminal'),
  },
  {
    id: 'view.chat',
    title: 'View: Chat',
    icon: 'comment',
    keys: ['Mod+L'],
    when: hasProject,
    run: () => visit('chat', 'chat'),
  },
];

const visits: readonly Command[] = [
  {
    id: 'view.explorer',
    title: 'View: Explorer',
    icon: 'files',
    keys: ['Mod+Shift+E'],
    when: hasProject,
    run: () => {
      showView('explorer');
      focusPaneSoon('explorer');
    },
  },
  {
    id: 'view.sessions',
    title: 'View: Sessions',
    icon: 'comment-discussion',
    keys: ['Mod+Shift+S'],
    when: hasProject,
    run: () => {
      showView('sessions');
      focusPaneSoon('explorer');
    },
  },
  {
    id: 'view.editor',
    title: 'View: Focus editor',
    icon: 'file-code',
    keys: ['Mod+1'],
    when: hasProject,
    run: () => {
      pageStore.set('editor');
      closeDrawers();
      focusPaneSoon('editor');
    },
  },
  {
    id: 'view.context',
    title: 'View: Context',
    icon: 'layers',
    keys: ['Mod+Shift+X'],
    when: hasProject,
    run: () => {
      pageStore.set('context');
      closeDrawers();
      focusPaneSoon('editor');
    },
  },
  {
    id: 'view.nextPane',
    title: 'View: Focus next pane',
    icon: 'arrow-right',
    keys: ['F6'],
    when: hasProject,
    run: () => focusNextPane(1),
  },
  {
    id: 'view.previousPane',
    title: 'View: Focus previous pane',
    icon: 'arrow-left',
    keys: ['Shift+F6'],
    when: hasProject,
    run: () => focusNextPane(-1),
  },
];

const overlays: readonly Command[] = [
  {
    id: 'view.commandPalette',
    title: 'Show all commands',
    keys: ['Mod+Shift+P', 'F1'],
    hidden: true,
    run: () => overlayStore.set({ kind: 'palette', query: '>' }),
  },
  {
    id: 'view.quickOpen',
    title: 'Go to file…',
    icon: 'go-to-file',
    keys: ['Mod+P'],
    when: hasProject,
    run: () => overlayStore.set({ kind: 'palette', query: '' }),
  },
  {
    id: 'view.goToLine',
    title: 'Go to line…',
    icon: 'list-ordered',
    keys: ['Ctrl+G'],
    when: hasProject,
    run: () => overlayStore.set({ kind: 'palette', query: ':' }),
  },
  {
    id: 'view.settings',
    title: 'Settings',
    icon: 'settings-gear',
    keys: ['Mod+,'],
    run: () => {
      closeDrawers();
      pageStore.set('settings');
    },
  },
  {
    id: 'help.keys',
    title: 'Help: Keyboard shortcuts',
    icon: 'keyboard',
    run: () => overlayStore.set({ kind: 'keys' }),
  },
  {
    id: 'help.showLog',
    title: 'Help: Show log',
    icon: 'output',
    run: () => overlayStore.set({ kind: 'log' }),
  },
];

export const viewCommands: readonly Command[] = [...overlays, ...toggles, ...visits];
