import { AppError } from '../../../shared/error';
import type { FileDiff } from '../../../shared/model/diff';
import type { CallId } from '../../../shared/model/ids';
import type { SessionView } from '../../../shared/model/session-view';
import { applyDiff, undoDiff } from '../edit/apply-hunks';
import { decodeText } from '../edit/text-codec';
import type { WorkspaceFiles } from '../workspace/types';
import type { Blobs } from './types';

/** Larger texts are not compared in a window. */
const MAX_TEXT_BYTES = 5 * 1024 * 1024;

/** Both sides of one call's change of one file, LF-normalised; '' where the file did not exist. */
export interface EditTexts {
  before: string;
  after: string;
  /** True while the change only waits for approval: nothing of it is written. */
  pending: boolean;
}

interface Found {
  diff: FileDiff;
  pending: boolean;
  /** The whole new text where the call itself carried it. */
  written: string | null;
}

function findEdit(view: SessionView, callId: CallId, path: string): Found | null {
  const fits = (diff: FileDiff): boolean => diff.path === path;
  for (const item of view.items) {
    if (item.kind !== 'step') continue;
    const call = item.calls.find((each) => each.callId === callId);
    if (!call) continue;
    const written = call.tool === 'write_file' ? contentOf(call.args) : null;
    const done = call.diffs.findLast((entry) => fits(entry.diff));
    if (done) return { diff: done.diff, pending: false, written };
    const asked = view.approvals.findLast((approval) => approval.callId === callId)?.subject;
    const diff = asked?.kind === 'write' ? asked.diffs.find(fits) : undefined;
    if (diff) return { diff, pending: true, written };
  }
  return null;
}

function contentOf(args: unknown): string | null {
  const content = typeof args === 'object' && args !== null && 'content' in args ? args.content : null;
  return typeof content === 'string' ? content.replace(/^\ufeff/, '').replaceAll('\r\n', '\n') : null;
}

/**
 * The text before and after one call's change of `path`, as the call made it: later changes of the file don't count.
 * Bytes are looked up by their hash (kept images, then the file as it is now); a side that is not there is worked out
 * from the other one and the stored diff.
 *
 * @throws AppError `not_found` (no such edit; or its text is not kept any more), `file_too_large`, `binary_file`,
 *   `unsupported_encoding`
 */
export async function editTexts(
  view: SessionView,
  files: WorkspaceFiles,
  images: Blobs,
  callId: CallId,
  path: string,
): Promise<EditTexts> {
  const found = findEdit(view, callId, path);
  if (!found) throw new AppError('not_found', 'There is no such edit in this session.');
  const { diff, pending, written } = found;
  const sides = new Sides(files, images, diff);
  const [knownBefore, knownAfter] = [await sides.text(diff.beforeHash), await sides.text(diff.afterHash)];
  const before = knownBefore ?? (knownAfter === null ? null : undoDiff(knownAfter, diff));
  const after = knownAfter ?? (before === null ? null : (applyDiff(before, diff) ?? written));
  if (before === null || after === null) throw sides.missing();
  return { before, after, pending };
}

/** Looks up the bytes of a change's two sides. */
class Sides {
  private tooLarge = false;

  constructor(
    private readonly files: WorkspaceFiles,
    private readonly images: Blobs,
    private readonly diff: FileDiff,
  ) {}

  /** @returns null when no bytes with this hash are to be had */
  async text(hash: string | null): Promise<string | null> {
    if (hash === null) return '';
    const bytes = (await this.images.load(hash)) ?? (await this.current(hash));
    return bytes === null ? null : (await decodeText(bytes, this.diff.path)).text;
  }

  missing(): AppError {
    const { path, truncated } = this.diff;
    if (this.tooLarge || truncated) {
      return new AppError('file_too_large', `The change of ${path} is too large to be put side by side.`, {
        hint: 'Files over 5 MB are not kept as they were, and of very long changes only a part is. Look at the card.',
        detail: { path, limitBytes: MAX_TEXT_BYTES },
      });
    }
    return new AppError('not_found', `The text of ${path} before this edit is not kept any more.`, {
      hint: 'The lines that changed are on the card in the chat.',
      detail: { path },
    });
  }

  /** The file as it is now, when it is the one that is looked for. */
  private async current(hash: string): Promise<Buffer | null> {
    try {
      const file = await this.files.readBytes(this.diff.movedFrom ?? this.diff.path, {
        maxBytes: MAX_TEXT_BYTES,
      });
      return file.hash === hash ? file.bytes : null;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.tooLarge ||= error.code === 'file_too_large';
      return null;
    }
  }
}
