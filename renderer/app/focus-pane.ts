export type PaneRegion = 'explorer' | 'editor' | 'terminal' | 'chat' | 'status';

const ORDER: readonly PaneRegion[] = ['explorer', 'editor', 'terminal', 'chat', 'status'];

/** What takes the focus in each pane; else its first control. */
const PREFERRED: Record<PaneRegion, string> = {
  explorer: '[role="tree"] [tabindex="0"], [role="tree"][tabindex="0"], [role="listbox"], input',
  editor:
    '.rv [data-stop][tabindex="0"], .rv-empty button, .cx-list, .lg-list, .bs input, .cf-regions button, .monaco-editor .native-edit-context, .monaco-editor textarea',
  terminal: '.xterm-helper-textarea',
  chat: 'textarea[aria-label="Message"], [aria-label="Message"]',
  status: 'button',
};

const regionOf = (pane: PaneRegion): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-region="${pane}"]`);

const isVisible = (element: HTMLElement): boolean => element.getClientRects().length > 0;

const shownRegion = (pane: PaneRegion): HTMLElement | null => {
  const region = regionOf(pane);
  return region && isVisible(region) ? region : null;
};

/** Gives the focus to a pane that is on screen; false when it is not, or holds nothing that takes it. */
export function focusPane(pane: PaneRegion): boolean {
  const region = shownRegion(pane);
  if (!region) return false;
  const candidates = [
    ...region.querySelectorAll<HTMLElement>(PREFERRED[pane]),
    ...region.querySelectorAll<HTMLElement>('button, input, textarea, [tabindex="0"]'),
  ];
  const target = candidates.find(isVisible);
  target?.focus();
  return target !== undefined;
}

const isReady = (pane: PaneRegion): boolean =>
  [...(shownRegion(pane)?.querySelectorAll<HTMLElement>(PREFERRED[pane]) ?? [])].some(isVisible);

/** Waits for a pane that is just being shown, at most a second; a user who went elsewhere meanwhile stays there. */
export function focusPaneSoon(pane: PaneRegion): void {
  const until = performance.now() + 1000;
  const from = document.activeElement;
  const attempt = (): void => {
    const now = document.activeElement;
    if (now !== from && now !== document.body) return;
    if (isReady(pane) || performance.now() > until) focusPane(pane);
    else requestAnimationFrame(attempt);
  };
  // Not at once: what is about to be hidden is still on screen now.
  requestAnimationFrame(attempt);
}

export const hasFocus = (pane: PaneRegion): boolean =>
  regionOf(pane)?.contains(document.activeElement) ?? false;

/** Goes round the visible panes, the other way with -1. */
export function focusNextPane(direction: 1 | -1): void {
  const shown = ORDER.filter((pane) => shownRegion(pane) !== null);
  const current = shown.findIndex(hasFocus);
  const from = current < 0 && direction < 0 ? 0 : current;
  for (let step = 1; step <= shown.length; step += 1) {
    const pane = shown[(from + direction * step + shown.length * 2) % shown.length];
    if (pane && focusPane(pane)) return;
  }
}
