import type { TaskPort } from '../agent/task-port';
import type { MemoryPort } from '../memory/memory-port';
import { createApplyPatch, type ApplyPatchPorts } from './builtin/apply-patch';
import { askUser } from './builtin/ask-user';
import { attemptCompletion } from './builtin/attempt-completion';
import { createPlan } from './builtin/create-plan';
import { editFile } from './builtin/edit-file';
import { gitLog } from './builtin/git-log';
import { glob } from './builtin/glob';
import { grep } from './builtin/grep';
import { listDir } from './builtin/list-dir';
import { createMemoryGet } from './builtin/memory-get';
import { createMemorySearch } from './builtin/memory-search';
import { createMemoryUpdate } from './builtin/memory-update';
import { readFile } from './builtin/read-file';
import type { RunCommandPorts } from './builtin/lib/command-run';
import { createRunCommand } from './builtin/run-command';
import { createTask } from './builtin/task';
import { createTaskCollect } from './builtin/task-collect';
import { todo } from './builtin/todo';
import { writeFile } from './builtin/write-file';
import type { ToolDefinition } from './types';

/** The tools that come with Lathe, in the order in which requests list them. */
export const builtinTools = (
  ports: RunCommandPorts & ApplyPatchPorts & { tasks: TaskPort; memory: MemoryPort },
): ToolDefinition[] => [
  readFile,
  listDir,
  glob,
  grep,
  editFile,
  writeFile,
  createApplyPatch(ports),
  createRunCommand(ports),
  gitLog,
  todo,
  createPlan,
  createTask(ports.tasks),
  createTaskCollect(ports.tasks),
  createMemoryUpdate(ports.memory),
  createMemorySearch(ports.memory),
  createMemoryGet(ports.memory),
  askUser,
  attemptCompletion,
];
