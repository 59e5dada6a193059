import type { ConflictView } from '../../../../shared/model/change';
import type { Choice, Place } from './conflict-text';

/** A resolution that is not saved yet: it is there again when one comes back to the conflict. */
export interface ConflictDraft {
  text: string;
  /** Whether its last line break was added for the time of editing. */
  added: boolean;
  /** Where the places in conflict lie in the text. */
  places: readonly Place[];
  choices: readonly Choice[];
}

type Address = Pick<ConflictView, 'id' | 'currentHash'>;

/** Drafts of this window, one per conflict; a draft made of other sides than those on the disk is none. */
const drafts = new Map<string, ConflictDraft & { of: string | null }>();
const closed = new Set<string>();

export function draftOf({ id, currentHash }: Address): ConflictDraft | null {
  const draft = drafts.get(id);
  return draft?.of === currentHash ? draft : null;
}

/** Keeps what was made of a conflict so far, unless it is resolved or dropped. */
export function keepDraft({ id, currentHash }: Address, draft: ConflictDraft): void {
  if (!closed.has(id)) drafts.set(id, { ...draft, of: currentHash });
}

/** The conflict is resolved or dropped: there is nothing left to keep. */
export function closeDraft(id: ConflictView['id']): void {
  closed.add(id);
  drafts.delete(id);
}
