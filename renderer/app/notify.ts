import type { Client } from '../../shared/contract/contract';
import type { PendingApproval } from '../../shared/model/approval';
import type { SessionActivity } from '../../shared/model/session';
import { pendingApprovals } from '../lib/approval-store';
import { appInfoStore, projectStore } from '../lib/project-store';
import { settingsStore } from '../lib/settings-store';
import { createStore } from '../lib/store';
import { newApprovals, turnEnd, windowTitle, type Attention } from './attention';
import { registry } from './registry';

/** Things that happened while the page was hidden and that nobody saw yet. */
const unseen = createStore(0);

const isHidden = (): boolean => document.visibilityState === 'hidden';

/** The Electron host shows notices of its own; a browser does so only with the permission given in the settings. */
const mayNotify = (): boolean =>
  appInfoStore.get()?.host === 'web' &&
  settingsStore.get().values['chat.notifyWindowOnConfirmation'] &&
  'Notification' in window &&
  Notification.permission === 'granted';

function call(attention: Attention): void {
  if (!isHidden()) return;
  unseen.update((count) => count + 1);
  if (!mayNotify()) return;
  const notice = new Notification(attention.title, { body: attention.text, tag: attention.tag });
  notice.onclick = () => {
    window.focus();
    registry.run('session.open', attention.sessionId);
    notice.close();
  };
}

function showTitle(): void {
  const waiting = pendingApprovals.get().length;
  document.title = windowTitle(Math.max(waiting, unseen.get()), projectStore.get()?.name ?? null);
}

/** Calls a user who looks elsewhere: when an approval waits or a turn ends, by a notice and in the window's title. */
export function watchAttention(client: Client): () => void {
  const activities = new Map<string, SessionActivity>();
  let known: readonly PendingApproval[] = [];
  const onApprovals = (): void => {
    const now = pendingApprovals.get();
    for (const attention of newApprovals(known, now)) call(attention);
    known = now;
  };
  const onVisible = (): void => {
    if (!isHidden()) unseen.set(0);
  };
  document.addEventListener('visibilitychange', onVisible);
  const leave = [
    pendingApprovals.subscribe(onApprovals),
    client.session.changed.subscribe(null, (change) => {
      if (change.kind === 'removed') return;
      const attention = turnEnd(activities.get(change.summary.id), change.summary);
      activities.set(change.summary.id, change.summary.activity);
      if (attention) call(attention);
    }),
    ...[unseen, pendingApprovals, projectStore].map((store) => store.subscribe(showTitle)),
  ];
  showTitle();
  return () => {
    for (const stop of leave) stop();
    document.removeEventListener('visibilitychange', onVisible);
  };
}
