import { CallAddress, type ChangeSet } from '../../../../shared/model/change';
import type { FileDiff } from '../../../../shared/model/diff';
import type { ChangeTables } from '../../store/change-store';
import type { WorkspaceFiles } from '../../workspace/types';
import type { NewChangeSet } from '../types';
import { changesOfCall } from './call-changes';
import type { WriteFacts } from './write-facts';

/** What a call of a file tool did, before its end is written down. */
export interface WrittenCall {
  sessionId: string;
  turnId: string;
  callId: string;
  label: string;
  diffs: readonly FileDiff[];
  /** A person saw exactly these diffs and allowed them for once. */
  isReviewed: boolean;
  /** The call's end is stored already. */
  isLate: boolean;
}

/** Makes the entry of a call that wrote files; it is stored together with the call's end. */
export type RecordCall = (call: WrittenCall) => Promise<void>;

/**
 * @param projectId the folder's own id
 * @param record stores an entry at once
 */
export function createCallRecorder(
  projectId: string,
  store: ChangeTables,
  files: WorkspaceFiles,
  facts: WriteFacts,
  record: (set: NewChangeSet) => ChangeSet,
): RecordCall {
  return async ({ sessionId, turnId, callId, label, diffs, isReviewed, isLate }) => {
    const changes = await changesOfCall(diffs, files, facts);
    if (changes.length === 0) return;
    const author = { kind: 'agent' as const, ...CallAddress.parse({ sessionId, turnId, callId }) };
    // What was cut out of a diff nobody saw.
    const seen = isReviewed && diffs.every(({ truncated }) => !truncated);
    const set = { author, label, changes, isReviewed: seen };
    if (!isLate) store.staged.stage(sessionId, callId, { projectId, set });
    else facts.recorded(record(set).changes.map(({ path }) => path));
  };
}
