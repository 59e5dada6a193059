import { AppError } from '../../../../../shared/error';
import { closeNames } from '../../argument-repair';
import type { ToolContext } from '../../types';

const SUGGESTIONS = 3;

/** "Not found" with the nearest names of the same folder, which is what a model looks for next. */
export async function missingFile(relative: string, context: ToolContext): Promise<AppError> {
  const slash = relative.lastIndexOf('/');
  const folder = slash === -1 ? '' : relative.slice(0, slash);
  // The folder may be missing as well: then there is nothing to suggest.
  const entries = await context.files.list(folder).catch(() => []);
  const names = closeNames(relative.slice(slash + 1), entries.map((entry) => entry.name).slice(0, 2000));
  const near = names.slice(0, SUGGESTIONS).map((name) => `\`${folder === '' ? name : `${folder}/${name}`}\``);
  return new AppError('not_found', `\`${relative}\` does not exist.`, {
    audience: 'model',
    hint: near.length > 0 ? `Near it: ${near.join(', ')}.` : 'Use glob or list_dir to find the file.',
    detail: { path: relative },
  });
}
