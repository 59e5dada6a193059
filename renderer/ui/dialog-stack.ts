/** The open dialogs, oldest first: only the newest one holds the focus. */
const open: HTMLElement[] = [];

const FOCUSABLE =
  'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), [tabindex]:not([tabindex="-1"])';

/** What Tab reaches inside `box`, in order. */
export function focusableIn(box: HTMLElement): HTMLElement[] {
  return [...box.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (element) => element.tabIndex >= 0 && element.getClientRects().length > 0,
  );
}

/** Where Tab goes from `active` when it would leave `box`; null when the browser's own order is right. */
export function wrapTab(box: HTMLElement, active: Element | null, backwards: boolean): HTMLElement | null {
  const stops = focusableIn(box);
  const first = stops[0];
  const last = stops.at(-1);
  if (!first || !last) return box;
  if (backwards && (active === first || active === box)) return last;
  if (!backwards && active === last) return first;
  return null;
}

/** Menus live in the body, outside of the dialog that opened them; focus may go there. */
const isFloating = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-floating]') !== null;

function keepInside(event: FocusEvent): void {
  const top = open.at(-1);
  if (!top || !(event.target instanceof Node) || top.contains(event.target) || isFloating(event.target))
    return;
  (focusableIn(top)[0] ?? top).focus();
}

/** Makes `box` the dialog that holds the focus, until the returned function gives it back to who had it before. */
export function holdFocus(box: HTMLElement, returnTo: Element | null): () => void {
  if (open.length === 0) document.addEventListener('focusin', keepInside);
  open.push(box);
  return () => {
    open.splice(open.indexOf(box), 1);
    if (open.length === 0) document.removeEventListener('focusin', keepInside);
    if (returnTo instanceof HTMLElement && returnTo.isConnected) returnTo.focus();
  };
}

/** True while any dialog is open: shortcuts of the window rest then. */
export const dialogIsOpen = (): boolean => open.length > 0;
