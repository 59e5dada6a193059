import type { TaskPort } from '../agent/task-port';
import { askUser } from './builtin/ask-user';
import { attemptCompletion } from './builtin/attempt-completion';
import { createPlan } from './builtin/create-plan';
import { editFile } from './builtin/edit-file';
import { gitLog } from './builtin/git-log';
import { glob } from './builtin/glob';
import { grep } from './builtin/grep';
import { listDir } from './builtin/list-dir';
import { readFile } from './builtin/read-file';
import { createRunCommand, type RunCommandPorts } from './builtin/run-command';
import { createTask } from './builtin/task';
import { createTaskCollect } from './builtin/task-collect';
import { todo } from './builtin/todo';
import { writeFile } from './builtin/write-file';
import type { ToolDefinition } from './types';

/** The tools that come with Lathe, in the order in which requests list them. */
export const builtinTools = (ports: RunCommandPorts & { tasks: TaskPort }): ToolDefinition[] => [
  readFile,
  listDir,
  glob,
  grep,
  editFile,
  writeFile,
  createRunCommand(ports),
  gitLog,
  todo,
  createPlan,
  createTask(ports.tasks),
  createTaskCollect(ports.tasks),
  askUser,
  attemptCompletion,
];
