import { useState } from 'react';
import { formatAgo } from '../../lib/format';
import { shallowEqual, useStore } from '../../lib/store';
import { dismissToast, toastStore, type ToastEntry } from '../../lib/toast-store';
import { IconButton } from '../../ui/icon-button';
import { Menu, type MenuEntry } from '../../ui/menu';
import type { MenuAnchor } from '../../ui/menu-place';

const SIGNS: Record<ToastEntry['tone'], string> = {
  info: 'info',
  ok: 'check',
  warn: 'warning',
  error: 'error',
};

function entriesOf(toasts: readonly ToastEntry[], now: number): MenuEntry[] {
  if (toasts.length === 0) return [{ id: 'none', heading: 'No notices' }];
  const rows = toasts.toReversed().slice(0, 12);
  return [
    { id: 'head', heading: 'Notices' },
    ...rows.map((toast) => ({
      id: String(toast.id),
      label: toast.text === '' ? toast.title : `${toast.title}: ${toast.text}`,
      icon: SIGNS[toast.tone],
      detail: formatAgo(toast.at, now),
      onSelect: () => showAgain(toast.id),
    })),
  ];
}

function showAgain(id: number): void {
  toastStore.update((toasts) => toasts.map((toast) => (toast.id === id ? { ...toast, shown: true } : toast)));
}

/** Past notices; choosing one shows it again. */
export function NoticeBell() {
  const toasts = useStore(toastStore, (all) => all, shallowEqual);
  const [menu, setMenu] = useState<{ anchor: MenuAnchor; entries: MenuEntry[] } | null>(null);
  const standing = toasts.filter((toast) => toast.shown).length;
  const open = (anchor: MenuAnchor): void => {
    for (const toast of toasts) if (toast.shown && toast.actions.length === 0) dismissToast(toast.id);
    setMenu({ anchor, entries: entriesOf(toasts, Date.now()) });
  };
  return (
    <>
      <IconButton
        icon={standing > 0 ? 'bell-dot' : 'bell'}
        label={standing > 0 ? `Notifications, ${standing} open` : 'Notifications'}
        small
        aria-haspopup="menu"
        aria-expanded={menu !== null}
        onClick={(event) => open(event.currentTarget.getBoundingClientRect())}
      />
      {menu && <Menu label="Notices" {...menu} onClose={() => setMenu(null)} />}
    </>
  );
}
