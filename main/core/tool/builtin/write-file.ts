import { z } from 'zod';
import { AppError } from '../../../../shared/error';
import { dominantEnding } from '../../edit/text-codec';
import type { ToolContext } from '../types';
import { changeTool } from './lib/change-tool';
import { CRLF_ASKED_FOR, newFileEnding } from './lib/new-file-ending';
import { planWrite, type CurrentFile, type WritePlan } from './lib/write-plan';

const Input = z.object({ path: z.string().min(1), content: z.string() });
type Input = z.output<typeof Input>;

async function plan({ content }: Input, current: CurrentFile, context: ToolContext): Promise<WritePlan> {
  if (current.changedSinceRead) throw changed(current.resolved.relative);
  const { raw, notes } = await withEndings(current, content, context);
  if (current.file !== null && current.file.raw === raw) {
    throw new AppError('bad_argument', `\`${current.resolved.relative}\` already has exactly this content.`, {
      audience: 'model',
      hint: 'There is nothing to write.',
      detail: { reason: 'no_change' },
    });
  }
  return await planWrite(current, raw, notes, context);
}

/** An existing file keeps the ending most of its lines have, a new one gets the project's (case-E06). */
async function withEndings(
  current: CurrentFile,
  content: string,
  context: ToolContext,
): Promise<{ raw: string; notes: string[] }> {
  const { file, resolved } = current;
  if (file === null || file.eol === 'none') {
    const ending = content.includes('\r\n') ? '\n' : await newFileEnding(resolved.relative, context);
    if (ending === '\n') return { raw: withoutMark(content, file !== null), notes: [] };
    return {
      raw: withoutMark(content.replaceAll('\n', '\r\n'), file !== null),
      notes: [CRLF_ASKED_FOR],
    };
  }
  const lf = withoutMark(content.replaceAll('\r\n', '\n'), true);
  return dominantEnding(file) === '\r\n'
    ? { raw: lf.replaceAll('\n', '\r\n'), notes: ['CRLF kept'] }
    : { raw: lf, notes: [] };
}

/** The mark of an existing file is kept by itself; one in the content would be a second. */
const withoutMark = (content: string, exists: boolean): string =>
  exists && content.startsWith('\ufeff') ? content.slice(1) : content;

const changed = (relative: string): AppError =>
  new AppError('stale', `\`${relative}\` changed on disk since you read it.`, {
    audience: 'model',
    hint: 'Read it again before you replace all of it. Nothing was written.',
    detail: { path: relative },
  });

export const writeFile = changeTool({
  name: 'write_file',
  describe:
    'Create a file or replace all of its content. Folders are made as needed. Prefer edit_file for changing a part.',
  input: Input,
  doing: 'Writing',
  done: 'Wrote',
  plan,
  joins: false,
});
