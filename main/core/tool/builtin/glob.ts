import { lstatSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../../shared/error';
import { defineTool } from '../define';
import type { ToolContext } from '../types';
import { ALL_MODES, shownName, shownPath } from './lib/access';
import { compileGlob } from './lib/glob-pattern';
import { missingFile } from './lib/missing-file';
import { complaintOf, oddOutput, ripgrep, searchRoot, withoutDot } from './lib/ripgrep';

const DEFAULT_RESULTS = 100;
const MAX_RESULTS = 1000;
/** Above this many matches their times are not asked for: order is then by path. */
const MAX_SORTED = 10_000;
const TEXT_CHARS = 15_000;

interface Listed {
  names: string[];
  /** Why there may be more; '' = there are not. */
  complaint: string;
}

/** All files below a folder that ignore files leave in, relative to the project. */
async function projectFiles(root: string, context: ToolContext): Promise<Listed> {
  const chunks: Buffer[] = [];
  const end = await ripgrep(['--files', '--', searchRoot(root)], context, (chunk) => {
    chunks.push(chunk);
    return true;
  });
  const complaint = complaintOf(end).split('\n')[0] ?? '';
  const names = Buffer.concat(chunks).toString('utf8').split('\0');
  const rest = names.pop();
  if (complaint === '' && rest !== '') throw oddOutput();
  return { names: names.map(withoutDot), complaint };
}

const listingFailed = (complaint: string): AppError =>
  new AppError('io_failed', `Listing files failed: ${complaint}`, {
    audience: 'model',
    hint: 'Check the path, narrow it, or list with `find` by run_command.',
  });

function newestFirst(names: string[], root: string): string[] {
  if (names.length > MAX_SORTED) return names.sort();
  const timed = names.map((name) => ({
    name,
    // A file that went away meanwhile sorts last.
    time: lstatSync(path.join(root, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }));
  return timed.sort((a, b) => b.time - a.time || (a.name < b.name ? -1 : 1)).map(({ name }) => name);
}

export const glob = defineTool({
  name: 'glob',
  effect: 'read',
  describe: `Find files by glob (\`*.ts\` at any depth, \`src/**/*.{ts,tsx}\`), newest first; ignored files are left out. Default ${DEFAULT_RESULTS} results.`,
  input: z.object({
    pattern: z.string().min(1),
    path: z.string().optional(),
    max_results: z.int().min(1).max(MAX_RESULTS).optional(),
  }),
  modes: ALL_MODES,
  subject: ({ path: folder }) => ({ paths: [folder ?? ''] }),
  label: ({ pattern, path: folder }) =>
    `Found files \`${pattern}\`${folder === undefined ? '' : ` in \`${shownPath(folder)}\``}`,
  run: async ({ pattern, path: folder, max_results }, context) => {
    const matches = compileGlob(pattern);
    const { relative, exists } = await context.files.resolve(folder ?? '');
    if (!exists) throw await missingFile(relative, context);
    const prefix = relative === '' ? '' : `${relative}/`;
    const { names, complaint } = await projectFiles(relative, context);
    // The pattern counts from the folder asked for, and from the project for models that repeat the folder in it.
    const found = names.filter(
      (file) => matches(file.slice(prefix.length)) || (prefix !== '' && matches(file)),
    );
    if (found.length === 0 && complaint !== '') throw listingFailed(complaint);
    if (found.length === 0) return { text: '0 files match.' };
    const text = listing(newestFirst(found, context.projectRoot), max_results ?? DEFAULT_RESULTS);
    return { text: complaint === '' ? text : `${text}\n(there may be more: ${complaint})` };
  },
});

function listing(found: string[], limit: number): string {
  const shown: string[] = [];
  let size = 0;
  for (const name of found.slice(0, limit)) {
    size += name.length + 1;
    if (size > TEXT_CHARS) break;
    shown.push(shownName(name));
  }
  if (shown.length === found.length) return shown.join('\n');
  return `${shown.join('\n')}\n(${shown.length} of ${found.length} files shown; narrow the pattern or the path, or raise max_results)`;
}
