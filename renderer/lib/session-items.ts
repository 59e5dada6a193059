import type { ItemView } from '../../shared/model/session-view';

/** One exchange: a message of the user and all that followed it. The first one of a window may have no message. */
export interface TurnGroup {
  readonly key: string;
  /** Key of the opening user message; null when it lies before the window or a window begins in mid-turn. */
  readonly userKey: string | null;
  /** Keys of the other items, in order. */
  readonly itemKeys: readonly string[];
}

const opensTurn = (item: ItemView): boolean => item.kind === 'user' && !item.interjection;

/** Groups items by exchange. Groups that came out the same keep their identity, so that only new ones are drawn. */
export function groupTurns(items: readonly ItemView[], before: readonly TurnGroup[] = []): TurnGroup[] {
  const known = new Map(before.map((group) => [group.key, group]));
  return splitTurns(items).map((group) => {
    const old = known.get(group.key);
    return old && sameGroup(old, group) ? old : group;
  });
}

function splitTurns(items: readonly ItemView[]): TurnGroup[] {
  const groups: { key: string; userKey: string | null; itemKeys: string[] }[] = [];
  for (const item of items) {
    if (opensTurn(item)) groups.push({ key: item.key, userKey: item.key, itemKeys: [] });
    else if (groups.length === 0)
      groups.push({ key: `from-${item.key}`, userKey: null, itemKeys: [item.key] });
    else groups.at(-1)?.itemKeys.push(item.key);
  }
  return groups;
}

const sameGroup = (left: TurnGroup, right: TurnGroup): boolean =>
  left.itemKeys.length === right.itemKeys.length &&
  left.itemKeys.every((key, i) => key === right.itemKeys[i]);

/** What differs between two item lists: the items that changed or are new, and whether the list itself did. */
export function changedItems(
  before: readonly ItemView[],
  after: readonly ItemView[],
): { changed: ItemView[]; structure: boolean } {
  if (before === after) return { changed: [], structure: false };
  const sameList = before.length === after.length && before.every((item, i) => item.key === after[i]?.key);
  if (sameList) return { changed: after.filter((item, i) => item !== before[i]), structure: false };
  const known = new Map(before.map((item) => [item.key, item]));
  return { changed: after.filter((item) => known.get(item.key) !== item), structure: true };
}

/** Items by key, with listeners for each: a change tells only those who draw the item that changed. */
export interface ItemIndex {
  get(key: string): ItemView | undefined;
  subscribe(key: string, listener: () => void): () => void;
  /** Takes the place of `before` by `after` and returns what to tell, once the rest of the state is in place. */
  replace(
    before: readonly ItemView[],
    after: readonly ItemView[],
  ): { structure: boolean; notify: () => void };
}

export function createItemIndex(): ItemIndex {
  const items = new Map<string, ItemView>();
  const listeners = new Map<string, Set<() => void>>();
  return {
    get: (key) => items.get(key),
    subscribe: (key, listener) => {
      const set = listeners.get(key) ?? new Set();
      listeners.set(key, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0) listeners.delete(key);
      };
    },
    replace: (before, after) => {
      const { changed, structure } = changedItems(before, after);
      if (structure) items.clear();
      for (const item of structure ? after : changed) items.set(item.key, item);
      const notify = (): void => {
        for (const { key } of changed) for (const listener of [...(listeners.get(key) ?? [])]) listener();
      };
      return { structure, notify };
    },
  };
}
