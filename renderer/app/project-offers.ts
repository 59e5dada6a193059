import type { Client } from '../../shared/contract/contract';
import type { ProjectOffer } from '../../shared/contract/project';
import { formatPath } from '../lib/format';
import { appInfoStore } from '../lib/project-store';
import { dismissToast, pushToast, toastError, type ToastAction } from '../lib/toast-store';

const countOf = (sessions: number): string =>
  sessions === 1 ? '1 session' : `${sessions.toLocaleString('en')} sessions`;

/** What is said of a project that the open folder seems to be as well. */
export function offerWords(
  { kind, path, exists, sessions }: ProjectOffer,
  homeDir: string,
): {
  title: string;
  text: string;
} {
  const place = formatPath(path, homeDir);
  const count = countOf(sessions);
  if (kind === 'moved') {
    return {
      title: 'The project was found again',
      text: `It was at ${place} before. Its ${count} came along.`,
    };
  }
  if (kind === 'worktree') {
    return { title: 'A worktree of a known project', text: `${place} has ${count}. Show them here too?` };
  }
  return exists
    ? {
        title: 'A copy of a known project',
        text: `${place} has the same history and ${count}. Show them here too?`,
      }
    : {
        title: 'This project seems to have moved',
        text: `It was at ${place}, which is gone, with ${count}.`,
      };
}

/** Offers to link the open folder with a project that it was before; never does it by itself. */
export function watchProjectOffers(client: Pick<Client, 'project'>): () => void {
  const shown = new Map<string, number>();
  const answer = (label: string, work: () => Promise<unknown>): ToastAction => ({
    label,
    run: () => {
      work().catch((error: unknown) => toastError(error, 'The project could not be changed'));
    },
  });
  const show = (offer: ProjectOffer): void => {
    const { otherId, kind } = offer;
    const separate = answer('Keep separate', () => client.project.keepSeparate({ otherId }));
    const relink = answer('Relink', () => client.project.relink({ otherId }));
    const words = offerWords(offer, appInfoStore.get()?.homeDir ?? '');
    shown.set(
      otherId,
      pushToast({ tone: 'info', ...words, actions: kind === 'moved' ? [separate] : [relink, separate] }),
    );
  };
  return client.project.offers.subscribe(null, (offers) => {
    for (const [id, toast] of shown) {
      if (offers.some(({ otherId }) => otherId === id)) continue;
      dismissToast(toast);
      shown.delete(id);
    }
    for (const offer of offers) if (!shown.has(offer.otherId)) show(offer);
  });
}
