import { EntryState, type PathChange, type UndoneFile } from '../../../../shared/model/change';
import { WorkspacePath } from '../../../../shared/model/ids';
import type { Blobs } from '../types';
import type { Held } from '../undo/held';
import { MAX_KEPT_BYTES } from '../blobs/blob-store';
import { sha256 } from '../../workspace/workspace-files';
import { withoutHunks } from './compose-text';
import type { PendingFile } from './pending-file';
import type { Choice } from './review-choice';
import { canReject } from './review-view';

/** One path as rejecting leaves it. */
export interface Rejection {
  path: string;
  from: Held | null;
  to: Held | null;
  movedFrom: string | null;
  outcome: UndoneFile['outcome'];
}

/** What rejecting does to the paths of one file; null when its former content is not kept. */
export async function planRejection(
  { file, hunks, isAll }: Choice,
  blobs: Blobs,
): Promise<Rejection[] | null> {
  const { path, base, present, movedFrom } = file;
  if (!canReject(file)) return null;
  const from = present && held(present.state, present.bytes);
  if (isAll && base === null) return [{ path, from, to: null, movedFrom: null, outcome: 'restored' }];
  const bytes = await rejectedBytes({ file, hunks, isAll }, blobs);
  if (bytes === null) return null;
  const state = isAll || present === null ? (base ?? present?.state) : present.state;
  const to = state == null ? null : held({ kind: state.kind, mode: state.mode }, bytes);
  const outcome = to !== null && base !== null && to.hash === base.hash ? 'restored' : 'merged';
  if (movedFrom === null || !isAll) return [{ path, from, to, movedFrom: null, outcome }];
  return [
    { path, from, to: null, movedFrom: null, outcome: 'restored' },
    { path: movedFrom, from: null, to, movedFrom: path, outcome },
  ];
}

async function rejectedBytes({ file, hunks, isAll }: Choice, blobs: Blobs): Promise<Buffer | null> {
  const { lines, base, present } = file;
  const baseBytes = base === null ? null : await blobs.load(base.hash);
  if (lines === null) return baseBytes;
  // Only permissions or the place are taken back: the bytes stay, people's changes among them.
  if (hunks.length === 0 && present?.bytes && !(isAll && lines.reshaped.byAgents)) return present.bytes;
  return await withoutHunks(file, lines, hunks, baseBytes);
}

function held({ kind, mode }: Pick<EntryState, 'kind' | 'mode'>, bytes: Buffer | null): Held | null {
  return bytes === null ? null : { kind, bytes, hash: sha256(bytes), mode };
}

const stateOf = (side: Held | null): EntryState | null =>
  side &&
  EntryState.parse({
    ...{ kind: side.kind, hash: side.hash, mode: side.mode },
    ...{ sizeBytes: side.bytes.length, isKept: side.bytes.length <= MAX_KEPT_BYTES },
  });

export const rejectionChange = ({ path, from, to, movedFrom }: Rejection): PathChange => ({
  path: WorkspacePath.parse(path),
  movedFrom: movedFrom === null ? null : WorkspacePath.parse(movedFrom),
  before: stateOf(from),
  after: stateOf(to),
});

/** For people and the model: "2 changes in `a.ts`", "changes in 3 files". */
export function rejectedLabel(choices: readonly Choice[]): string {
  const [only] = choices;
  if (choices.length !== 1 || only === undefined) return `changes in ${choices.length} files`;
  const { file, hunks, isAll } = only;
  if (isAll && file.base === null) return `the new file \`${file.path}\``;
  if (isAll && file.present === null) return `the deletion of \`${file.path}\``;
  if (isAll) return `the changes in \`${file.path}\``;
  return `${hunks.length} of ${file.hunks.length} changes in \`${file.path}\``;
}

export const agentSteps = ({ file, hunks }: Choice): PendingFile['agents'] =>
  hunks.length === 0 ? file.agents : [...new Set(hunks.flatMap(({ agents }) => agents))];
