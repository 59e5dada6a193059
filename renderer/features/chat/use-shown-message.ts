import { useEffect, type RefObject } from 'react';
import type { Client } from '../../../shared/contract/contract';
import type { TurnGroup } from '../../lib/session-items';
import type { OpenSession } from '../../lib/session-store';
import { useClient } from '../../lib/client-context';
import { useStore } from '../../lib/store';
import { pushToast, toastError } from '../../lib/toast-store';
import { windowStore } from '../../lib/window-store';

/** How long the message that was searched for stays marked. */
const MARKED_MS = 2_500;

/** Where an item's row stands: its turn, and the number of its row there (−1: the turn's own message). */
export function rowPlace(turns: readonly TurnGroup[], key: string): { turn: string; row: number } | null {
  for (const turn of turns) {
    if (turn.userKey === key) return { turn: turn.key, row: -1 };
    const row = turn.itemKeys.indexOf(key);
    if (row >= 0) return { turn: turn.key, row };
  }
  return null;
}

/** The element of a row; the turn itself where its row is folded away. */
function rowElement(scroller: Element, place: { turn: string; row: number }): Element | null {
  const turn = scroller.querySelector(`[data-turn="${CSS.escape(place.turn)}"]`);
  if (!turn || place.row < 0) return turn?.querySelector('.ch-ask') ?? turn;
  const rows = [...turn.querySelectorAll(':scope > .ch-rows')].flatMap((box) => [...box.children]);
  return rows[Math.min(place.row, rows.length - 1)] ?? turn;
}

const nextPaint = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

/** Rows that were never drawn have a guessed height: what is above changes when it comes into view. */
const SETTLE_FRAMES = 30;
const STEADY_FRAMES = 3;

async function scrollTo(scroller: Element, element: Element): Promise<void> {
  // A turn's own message sticks to the top; its place is that of its turn.
  const target = element.classList.contains('ch-ask') ? (element.closest('[data-turn]') ?? element) : element;
  const block = target === element ? 'center' : 'start';
  let steady = 0;
  let before = Number.NaN;
  for (let frame = 0; frame < SETTLE_FRAMES && steady < STEADY_FRAMES; frame += 1) {
    target.scrollIntoView({ block });
    await nextPaint();
    const now = target.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    steady = Math.abs(now - before) < 1 ? steady + 1 : 0;
    before = now;
  }
}

function mark(element: Element): void {
  element.classList.add('ch-found');
  setTimeout(() => element.classList.remove('ch-found'), MARKED_MS);
}

/** As many as the host gives at once. */
const LOOKED_THROUGH = 200;

/** The number of the first item of a turn; older parts are looked through from the newest on. */
async function turnIndex(
  client: Pick<Client, 'session'>,
  session: OpenSession,
  turnId: string,
): Promise<number | null> {
  let { items, olderItems } = session.state.get().view;
  for (;;) {
    const at = items.findIndex((item) => item.turnId === turnId && item.kind !== 'undo');
    // A turn that begins further up shows its first items there.
    if (at > 0 || (at === 0 && olderItems === 0)) return olderItems + at;
    if (olderItems === 0) return null;
    const before = at === 0 ? olderItems + 1 : olderItems;
    const { view } = await client.session.older({ id: session.id, before, limit: LOOKED_THROUGH });
    if (view.olderItems >= olderItems) return at === 0 ? olderItems : null;
    ({ items, olderItems } = view);
  }
}

/** Shows the message that another pane asked for: loads what is around it, scrolls there and marks it for a moment. */
export function useShownMessage(
  session: OpenSession,
  scroller: RefObject<HTMLElement | null>,
  stopFollowing: () => void,
): void {
  const client = useClient();
  const message = useStore(windowStore.message);
  const turn = useStore(windowStore.turn);
  const ready = useStore(session.state, (state) => state.ready);
  useEffect(() => {
    const byMessage = message?.sessionId === session.id ? message : null;
    const byTurn = turn?.sessionId === session.id ? turn : null;
    if (!ready || (!byMessage && !byTurn)) return;
    if (byMessage) windowStore.message.set(null);
    if (byTurn) windowStore.turn.set(null);
    const find = async (): Promise<number | null> => {
      if (byTurn) return await turnIndex(client, session, byTurn.turnId);
      if (!byMessage) return null;
      return (await client.session.locate({ id: session.id, position: byMessage.position })).index;
    };
    const show = async (): Promise<void> => {
      const index = await find();
      stopFollowing();
      const key = index === null ? null : await session.showAround(index);
      await nextPaint();
      const place = key === null ? null : rowPlace(session.turns.get(), key);
      const box = scroller.current;
      const element = place && box && rowElement(box, place);
      if (!element) {
        pushToast({ tone: 'info', title: 'This message is not in the chat any more' });
        return;
      }
      await scrollTo(box, element);
      mark(element);
    };
    show().catch((error: unknown) => toastError(error, 'The message could not be shown'));
  }, [client, session, scroller, stopFollowing, message, turn, ready]);
}
