import { useState } from 'react';
import { type ErrorShape, toErrorShape } from '../../../shared/error';
import type { PendingApproval } from '../../../shared/model/approval';
import type { EditRef } from '../../lib/diff/edit-ref';

/** Puts an edit side by side in the editor; rejects with an AppError when a side can't be had. */
export type ShowDiff = (edit: EditRef) => Promise<void>;

export interface DiffViewing {
  editOf(path: string): EditRef;
  /** Absent where nothing can be put side by side. */
  show?: (edit: EditRef) => void;
  /** The edit that a shortcut without a place means; null for what is no write. */
  readonly first: EditRef | null;
  /** Why the last one could not be shown. */
  readonly failure: ErrorShape | null;
}

/** Looks at a waiting write in the editor; `onShown` follows once it stands there. */
export function useShowDiff(
  { sessionId, callId, subject }: PendingApproval,
  onShowDiff: ShowDiff | undefined,
  onShown: () => void,
): DiffViewing {
  const [failure, setFailure] = useState<ErrorShape | null>(null);
  const editOf = (path: string): EditRef => ({ sessionId, callId, path });
  const path = subject.kind === 'write' ? subject.diffs[0]?.path : undefined;
  const show = (edit: EditRef): void => {
    setFailure(null);
    onShowDiff?.(edit).then(onShown, (error: unknown) => setFailure(toErrorShape(error)));
  };
  return {
    editOf,
    failure,
    first: path === undefined ? null : editOf(path),
    ...(onShowDiff && path !== undefined && { show }),
  };
}
