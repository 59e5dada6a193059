/** The sessions that are open as tabs, in order, and the one on screen. */
export interface ChatTabs {
  readonly open: readonly string[];
  readonly active: string | null;
}

/** More would shrink to nothing; the oldest tab that is not on screen makes room. */
const MAX_TABS = 12;

/** Shows a session: its tab, or a new one at the end. */
export function showTab(tabs: ChatTabs, id: string): ChatTabs {
  if (tabs.open.includes(id)) return tabs.active === id ? tabs : { ...tabs, active: id };
  const open = [...tabs.open, id];
  const extra = open.length > MAX_TABS ? open.find((tab) => tab !== tabs.active) : undefined;
  return { open: open.filter((tab) => tab !== extra), active: id };
}

/** Closes a tab; when it was on screen its right neighbour, else its left one, takes its place. */
export function closeTab(tabs: ChatTabs, id: string): ChatTabs {
  const at = tabs.open.indexOf(id);
  if (at === -1) return tabs;
  const open = tabs.open.filter((tab) => tab !== id);
  return { open, active: tabs.active === id ? (open[at] ?? open[at - 1] ?? null) : tabs.active };
}

/** Drops tabs of sessions that are gone; without any left the newest session is shown. `known` is newest first. */
export function pruneTabs(tabs: ChatTabs, known: readonly string[]): ChatTabs {
  const open = tabs.open.filter((tab) => known.includes(tab));
  const active = tabs.active !== null && open.includes(tabs.active) ? tabs.active : (open.at(-1) ?? null);
  const newest = known[0];
  return active === null && newest !== undefined ? { open: [newest], active: newest } : { open, active };
}
