import { Menu, type MenuItemConstructorOptions as Item } from 'electron';

export interface MenuOptions {
  platform: NodeJS.Platform;
  /** Developer tools are for checkouts, not for the installed app (sec-H11). */
  devTools: boolean;
  /** Runs a command of the window by its id. */
  run: (command: string) => void;
}

const SEPARATOR: Item = { type: 'separator' };

/** The application's menu. Shortcuts are shown here and handled by the window, which knows where the focus is. */
export function setApplicationMenu(options: MenuOptions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(options)));
}

export function menuTemplate({ platform, devTools, run }: MenuOptions): Item[] {
  const command = (label: string, id: string, accelerator?: string): Item => ({
    label,
    click: () => run(id),
    ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: false }),
  });
  const isMac = platform === 'darwin';
  return [
    ...(isMac ? [appMenu(command)] : []),
    { label: 'File', submenu: fileMenu(command, isMac) },
    { label: 'Edit', submenu: editMenu() },
    { label: 'View', submenu: viewMenu(command, devTools) },
    { label: 'Chat', submenu: chatMenu(command) },
    isMac ? windowMenu() : { label: 'Window', submenu: [{ role: 'minimize' }, { role: 'togglefullscreen' }] },
    { label: 'Help', role: 'help', submenu: helpMenu(command, isMac) },
  ];
}

type Command = (label: string, id: string, accelerator?: string) => Item;

const appMenu = (command: Command): Item => ({
  label: 'Lathe',
  submenu: [
    { role: 'about' },
    SEPARATOR,
    command('Settings…', 'view.settings', 'Cmd+,'),
    SEPARATOR,
    { role: 'services' },
    SEPARATOR,
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    SEPARATOR,
    { role: 'quit' },
  ],
});

const fileMenu = (command: Command, isMac: boolean): Item[] => [
  command('Open Folder…', 'project.openFolder', 'CmdOrCtrl+O'),
  command('Go to File…', 'view.quickOpen', 'CmdOrCtrl+P'),
  command('Close Project', 'project.close'),
  SEPARATOR,
  command('Save', 'file.save', 'CmdOrCtrl+S'),
  command('Save All', 'file.saveAll', 'CmdOrCtrl+Alt+S'),
  command('Close Editor', 'file.close', 'CmdOrCtrl+W'),
  SEPARATOR,
  ...(isMac ? [] : [command('Settings', 'view.settings', 'Ctrl+,'), SEPARATOR]),
  { role: 'close', label: 'Close Window', accelerator: 'CmdOrCtrl+Shift+W' },
  ...(isMac ? [] : [{ role: 'quit' } as const]),
];

/** macOS sends copy, paste and undo only to apps that have them in a menu. */
const editMenu = (): Item[] => [
  { role: 'undo' },
  { role: 'redo' },
  SEPARATOR,
  { role: 'cut' },
  { role: 'copy' },
  { role: 'paste' },
  { role: 'pasteAndMatchStyle' },
  { role: 'delete' },
  { role: 'selectAll' },
];

const viewMenu = (command: Command, devTools: boolean): Item[] => [
  command('Command Palette…', 'view.commandPalette', 'CmdOrCtrl+Shift+P'),
  SEPARATOR,
  command('Explorer', 'view.explorer', 'CmdOrCtrl+Shift+E'),
  command('Editor', 'view.editor', 'CmdOrCtrl+1'),
  command('Chat', 'view.chat', 'CmdOrCtrl+L'),
  command('Terminal', 'view.terminal', 'Ctrl+`'),
  SEPARATOR,
  command('Toggle Side Bar', 'view.toggleSideBar', 'CmdOrCtrl+B'),
  command('Toggle Panel', 'view.togglePanel', 'CmdOrCtrl+J'),
  command('Toggle Chat', 'view.toggleChat', 'CmdOrCtrl+Alt+B'),
  SEPARATOR,
  { role: 'resetZoom' },
  { role: 'zoomIn' },
  { role: 'zoomOut' },
  ...(devTools ? [SEPARATOR, { role: 'toggleDevTools' } as const] : []),
];

const chatMenu = (command: Command): Item[] => [
  command('New Session', 'session.new', 'CmdOrCtrl+Shift+L'),
  command('Open Session…', 'session.switch', 'CmdOrCtrl+Alt+L'),
  command('Stop', 'turn.cancel'),
  SEPARATOR,
  command('Set Up a Provider…', 'model.setUp'),
];

const windowMenu = (): Item => ({
  label: 'Window',
  role: 'window',
  submenu: [
    { role: 'minimize' },
    { role: 'zoom' },
    { role: 'togglefullscreen' },
    SEPARATOR,
    { role: 'front' },
  ],
});

const helpMenu = (command: Command, isMac: boolean): Item[] => [
  command('Offline Tour', 'project.openTour'),
  command('Keyboard Shortcuts', 'help.keys'),
  command('Show Log', 'help.showLog'),
  ...(isMac ? [] : [SEPARATOR, { role: 'about' } as const]),
];
