import type { ChangeSet, EntryState, PathChange } from '../../../../shared/model/change';
import type { FileDiff } from '../../../../shared/model/diff';
import type { TurnEventPayload } from '../../../../shared/model/turn-event';
import { diffFile } from '../../edit/diff';
import { decodeText } from '../../edit/text-codec';
import type { Blobs } from '../types';

export type FilesChanged = Extract<TurnEventPayload, { type: 'files.changed' }>;

/** Files that an event names, and that the model is told of. */
const MAX_LISTED = 100;
const MAX_TOLD = 10;
/** Files that are shown line by line, if all of them together have at most this many changed lines. */
const MAX_DIFFS = 20;
const MAX_DIFF_LINES = 400;
const MAX_DIFF_BYTES = 512 * 1024;

type Kind = FilesChanged['files'][number]['change'];

/** Files as people count them: a move is one, under its new path. */
function listed(changes: readonly PathChange[]): FilesChanged['files'] {
  const sources = new Set(changes.flatMap(({ movedFrom }) => movedFrom ?? []));
  return changes
    .filter(({ path, after }) => after !== null || !sources.has(path))
    .map(({ path, movedFrom, before, after }) => {
      const change: Kind =
        movedFrom !== null ? 'move' : before === null ? 'create' : after === null ? 'delete' : 'modify';
      return { path, change };
    });
}

/** The event of an entry of a command. */
export function filesChanged(
  set: Pick<ChangeSet, 'id' | 'changes' | 'notCovered'>,
  callId: string,
): FilesChanged {
  const files = listed(set.changes);
  return {
    type: 'files.changed',
    callId: callId as FilesChanged['callId'],
    setId: set.id,
    files: files.slice(0, MAX_LISTED),
    more: Math.max(0, files.length - MAX_LISTED),
    notCovered: set.notCovered,
  };
}

/** What the model is told below the output: a few names. */
export function changedNote({ files, more }: Pick<FilesChanged, 'files' | 'more'>): string {
  const names = files.slice(0, MAX_TOLD).map(({ path, change }) => {
    if (change === 'create') return `${path} (new)`;
    return change === 'delete' ? `${path} (deleted)` : path;
  });
  const rest = files.length - names.length + more;
  return `[Files changed: ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}]`;
}

/** Line by line what a command did to a few text files; [] when that would be long. */
export async function commandDiffs(changes: readonly PathChange[], blobs: Blobs): Promise<FileDiff[]> {
  const shown = changes.filter(({ path, after }) => after !== null || !isSource(path, changes));
  if (shown.length > MAX_DIFFS) return [];
  const diffs: FileDiff[] = [];
  let lines = 0;
  for (const change of shown) {
    const diff = await diffOf(change, changes, blobs);
    if (diff === null) continue;
    lines += diff.additions + diff.deletions;
    if (lines > MAX_DIFF_LINES) return [];
    diffs.push(diff);
  }
  return diffs;
}

const isSource = (path: string, changes: readonly PathChange[]): boolean =>
  changes.some(({ movedFrom }) => movedFrom === path);

async function diffOf(
  change: PathChange,
  changes: readonly PathChange[],
  blobs: Blobs,
): Promise<FileDiff | null> {
  const { path, movedFrom, after } = change;
  const source = movedFrom === null ? undefined : changes.find((each) => each.path === movedFrom);
  const before = source?.before ?? change.before;
  if (before?.hash === after?.hash && movedFrom === null) return null;
  const [from, to] = [await textOf(before, path, blobs), await textOf(after, path, blobs)];
  if (from === undefined || to === undefined) return null;
  return diffFile({
    path,
    ...(movedFrom === null ? {} : { movedFrom }),
    before: from,
    after: to,
    beforeHash: before?.hash ?? null,
    afterHash: after?.hash ?? null,
  });
}

/** Undefined for what is no text that can be shown. */
async function textOf(
  state: EntryState | null,
  path: string,
  blobs: Blobs,
): Promise<string | null | undefined> {
  if (state === null) return null;
  if (state.kind !== 'file' || !state.isKept || state.sizeBytes > MAX_DIFF_BYTES) return undefined;
  const bytes = await blobs.load(state.hash);
  if (bytes === null) return undefined;
  return await decodeText(bytes, path).then(
    ({ text }) => text,
    () => undefined,
  );
}

/** What is not covered, as people read it: "node_modules/", "big.bin (12 MB)". */
export function coverageNotes(
  found: readonly { path: string; sizeBytes: number | null }[],
  most = 6,
): string[] {
  const notes = [...found]
    .sort(
      (a, b) => Number(a.sizeBytes !== null) - Number(b.sizeBytes !== null) || a.path.length - b.path.length,
    )
    .map(({ path, sizeBytes }) =>
      sizeBytes === null ? path : `${path} (${Math.max(1, Math.round(sizeBytes / 1_000_000))} MB)`,
    );
  if (notes.length <= most) return notes;
  return [...notes.slice(0, most - 1), `${notes.length - most + 1} more`];
}
