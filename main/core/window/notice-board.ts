import type { z } from 'zod';
import type { Notice } from '../../../shared/contract/app';

export type NoticeFacts = z.infer<typeof Notice>;

/** Messages for people that belong to no request: a full disk, a damaged settings file, a lost watcher. */
export class NoticeBoard {
  private readonly listeners = new Set<(notice: NoticeFacts) => void>();
  private count = 0;

  post(tone: NoticeFacts['tone'], title: string, text: string): void {
    this.count += 1;
    const notice = { id: `notice-${this.count}`, tone, title, text };
    for (const listener of this.listeners) listener(notice);
  }

  listen(listener: (notice: NoticeFacts) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
