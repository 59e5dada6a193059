import { z } from 'zod';
import { AppError } from '../../../../shared/error';
import { defineTool } from '../define';
import { ALL_MODES, shownName, shownPath } from './lib/access';

const MAX_ENTRIES = 400;

function advise(error: unknown): never {
  if (!(error instanceof AppError) || error.hint !== undefined) throw error;
  throw new AppError(error.code, error.message, {
    audience: error.audience,
    hint: 'Check the path: glob finds files by name, read_file reads them.',
    cause: error,
  });
}

export const listDir = defineTool({
  name: 'list_dir',
  effect: 'read',
  describe: `List one folder: folders end with /, links with @. At most ${MAX_ENTRIES} entries. Default: the project folder.`,
  input: z.object({ path: z.string().default('') }),
  modes: ALL_MODES,
  subject: ({ path }) => ({ paths: [path] }),
  label: ({ path }) => `Listed \`${shownPath(path)}\``,
  run: async ({ path }, { files }) => {
    const entries = await files.list(path).catch(advise);
    if (entries.length === 0) return { text: '(empty folder)' };
    const marks = { folder: '/', link: '@', file: '', other: '' };
    const sorted = [...entries].sort((a, b) => Number(b.kind === 'folder') - Number(a.kind === 'folder'));
    const shown = sorted.slice(0, MAX_ENTRIES).map(({ name, kind }) => shownName(name) + marks[kind]);
    const more = entries.length - shown.length;
    return {
      text: [
        ...shown,
        ...(more > 0 ? [`(${more} more entries of ${entries.length}; use glob to narrow)`] : []),
      ].join('\n'),
    };
  },
});
