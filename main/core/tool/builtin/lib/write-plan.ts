import { AppError } from '../../../../../shared/error';
import type { FileDiff } from '../../../../../shared/model/diff';
import { diffFile } from '../../../edit/diff';
import { decodeText, encodeText, encodingNote, textFile, type TextFile } from '../../../edit/text-codec';
import { protection } from '../../../workspace/protected-paths';
import type { ResolvedPath } from '../../../workspace/types';
import { sha256 } from '../../../workspace/workspace-files';
import type { Prepared, ToolContext } from '../../types';
import { GatedWrite } from './gated-write';

/** The file as it is before a change; `file` and `hash` are null when it does not exist. */
export interface CurrentFile {
  resolved: ResolvedPath;
  hash: string | null;
  file: TextFile | null;
  /** The session has seen the file, and its bytes are others now. */
  changedSinceRead: boolean;
}

/** A change that is worked out and shown, but not made. */
export interface WritePlan extends Prepared {
  target: ResolvedPath;
  bytes: Buffer;
  write: GatedWrite;
  /** The file as the change leaves it. */
  after: TextFile;
  diff: FileDiff;
  beforeHash: string | null;
  /** Facts for the model: kept line endings, encoding, a file that changed since it was read. */
  notes: string[];
}

/**
 * Reads the file a change is for.
 *
 * @throws AppError `protected_path`, `binary_file`, `unsupported_encoding`, `file_too_large`, and those of the path jail
 */
export async function readCurrent(path: string, context: ToolContext): Promise<CurrentFile> {
  const resolved = await context.files.resolve(path);
  for (const name of [resolved.relative, resolved.realRelative]) {
    if (protection(name) === 'deny') throw protectedPath(resolved.relative);
  }
  if (!resolved.exists) return { resolved, hash: null, file: null, changedSinceRead: false };
  const { bytes, hash } = await context.files.readBytes(path, { signal: context.signal });
  const seen = context.ledger.seen(resolved.realRelative);
  const changedSinceRead = seen !== undefined && seen !== hash;
  return { resolved, hash, file: await decodeText(bytes, resolved.relative), changedSinceRead };
}

/** The file as it will be once `plan` is carried out: what the next change of the same pass is worked out on. */
export function currentAfter(current: CurrentFile, plan: WritePlan): CurrentFile {
  return { ...current, hash: plan.diff.afterHash, file: plan.after };
}

/** @param raw the whole new text with its line endings */
export async function planWrite(
  current: CurrentFile,
  raw: string,
  notes: string[],
  context: ToolContext,
): Promise<WritePlan> {
  const { resolved, hash, file } = current;
  const form = file ?? { encoding: 'utf-8' as const, bom: false };
  const bytes = await encodeText(form, raw, resolved.relative);
  const after = textFile(raw, form.encoding, form.bom);
  const write = new GatedWrite(resolved, bytes, { expectedHash: hash }, context);
  const diff = diffFile({
    path: resolved.relative,
    before: file === null ? null : file.text,
    after: after.text,
    beforeHash: hash,
    afterHash: sha256(bytes),
  });
  return {
    subject: { kind: 'write', paths: [resolved.relative], diffs: [diff] },
    isStale: async () => (await context.files.hashOf(resolved.relative)) !== hash,
    begin: () => write.begin(),
    abandon: () => write.abandon(),
    target: resolved,
    bytes,
    write,
    after,
    diff,
    beforeHash: hash,
    notes: [...notes, encodingNote(form.encoding)].filter((note) => note !== null),
  };
}

/** @throws AppError `stale` when the file is not what the plan was made from, and those of `writeBytes` */
export async function carryOut(plan: WritePlan, context: ToolContext): Promise<void> {
  const { hash } = await plan.write.finish();
  context.ledger.note(plan.target.realRelative, hash);
  const note = unsavedNote(plan.target, context);
  if (note !== null) plan.notes.push(note);
}

/** Said of a file that somebody is typing in: what the agent changed is the copy on the disk (case-D11). */
export function unsavedNote({ relative, realRelative }: ResolvedPath, context: ToolContext): string | null {
  const isUnsaved = [relative, realRelative].some((path) => context.isUnsaved?.(path) === true);
  return isUnsaved ? 'the editor has unsaved changes in this file; the copy on disk was changed' : null;
}

const protectedPath = (relative: string): AppError =>
  new AppError('protected_path', `\`${relative}\` is inside a git folder, where only git writes.`, {
    audience: 'model',
    hint: 'Use git commands instead.',
    detail: { path: relative },
  });
