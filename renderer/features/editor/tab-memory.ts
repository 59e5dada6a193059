import { z } from 'zod';
import type { Client } from '../../../shared/contract/contract';
import { toastError } from '../../lib/toast-store';
import { editorState } from './editor-state';
import { places } from './places';
import type { FileTab, TabList } from './tabs';

const KEY = 'editor.tabs';
const SAVE_AFTER_MS = 400;
const MAX_TABS = 200;

const Memory = z.object({
  tabs: z.array(z.object({ path: z.string(), preview: z.boolean() })).max(MAX_TABS),
  active: z.string().nullable(),
  places: z.record(z.string(), z.object({ line: z.number(), column: z.number(), scrollTop: z.number() })),
});
type Memory = z.infer<typeof Memory>;

export const memoryOf = (list: TabList): Omit<Memory, 'places'> => ({
  tabs: list.tabs
    .filter((tab) => tab.kind === 'file')
    .slice(-MAX_TABS)
    .map(({ path, preview }) => ({ path, preview })),
  active: list.tabs.some((tab) => tab.kind === 'file' && tab.id === list.active) ? list.active : null,
});

/** Puts the tabs of the last time before those that were opened meanwhile. */
export function withRemembered(list: TabList, memory: Omit<Memory, 'places'>): TabList {
  const open = new Set(list.tabs.map((tab) => tab.id));
  const hasPreview = list.tabs.some((tab) => tab.kind === 'file' && tab.preview);
  const back = memory.tabs
    .filter(({ path }) => !open.has(path))
    .map(({ path, preview }): FileTab => ({ kind: 'file', id: path, path, preview: preview && !hasPreview }));
  const tabs = [...back, ...list.tabs];
  const remembered = tabs.some((tab) => tab.id === memory.active) ? memory.active : null;
  const active = list.active ?? remembered ?? tabs.at(-1)?.id ?? null;
  const recent = [
    ...new Set([...(active === null ? [] : [active]), ...list.recent, ...tabs.map((tab) => tab.id)]),
  ];
  return { tabs, active, recent };
}

/** What the project's window had open; null when nothing is known. */
export async function recallTabs(client: Client): Promise<Memory | null> {
  const { value } = await client.state.get({ scope: 'project', key: KEY });
  const memory = Memory.safeParse(value).data ?? null;
  for (const [path, place] of Object.entries(memory?.places ?? {})) places.set(path, place);
  return memory;
}

export interface TabMemory {
  /** Cursor or scroll moved. */
  touch: () => void;
  flush: () => void;
  /** Notes every change of the tabs until the returned function is called. */
  follow: () => () => void;
}

/** Writes open tabs and places down, soon after they changed. */
export function rememberTabs(client: Client): TabMemory {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let known = editorState.get().tabs;
  const save = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const tabs = memoryOf(editorState.get().tabs);
    const open = new Set(tabs.tabs.map(({ path }) => path));
    const value: Memory = {
      ...tabs,
      places: Object.fromEntries([...places].filter(([path]) => open.has(path))),
    };
    client.state
      .set({ scope: 'project', key: KEY, value })
      .catch((error: unknown) => toastError(error, 'The open tabs could not be remembered'));
  };
  const touch = (): void => {
    timer ??= setTimeout(save, SAVE_AFTER_MS);
  };
  const flush = (): void => {
    if (timer !== undefined) save();
  };
  const follow = (): (() => void) =>
    editorState.subscribe(() => {
      if (known === editorState.get().tabs) return;
      known = editorState.get().tabs;
      touch();
    });
  return { touch, flush, follow };
}
