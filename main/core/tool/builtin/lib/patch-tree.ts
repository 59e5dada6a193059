import { AppError } from '../../../../../shared/error';
import { encodingNote, isBinary, textFile, type TextFile } from '../../../edit/text-codec';
import { applyChunks } from '../../../edit/patch/apply-chunks';
import type { PatchSection } from '../../../edit/patch/patch';
import { protection } from '../../../workspace/protected-paths';
import type { ResolvedPath } from '../../../workspace/types';
import type { ToolContext } from '../../types';
import { missingFile } from './missing-file';
import { CRLF_ASKED_FOR, newFileEnding } from './new-file-ending';
import { withStaleHint } from './stale-hint';
import { readCurrent } from './write-plan';

/** A file as the sections applied so far leave it. */
export interface TreeFile {
  resolved: ResolvedPath;
  /** On the disk: hash and mode, null when there is no file; the text is null for one that is no text. */
  before: { hash: string; mode: number; text: string | null } | null;
  /** What it becomes; null when there is no such file any more. `text` null: its bytes stay. */
  after: { file: TextFile | null; mode: number | undefined } | null;
  movedFrom: string | null;
  changedSinceRead: boolean;
  notes: string[];
  match: string | undefined;
}

/**
 * The files that a patch touches, changed in memory section by section: nothing is written, and each section sees what the
 * ones before it leave (case-P12).
 */
export class PatchTree {
  /** By real path, in the order in which they were touched. */
  readonly files = new Map<string, TreeFile>();
  /** What a person must be asked about whatever rules say. */
  readonly mustAsk: string[] = [];

  constructor(private readonly context: ToolContext) {}

  /** @throws AppError for the section, with its line in the patch (`detail.line`) */
  async apply(section: PatchSection, index: number): Promise<void> {
    try {
      switch (section.kind) {
        case 'add':
          return await this.add(section);
        case 'delete':
          return await this.delete(section.path);
        case 'update':
          return await this.update(section);
      }
    } catch (error) {
      throw inSection(error, section, index);
    }
  }

  private async add({ path, text }: Extract<PatchSection, { kind: 'add' }>): Promise<void> {
    const file = await this.open(path);
    if (file.after !== null)
      throw refused('conflict', `\`${path}\` exists`, 'Use *** Update File to change it.', 'exists');
    const ending = await newFileEnding(file.resolved.relative, this.context);
    const raw = ending === '\n' ? text : text.replaceAll('\n', '\r\n');
    file.after = { file: textFile(raw, 'utf-8', false), mode: undefined };
    if (ending !== '\n') file.notes.push(CRLF_ASKED_FOR);
  }

  private async delete(path: string): Promise<void> {
    const file = await this.open(path);
    await this.requireThere(file, path);
    await this.refuseLink(file, path);
    file.after = null;
    file.movedFrom = null;
  }

  private async update({ path, moveTo, chunks }: Extract<PatchSection, { kind: 'update' }>): Promise<void> {
    const file = await this.open(path);
    await this.requireThere(file, path);
    if (chunks.length > 0) this.change(file, path, chunks);
    if (moveTo !== null) await this.move(file, path, moveTo);
  }

  private change(file: TreeFile, path: string, chunks: Parameters<typeof applyChunks>[1]): void {
    const text = file.after?.file;
    if (!text) throw refused('binary_file', `\`${path}\` is a binary file`, 'Only text can be patched.');
    const made = chunksApplied(file, text, chunks, path);
    file.after = { file: textFile(made.raw, text.encoding, text.bom), mode: file.after?.mode };
    file.notes.push(...made.notes);
    const kept = encodingNote(text.encoding);
    if (kept !== null) file.notes.push(kept);
    file.match ??= made.match;
  }

  private async move(file: TreeFile, path: string, moveTo: string): Promise<void> {
    await this.refuseLink(file, path);
    const target = await this.open(moveTo);
    if (target === file)
      throw refused('bad_argument', `\`${path}\` would be moved onto itself`, 'Leave the move out.');
    if (target.after !== null) this.allowOver(target, moveTo);
    target.after = file.after;
    target.movedFrom = file.movedFrom ?? (file.before === null ? null : file.resolved.relative);
    target.notes.push(...file.notes.splice(0));
    target.match = file.match;
    file.after = null;
    file.movedFrom = null;
  }

  /** Only a file that the agent has seen as it is now may be moved over, and only by a person's word (case-P09). */
  private allowOver(target: TreeFile, path: string): void {
    const { before, resolved } = target;
    if (before === null || this.context.ledger.seen(resolved.realRelative) !== before.hash) {
      throw refused(
        'conflict',
        `\`${path}\`, the file to move to, exists`,
        'Read it first, or choose another name.',
        'exists',
      );
    }
    this.mustAsk.push(`It replaces \`${resolved.relative}\`, which exists, with a moved file.`);
  }

  /** Removing a link's file would leave a link to nothing. */
  private async refuseLink({ resolved }: TreeFile, path: string): Promise<void> {
    if (resolved.relative === resolved.realRelative) return;
    const slash = resolved.relative.lastIndexOf('/');
    const entries = await this.context.files.list(slash === -1 ? '' : resolved.relative.slice(0, slash));
    if (entries.find(({ name }) => name === resolved.relative.slice(slash + 1))?.kind !== 'link') return;
    throw refused(
      'bad_argument',
      `\`${path}\` is a link`,
      `Name the file itself, \`${resolved.realRelative}\`.`,
    );
  }

  private async requireThere(file: TreeFile, path: string): Promise<void> {
    if (file.after !== null) return;
    if (file.before !== null)
      throw refused('not_found', `\`${path}\` was deleted or moved earlier in the patch`, '');
    throw await missingFile(file.resolved.relative, this.context);
  }

  private async open(path: string): Promise<TreeFile> {
    const resolved = await this.context.files.resolve(path);
    const known = this.files.get(resolved.realRelative);
    if (known !== undefined) return known;
    const file = await this.read(path, resolved);
    this.files.set(resolved.realRelative, file);
    return file;
  }

  private async read(path: string, resolved: ResolvedPath): Promise<TreeFile> {
    const empty = { resolved, movedFrom: null, changedSinceRead: false, notes: [], match: undefined };
    if (!resolved.exists) {
      if ([resolved.relative, resolved.realRelative].some((name) => protection(name) === 'deny'))
        await readCurrent(path, this.context);
      return { ...empty, before: null, after: null };
    }
    const { bytes, hash, mode } = await this.context.files.readBytes(path, { signal: this.context.signal });
    if ((mode & 0o222) === 0)
      throw refused(
        'io_failed',
        `\`${path}\` is read-only`,
        'Make it writable first if it really is to be changed.',
      );
    if (isBinary(bytes)) {
      return { ...empty, before: { hash, mode, text: null }, after: { file: null, mode } };
    }
    const current = await readCurrent(path, this.context);
    const notes = current.changedSinceRead
      ? ['the file had changed since you read it; the lines were still there']
      : [];
    const before = { hash, mode, text: current.file?.text ?? null };
    const { changedSinceRead } = current;
    return { ...empty, changedSinceRead, notes, before, after: { file: current.file, mode } };
  }
}

function chunksApplied(
  { changedSinceRead }: TreeFile,
  ...parts: Parameters<typeof applyChunks>
): ReturnType<typeof applyChunks> {
  try {
    return applyChunks(...parts);
  } catch (error) {
    throw changedSinceRead ? withStaleHint(error) : error;
  }
}

const refused = (
  code: 'conflict' | 'bad_argument' | 'binary_file' | 'not_found' | 'io_failed',
  what: string,
  hint: string,
  reason?: string,
): AppError =>
  new AppError(code, `${what}.`, {
    audience: 'model',
    hint: `${hint} Nothing was written.`.trim(),
    ...(reason === undefined ? {} : { detail: { reason } }),
  });

/** Names the section: of a patch over many files a message alone does not say where to look (case-P08). */
function inSection(error: unknown, section: PatchSection, index: number): unknown {
  if (!(error instanceof AppError)) return error;
  const hint = error.hint ?? '';
  return new AppError(
    error.code,
    `Section ${index + 1} of the patch (line ${section.line}): ${error.message}`,
    {
      audience: 'model',
      hint: hint.includes('Nothing was written') ? hint : `${hint} Nothing was written.`.trim(),
      detail: { line: section.line, ...error.detail, section: index + 1 },
      cause: error,
    },
  );
}
