import type { ToolDefinition } from './types';
import { askUser } from './builtin/ask-user';
import { attemptCompletion } from './builtin/attempt-completion';
import { editFile } from './builtin/edit-file';
import { gitLog } from './builtin/git-log';
import { glob } from './builtin/glob';
import { grep } from './builtin/grep';
import { listDir } from './builtin/list-dir';
import { readFile } from './builtin/read-file';
import { todo } from './builtin/todo';
import { writeFile } from './builtin/write-file';

/**
 * The tools that work on the project's files and on the turn itself, in the order models see them. Tools that start
 * commands come from elsewhere and are added by the composition.
 */
export const builtinTools: readonly ToolDefinition[] = [
  readFile,
  listDir,
  glob,
  grep,
  editFile,
  writeFile,
  gitLog,
  todo,
  askUser,
  attemptCompletion,
] as readonly ToolDefinition[];
