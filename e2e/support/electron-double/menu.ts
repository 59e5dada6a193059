import { app } from './app';
import { onControl } from './control';
import { guarded, missing } from './guarded';
import { windows } from './windows';

interface Item {
  label?: string;
  role?: string;
  type?: string;
  accelerator?: string;
  registerAccelerator?: boolean;
  click?: () => void;
  submenu?: Item[];
}

/** https://www.electronjs.org/docs/latest/api/menu-item#roles, as far as a test can tell their effect. */
const ROLES: Readonly<Record<string, () => void>> = {
  quit: () => app.quit(),
  close: () => windows.all()[0]?.close(),
};
const KNOWN = new Set(['label', 'role', 'type', 'accelerator', 'registerAccelerator', 'click', 'submenu']);

let current: Item[] = [];

function check(items: readonly Item[]): void {
  for (const item of items) {
    const unknown = Object.keys(item).find((key) => !KNOWN.has(key));
    if (unknown !== undefined) throw missing(`MenuItem.${unknown}`);
    if (item.label === undefined && item.role === undefined && item.type === undefined) {
      throw new Error('A menu item needs a label, a role or a type.');
    }
    check(item.submenu ?? []);
  }
}

const nameOf = (item: Item): string | undefined => item.label ?? item.role;

/** Clicks what a path of labels (or roles) leads to, as a user would. */
function click(names: readonly string[]): void {
  let items = current;
  let found: Item | undefined;
  for (const name of names) {
    found = items.find((item) => nameOf(item) === name);
    if (!found)
      throw new Error(`The menu has no ${names.join(' > ')}; there is ${items.map(nameOf).join(', ')}.`);
    items = found.submenu ?? [];
  }
  if (found?.click) return found.click();
  const role = ROLES[found?.role ?? ''];
  if (!role) throw missing(`the menu role ${String(found?.role)}`);
  role();
}

onControl('menu.click', (names) => click(names as string[]));
onControl('menu.template', () => JSON.parse(JSON.stringify(current)) as unknown);

/** https://www.electronjs.org/docs/latest/api/menu */
export const Menu = guarded('Menu', {
  buildFromTemplate(template: Item[]): Item[] {
    check(template);
    return template;
  },
  setApplicationMenu(menu: Item[] | null): void {
    current = menu ?? [];
  },
});
