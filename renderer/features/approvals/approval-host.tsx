import { useEffect, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Client } from '../../../shared/contract/contract';
import type { ApprovalAnswer, PendingApproval } from '../../../shared/model/approval';
import type { SessionId } from '../../../shared/model/ids';
import { pendingApprovals } from '../../lib/approval-store';
import { useClient } from '../../lib/client-context';
import { dockSlot } from '../../lib/dock-slot';
import { currentKeyPlatform, matchesChord, parseChord } from '../../lib/keys';
import { createStore, type Store, useStore } from '../../lib/store';
import { pushToast, toastError } from '../../lib/toast-store';
import { windowStore } from '../../lib/window-store';
import { ApprovalCard } from './approval-card';
import { ApprovalDialog } from './approval-dialog';
import * as queueOf from './approval-queue';
import './approvals.css';
import type { ShowDiff } from './use-show-diff';

type QueueStore = Store<queueOf.ApprovalQueue>;

/** Shows every approval that waits on this host: as a dialog one after another, or put off as a card in the chat. */
export function ApprovalHost({ onShowDiff }: { onShowDiff?: ShowDiff }) {
  const queue = useMemo(() => createStore(queueOf.emptyQueue), []);
  useEffect(() => {
    const take = (): void => queue.update((state) => queueOf.withPending(state, pendingApprovals.get()));
    take();
    return pendingApprovals.subscribe(take);
  }, [queue]);
  useReviewKey(queue);
  useReviewAsked(queue);
  return (
    <>
      <OpenDialog queue={queue} onShowDiff={onShowDiff} />
      <DeferredCard queue={queue} onShowDiff={onShowDiff} />
    </>
  );
}

interface QueueProps {
  queue: QueueStore;
  onShowDiff: ShowDiff | undefined;
}

function OpenDialog({ queue, onShowDiff }: QueueProps) {
  const client = useClient();
  const approval = useStore(queue, queueOf.inDialog);
  const waiting = useStore(queue, (state) => state.pending.length - state.answered.size);
  const title = useSessionTitle(approval?.sessionId ?? null);
  if (!approval) return null;
  return (
    <ApprovalDialog
      key={approval.id}
      approval={approval}
      sessionTitle={title}
      more={waiting - 1}
      onAnswer={(answer) => void reply(client, queue, approval, answer)}
      onDefer={() => queue.update((state) => queueOf.defer(state, approval.id))}
      onShowDiff={onShowDiff}
    />
  );
}

function DeferredCard({ queue, onShowDiff }: QueueProps) {
  const client = useClient();
  const slot = useStore(dockSlot);
  const first = useStore(queue, (state) => queueOf.onCard(state)[0] ?? null);
  const count = useStore(queue, (state) => queueOf.onCard(state).length);
  const title = useSessionTitle(first?.sessionId ?? null);
  if (!first || !slot) return null;
  return createPortal(
    <ApprovalCard
      key={first.id}
      approval={first}
      sessionTitle={title}
      more={count - 1}
      onAnswer={(answer) => void reply(client, queue, first, answer)}
      onReview={() => queue.update((state) => queueOf.review(state, first.id))}
      onShowDiff={onShowDiff}
    />,
    slot,
  );
}

async function reply(
  client: Client,
  queue: QueueStore,
  approval: PendingApproval,
  answer: ApprovalAnswer,
): Promise<void> {
  queue.update((state) => queueOf.answer(state, approval.id));
  try {
    const { accepted } = await client.turn.replyApproval({ id: approval.id, answer });
    if (accepted) return;
    pushToast({
      tone: 'info',
      title: 'Your answer came too late',
      text: 'It was answered elsewhere or its time was up. Nothing was changed by it.',
    });
  } catch (error) {
    queue.update((state) => queueOf.reopen(state, approval.id));
    toastError(error, 'The answer was not sent');
  }
}

/** Takes up the oldest approval that was put off. */
function useReviewKey(queue: QueueStore): void {
  useEffect(() => {
    const chord = parseChord('Mod+Shift+A', currentKeyPlatform());
    const onKeyDown = (event: KeyboardEvent): void => {
      const first = queueOf.onCard(queue.get())[0];
      if (!first || !matchesChord(event, chord)) return;
      event.preventDefault();
      event.stopPropagation();
      queue.update((state) => queueOf.review(state, first.id));
    };
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, [queue]);
}

/** Takes up what was put off when another pane asks for it. */
function useReviewAsked(queue: QueueStore): void {
  useEffect(
    () =>
      windowStore.review.subscribe(() => {
        const asked = windowStore.review.get();
        const waiting = queueOf.onCard(queue.get());
        const next = waiting.find(({ sessionId }) => sessionId === asked?.sessionId) ?? waiting[0];
        if (!asked || !next) return;
        windowStore.review.set(null);
        queue.update((state) => queueOf.review(state, next.id));
      }),
    [queue],
  );
}

/** The title of the session that asks, for naming it; '' until the host told it. */
function useSessionTitle(id: SessionId | null): string {
  const client = useClient();
  const [known, setKnown] = useState<{ id: SessionId; title: string } | null>(null);
  useEffect(() => {
    if (id === null) return undefined;
    let current = true;
    client.session.get({ id }).then(
      ({ title }) => {
        if (current) setKnown({ id, title });
      },
      // Without a title the asker's name stands alone.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [client, id]);
  return known?.id === id ? (known?.title ?? '') : '';
}
