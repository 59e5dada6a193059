import type { FileDiff } from '../../../../../shared/model/diff';
import { AppError } from '../../../../../shared/error';
import type { FileChange } from '../../../change/file-set';
import { diffFile } from '../../../edit/diff';
import { parsePatch } from '../../../edit/patch/parse-patch';
import { encodeText } from '../../../edit/text-codec';
import type { ResolvedPath } from '../../../workspace/types';
import { sha256 } from '../../../workspace/workspace-files';
import type { Prepared, ToolContext } from '../../types';
import { PatchTree, type TreeFile } from './patch-tree';

/** A patch that is worked out and shown, but not written. */
export interface PatchPlan extends Prepared {
  changes: FileChange[];
  diffs: FileDiff[];
  notes: string[];
  /** Every file that the patch is about. */
  touched: ResolvedPath[];
  /** Per file that stays or comes: its real path and what the model has then seen of it. */
  seen: { realRelative: string; hash: string }[];
}

interface Planned {
  changes: FileChange[];
  diff: FileDiff;
}

/**
 * Works the whole patch out in memory. Whatever is wrong with any part of it is met here, before anything is written.
 *
 * @throws AppError of the first section that can't be applied
 */
export async function planPatch(patch: string, context: ToolContext): Promise<PatchPlan> {
  const tree = new PatchTree(context);
  for (const [index, section] of parsePatch(patch).entries()) await tree.apply(section, index);
  const touched = [...tree.files.values()];
  const planned: Planned[] = [];
  for (const file of touched) planned.push(...(await planFile(file, touched, context)));
  if (planned.length === 0) throw noChange();
  const diffs = planned.map(({ diff }) => diff);
  const changes = planned.flatMap((each) => each.changes);
  return {
    subject: { kind: 'write', paths: [...new Set(changes.map(({ path }) => path))], diffs },
    isStale: () => isStale(changes, context),
    ...(tree.mustAsk.length === 0 ? {} : { mustAsk: tree.mustAsk.join(' ') }),
    changes,
    diffs,
    notes: touched.flatMap((file) => file.notes.map((note) => `\`${file.resolved.relative}\`: ${note}`)),
    touched: touched.map(({ resolved }) => resolved),
    seen: touched.flatMap(({ resolved, after }) => {
      const bytes = changes.find((change) => change.path === resolved.relative)?.bytes;
      return after === null || !bytes ? [] : [{ realRelative: resolved.realRelative, hash: sha256(bytes) }];
    }),
  };
}

async function isStale(changes: readonly FileChange[], context: ToolContext): Promise<boolean> {
  for (const { path, expectedHash } of changes) {
    if ((await context.files.hashOf(path)) !== expectedHash) return true;
  }
  return false;
}

async function planFile(
  file: TreeFile,
  touched: readonly TreeFile[],
  context: ToolContext,
): Promise<Planned[]> {
  const { resolved, before, after } = file;
  if (after === null) {
    if (before === null || isMovedAway(file, touched)) return [];
    return [{ changes: [removal(file, before.hash)], diff: diffOf(file, null, null) }];
  }
  const bytes = await bytesAfter(file, touched, context);
  const hash = sha256(bytes);
  if (before?.hash === hash) return [];
  const write: FileChange = {
    path: resolved.relative,
    bytes,
    expectedHash: before?.hash ?? null,
    ...(after.mode === undefined ? {} : { mode: after.mode & 0o7777 }),
  };
  const source = touched.find((each) => isSourceOf(each, file));
  // Moved over a file that exists: that is the end of one file and a change of the other, each to be taken back by itself.
  const removals = source?.before ? [{ file: source, change: removal(source, source.before.hash) }] : [];
  const diff = diffOf(file, hash, before === null ? (source ?? null) : null);
  if (before === null) return [{ changes: [write, ...removals.map(({ change }) => change)], diff }];
  return [
    { changes: [write], diff },
    ...removals.map((each) => ({ changes: [each.change], diff: diffOf(each.file, null, null) })),
  ];
}

/** Whether a file that is gone lives on under another name, whose plan then removes it. */
const isMovedAway = (file: TreeFile, touched: readonly TreeFile[]): boolean =>
  touched.some((each) => isSourceOf(file, each));

const isSourceOf = (source: TreeFile, file: TreeFile): boolean =>
  source.after === null && file.after !== null && file.movedFrom === source.resolved.relative;

const removal = (file: TreeFile, hash: string): FileChange => ({
  path: file.resolved.relative,
  bytes: null,
  expectedHash: hash,
});

async function bytesAfter(
  file: TreeFile,
  touched: readonly TreeFile[],
  context: ToolContext,
): Promise<Buffer> {
  const { after, resolved } = file;
  if (after?.file) return await encodeText(after.file, after.file.raw, resolved.relative);
  const source = touched.find((each) => each.resolved.relative === file.movedFrom) ?? file;
  return (await context.files.readBytes(source.resolved.relative, { signal: context.signal })).bytes;
}

function diffOf(file: TreeFile, afterHash: string | null, source: TreeFile | null): FileDiff {
  const { before, after, resolved, match } = file;
  const old = source?.before ?? before;
  const diff = diffFile({
    path: resolved.relative,
    ...(source === null ? {} : { movedFrom: source.resolved.relative }),
    before: old === null ? null : (old.text ?? ''),
    after: after === null ? null : (after.file?.text ?? ''),
    beforeHash: old?.hash ?? null,
    afterHash,
  });
  return match === undefined ? diff : { ...diff, match };
}

const noChange = (): AppError =>
  new AppError('bad_argument', 'The patch leaves every file as it is.', {
    audience: 'model',
    hint: 'Nothing was written.',
    detail: { reason: 'no_change' },
  });
