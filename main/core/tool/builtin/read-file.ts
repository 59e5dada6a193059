import { z } from 'zod';
import { AppError } from '../../../../shared/error';
import { decodeText, isBinary } from '../../edit/text-codec';
import type { ResolvedPath } from '../../workspace/types';
import { defineTool } from '../define';
import type { ToolContext, ToolResult } from '../types';
import { ALL_MODES, shownPath } from './lib/access';
import { describeBinary } from './lib/describe-binary';
import { isKnownImage, readImage } from './lib/read-image';
import { LineScanner, windowOf, type LineWindow } from './lib/line-window';
import { missingFile } from './lib/missing-file';

/** H13: lines a call shows at most. */
const LINES_PER_CALL = 300;
/** Kept below the cap of 16,000, so that whole lines are cut here and not half ones there. */
const TEXT_CHARS = 15_500;
/** Larger files are read in pieces and not decoded as a whole. */
const WHOLE_FILE_BYTES = 8 * 1024 * 1024;

interface Shown extends LineWindow {
  note: string;
}

async function readWindow(
  resolved: ResolvedPath,
  first: number,
  count: number,
  context: ToolContext,
): Promise<Shown | ToolResult> {
  try {
    const { bytes, hash } = await context.files.readBytes(resolved.relative, {
      maxBytes: WHOLE_FILE_BYTES,
      signal: context.signal,
    });
    if (isKnownImage(bytes)) return readImage(resolved.relative, bytes, bytes.length, context.sees);
    if (isBinary(bytes)) return { text: describeBinary(resolved.relative, bytes, bytes.length) };
    const file = await decodeText(bytes, resolved.relative);
    context.ledger.note(resolved.realRelative, hash);
    const note = file.encoding === 'utf-8' ? '' : `, encoding ${file.encoding}`;
    return { ...windowOf(file.text, first, count), note };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'file_too_large') throw error;
  }
  return await scanWindow(resolved, first, count, context);
}

async function scanWindow(
  resolved: ResolvedPath,
  first: number,
  count: number,
  context: ToolContext,
): Promise<Shown | ToolResult> {
  const scanner = new LineScanner(first, count);
  let head: Buffer | null = null;
  const { sizeBytes } = await context.files.scan(
    resolved.relative,
    (chunk) => {
      head ??= Buffer.from(chunk.subarray(0, 64 * 1024));
      if (isBinary(head) || isKnownImage(head) || isUtf16(head)) return false;
      scanner.push(chunk);
      return true;
    },
    { signal: context.signal },
  );
  const start = head ?? Buffer.alloc(0);
  if (isKnownImage(start)) return readImage(resolved.relative, start, sizeBytes, context.sees);
  if (isBinary(start)) return { text: describeBinary(resolved.relative, start, sizeBytes) };
  if (isUtf16(start)) {
    throw new AppError('file_too_large', `\`${resolved.relative}\` is UTF-16 and too large to show.`, {
      audience: 'model',
    });
  }
  return { ...scanner.end(), note: `, ${(sizeBytes / (1024 * 1024)).toFixed(1)} MB` };
}

const isUtf16 = (head: Buffer): boolean => ['fffe', 'feff'].includes(head.subarray(0, 2).toString('hex'));

/** Whole numbered lines up to the limit of characters. */
function numbered(lines: readonly string[], first: number): string[] {
  const out: string[] = [];
  let size = 0;
  for (const [at, line] of lines.entries()) {
    const text = `${first + at}| ${line}`;
    size += text.length + 1;
    if (size > TEXT_CHARS && out.length > 0) break;
    out.push(text);
  }
  return out;
}

function footer(first: number, shown: number, { totalLines, note }: Shown): string {
  const last = first + shown - 1;
  if (last >= totalLines) return `(end of file, ${totalLines} ${totalLines === 1 ? 'line' : 'lines'}${note})`;
  return `(lines ${first}–${last} of ${totalLines}${note}; read on with start_line=${last + 1})`;
}

export const readFile = defineTool({
  name: 'read_file',
  effect: 'read',
  describe: `Read a text file as numbered lines (\`12| text\`), at most ${LINES_PER_CALL} lines a call; start_line and end_line are 1-based and inclusive. Images (PNG, JPEG, GIF, WebP) are shown to models that see.`,
  input: z.object({
    path: z.string().min(1),
    start_line: z.int().min(1).optional(),
    end_line: z.int().min(1).optional(),
  }),
  modes: ALL_MODES,
  subject: ({ path }) => ({ paths: [path] }),
  label: ({ path, start_line, end_line }) => {
    const range =
      start_line === undefined && end_line === undefined ? '' : ` ${start_line ?? 1}–${end_line ?? ''}`;
    return `Read \`${shownPath(path)}\`${range}`;
  },
  run: async ({ path, start_line, end_line }, context) => {
    const first = start_line ?? 1;
    if (end_line !== undefined && end_line < first) {
      throw new AppError('bad_argument', 'end_line is before start_line.', { audience: 'model' });
    }
    const resolved = await context.files.resolve(path);
    if (!resolved.exists) throw await missingFile(resolved.relative, context);
    const count = Math.min(LINES_PER_CALL, (end_line ?? Number.MAX_SAFE_INTEGER) - first + 1);
    const window = await readWindow(resolved, first, count, context);
    if ('text' in window) return window;
    if (window.totalLines === 0) return { text: '(empty file)' };
    if (window.lines.length === 0) {
      throw new AppError('bad_argument', `\`${resolved.relative}\` has only ${window.totalLines} lines.`, {
        audience: 'model',
        hint: `start_line must be at most ${window.totalLines}.`,
      });
    }
    const lines = numbered(window.lines, first);
    return { text: `${lines.join('\n')}\n${footer(first, lines.length, window)}` };
  },
});
