import { movedPath } from '../../lib/files/workspace-path';

/** A text or image file of the project; its path is its id. */
export interface FileTab {
  kind: 'file';
  id: string;
  path: string;
  /** Shown in italics; the next preview takes its place. */
  preview: boolean;
}

/** Two texts side by side, for reading. */
export interface DiffTab {
  kind: 'diff';
  id: string;
  title: string;
  path: string;
  original: string;
  modified: string;
  /** What the sides are called. */
  sides: readonly [string, string];
  /** The left side is what the disk holds of an unsaved file: the choice between the two is offered with it. */
  conflict: boolean;
  /** The right side is the open document of `path`: it can be edited and is saved as usual; `modified` is not used. */
  live: boolean;
  /** When it was asked for, as `performance.now()` counts: then it takes the focus, once. */
  askedAt?: number;
}

export type EditorTab = FileTab | DiffTab;

export interface TabList {
  tabs: readonly EditorTab[];
  active: string | null;
  /** Ids, the tab used last in front: what comes forward when the active one closes. */
  recent: readonly string[];
}

/** The document that a tab shows and may change; null for tabs that only show texts. */
export const documentOf = (tab: EditorTab): string | null =>
  tab.kind === 'file' || tab.live ? tab.path : null;

export const sideBySideTabId = (path: string): string => `\0live:${path}`;

export const conflictTabId = (path: string): string => `\0conflict:${path}`;

export const NO_TABS: TabList = { tabs: [], active: null, recent: [] };

export const activeTab = (list: TabList): EditorTab | null =>
  list.tabs.find((tab) => tab.id === list.active) ?? null;

export function activate(list: TabList, id: string): TabList {
  if (!list.tabs.some((tab) => tab.id === id)) return list;
  if (list.active === id && list.recent[0] === id) return list;
  return { ...list, active: id, recent: [id, ...list.recent.filter((other) => other !== id)] };
}

function insertAfterActive(list: TabList, tab: EditorTab): TabList {
  const at = list.tabs.findIndex((other) => other.id === list.active) + 1 || list.tabs.length;
  return { ...list, tabs: [...list.tabs.slice(0, at), tab, ...list.tabs.slice(at)] };
}

function replacePreview(list: TabList, tab: FileTab): TabList | null {
  const old = list.tabs.find((other) => other.kind === 'file' && other.preview);
  if (!old) return null;
  return {
    ...list,
    tabs: list.tabs.map((other) => (other === old ? tab : other)),
    recent: list.recent.filter((id) => id !== old.id),
  };
}

/** Brings a file forward. A preview takes the place of the preview before it and never unmakes a lasting tab. */
export function openTab(list: TabList, path: string, preview: boolean): TabList {
  const known = list.tabs.find((tab) => tab.id === path);
  if (known) return activate(preview ? list : pin(list, path), path);
  const tab: FileTab = { kind: 'file', id: path, path, preview };
  return activate((preview ? replacePreview(list, tab) : null) ?? insertAfterActive(list, tab), path);
}

export function openDiffTab(list: TabList, tab: DiffTab): TabList {
  const known = list.tabs.some((other) => other.id === tab.id);
  const next = known
    ? { ...list, tabs: list.tabs.map((other) => (other.id === tab.id ? tab : other)) }
    : insertAfterActive(list, tab);
  return activate(next, tab.id);
}

/** Makes a preview a lasting tab. */
export function pin(list: TabList, id: string): TabList {
  const isPreview = (tab: EditorTab): boolean => tab.id === id && tab.kind === 'file' && tab.preview;
  if (!list.tabs.some(isPreview)) return list;
  return { ...list, tabs: list.tabs.map((tab) => (isPreview(tab) ? { ...tab, preview: false } : tab)) };
}

/** Takes tabs out; the one used last of those that stay comes forward. */
export function closeTabs(list: TabList, ids: ReadonlySet<string>): TabList {
  const tabs = list.tabs.filter((tab) => !ids.has(tab.id));
  if (tabs.length === list.tabs.length) return list;
  const recent = list.recent.filter((id) => !ids.has(id));
  const stays = list.active !== null && !ids.has(list.active);
  return { tabs, recent, active: stays ? list.active : (recent[0] ?? tabs.at(-1)?.id ?? null) };
}

/** Moves a tab to where `beforeId` is, or to the end for null. */
export function moveTab(list: TabList, id: string, beforeId: string | null): TabList {
  const moved = list.tabs.find((tab) => tab.id === id);
  if (!moved || id === beforeId) return list;
  const others = list.tabs.filter((tab) => tab.id !== id);
  const at = others.findIndex((tab) => tab.id === beforeId);
  const index = at < 0 ? others.length : at;
  return { ...list, tabs: [...others.slice(0, index), moved, ...others.slice(index)] };
}

/** The tab beside the active one, round the ends. */
export function neighbour(list: TabList, by: 1 | -1): string | null {
  const at = list.tabs.findIndex((tab) => tab.id === list.active);
  const count = list.tabs.length;
  return at < 0 ? null : (list.tabs[(at + by + count) % count]?.id ?? null);
}

/** Follows a file or folder that was moved. A tab that was open at the new place already gives way. */
export function renameTabs(list: TabList, from: string, to: string): TabList {
  const newId = (id: string): string => movedPath(id, from, to) ?? id;
  const moved = list.tabs.filter((tab) => tab.kind === 'file' && newId(tab.id) !== tab.id);
  const isLive = (tab: EditorTab): boolean =>
    tab.kind === 'diff' && tab.live && movedPath(tab.path, from, to) !== null;
  if (list.tabs.some(isLive))
    return renameTabs(closeTabs(list, new Set(list.tabs.filter(isLive).map(({ id }) => id))), from, to);
  if (moved.length === 0) return list;
  const taken = new Set(moved.map((tab) => newId(tab.id)));
  const tabs = list.tabs
    .filter((tab) => !taken.has(tab.id) || moved.includes(tab))
    .map((tab) => (tab.kind === 'file' ? { ...tab, id: newId(tab.id), path: newId(tab.path) } : tab));
  const recent = [...new Set(list.recent.map(newId))];
  return { tabs, recent, active: list.active === null ? null : newId(list.active) };
}

/** For tabs whose names are the same: the shortest part of the folder that tells them apart. */
export function tabHints(tabs: readonly EditorTab[]): ReadonlyMap<string, string> {
  const hints = new Map<string, string>();
  const byName = Map.groupBy(
    tabs.filter((tab) => tab.kind === 'file'),
    (tab) => tab.path.slice(tab.path.lastIndexOf('/') + 1),
  );
  for (const same of byName.values()) {
    if (same.length < 2) continue;
    for (const tab of same) hints.set(tab.id, shortestHint(tab.path, same));
  }
  return hints;
}

function shortestHint(path: string, same: readonly FileTab[]): string {
  const folders = path.split('/').slice(0, -1);
  for (let count = 1; count <= folders.length; count += 1) {
    const end = folders.slice(-count).join('/');
    const shared = same.filter((tab) => `/${tab.path.split('/').slice(0, -1).join('/')}`.endsWith(`/${end}`));
    if (shared.length === 1) return end;
  }
  return folders.join('/');
}
